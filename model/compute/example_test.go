package compute_test

import (
	"fmt"

	"pdsim/model/compute"
	"pdsim/model/llm"
)

// The same prompt in one step and in two: attention's pairs are the same, and the second chunk reads the KV of the
// first.
func Example() {
	qwen := &llm.Shape{Name: "qwen3-32b", Layers: 64, Hidden: 5120, Heads: 64, KVHeads: 8, HeadDim: 128,
		Intermediate: 25600, Vocab: 151936, WeightBits: 16, KVBits: 16}
	h200 := compute.Machine{GPU: "h200", BF16: 989.5e12, FP8: 1979e12, Bandwidth: 4.8e12, NVLink: 450e9}
	c := compute.Config{Shape: qwen, TP: 8, Machine: h200, MaxTokens: 16384, MaxSeqs: 64, MaxContext: 40960}
	m, err := compute.Kernels(c)
	if err != nil {
		fmt.Println(err)
		return
	}
	show := func(what string, b compute.Batch) {
		fmt.Printf("%-22s %6.1f ms, at least %5.1f ms\n", what,
			m.StepTime(&b).Milliseconds(), compute.Bound(c).StepTime(&b).Milliseconds())
	}
	var whole, first, second, decode compute.Batch
	whole.AddPrefill(16384, 0)
	first.AddPrefill(8192, 0)
	second.AddPrefill(8192, 8192)
	for range 8 {
		decode.AddDecode(16384)
	}
	show("prefill of 16384", whole)
	show("prefill of 8192", first)
	show("prefill of 8192 more", second)
	show("decode of 8 at 16384", decode)
	// Output:
	// prefill of 16384        351.4 ms, at least 164.7 ms
	// prefill of 8192         165.5 ms, at least  73.5 ms
	// prefill of 8192 more    191.6 ms, at least  91.3 ms
	// decode of 8 at 16384      6.7 ms, at least   2.6 ms
}

// A fit that is linear in tokens alone is refused: it is faster than the GPU.
func ExampleCheck() {
	qwen := &llm.Shape{Name: "qwen3-14b", Layers: 40, Hidden: 5120, Heads: 40, KVHeads: 8, HeadDim: 128,
		Intermediate: 17408, Vocab: 151936, WeightBits: 16, KVBits: 16}
	h100 := compute.Machine{GPU: "h100", BF16: 989.5e12, FP8: 1979e12, Bandwidth: 3.35e12}
	c := compute.Config{Shape: qwen, TP: 1, Machine: h100, MaxTokens: 4096, MaxSeqs: 64, MaxContext: 40960}
	m, err := compute.Fitted(c, compute.Fit{Fixed: 9e6, PerPrefillToken: 5600})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(compute.Check(m, c))
	// Output:
	// compute: prefill of 4096 tokens in 31.94ms needs 116ms at 989.5 TFLOP/s
}
