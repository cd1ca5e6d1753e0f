package compute

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// TestRooflineNearKernels: with ordinary efficiencies a roofline lands near the sum of measured kernels. It is furthest
// off, and too fast, for middling steps of a few hundred tokens and for fp8 products, neither of which fill the GPU.
func TestRooflineNearKernels(t *testing.T) {
	errs := map[string][]float64{}
	for _, shape := range []string{"qwen", "llama", "llama-fp8"} {
		for _, machine := range []Machine{h100(), h200()} {
			for _, tp := range []int{1, 2, 4, 8} {
				c := config(shapes[shape](), tp, machine)
				roofline, err := Roofline(c)
				if err != nil {
					t.Fatal(err)
				}
				measured, err := Kernels(c)
				if err != nil {
					t.Fatal(err)
				}
				note := func(what string, have, want float64) {
					errs[what] = append(errs[what], have/want-1)
				}
				for _, seqs := range []int{1, 8, 64} {
					note("decode", decodeMs(roofline, seqs, 4096), decodeMs(measured, seqs, 4096))
				}
				note("prefill of 256", prefillMs(roofline, 1, 256), prefillMs(measured, 1, 256))
				for _, n := range []int{2048, 8192} {
					note(fmt.Sprintf("prefill of %d", n), prefillMs(roofline, 1, n), prefillMs(measured, 1, n))
				}
			}
		}
	}
	for what, limit := range map[string]float64{
		"decode": 0.30, "prefill of 256": 0.45, "prefill of 2048": 0.35, "prefill of 8192": 0.20,
	} {
		e := errs[what]
		slices.Sort(e)
		t.Logf("%s: roofline against kernels %+.0f%% to %+.0f%%, median %+.0f%%", what, 100*e[0], 100*e[len(e)-1], 100*e[len(e)/2])
		if worst := max(math.Abs(e[0]), math.Abs(e[len(e)-1])); worst > limit {
			t.Errorf("%s: off by %.2f, want at most %.2f", what, worst, limit)
		}
	}
}
