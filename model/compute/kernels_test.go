package compute

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pdsim/model/llm"
)

func kernels(t testing.TB, s *llm.Shape, tp int, m Machine) Model {
	t.Helper()
	c := config(s, tp, m)
	c.MaxTokens, c.MaxSeqs = 32768, 256
	k, err := Kernels(c)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func decodeMs(m Model, seqs, context int) float64 {
	return m.StepTime(&Batch{Decodes: seqs, DecodeContext: int64(seqs) * int64(context)}).Milliseconds()
}

func prefillMs(m Model, chunks, tokens int) float64 {
	var b Batch
	for range chunks {
		b.AddPrefill(tokens, 0)
	}
	return m.StepTime(&b).Milliseconds()
}

// endToEnd is one closed-loop run of vLLM.
type endToEnd struct {
	isl, osl, seqs, tp int
	tpotMs             float64
}

// endToEndRuns reads the runs whose KV fits, so that all seqs requests do run together.
func endToEndRuns(t *testing.T) []endToEnd {
	f, err := os.Open("testdata/vllm_h100_qwen3-32b.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := csv.NewReader(f)
	in.Comment = '#'
	rows, err := in.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var runs []endToEnd
	for _, row := range rows[1:] {
		number := func(i int) float64 {
			x, err := strconv.ParseFloat(row[i], 64)
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
		if ttft := number(7); ttft > 2000 || number(3) == 4000 {
			continue // requests queue for KV memory; or the two runs of another load generator
		}
		runs = append(runs, endToEnd{int(number(3)), int(number(4)), int(number(5)), int(number(6)), number(8)})
	}
	return runs
}

// TestKernelsAgainstEndToEnd compares with closed-loop runs of vLLM 0.12 on H100 (Qwen3-32B, one engine that mixes
// prefill and decode). The closed form knows no scheduler: for every output token a request sits through one decode
// step of the full batch and its share of the others' prefills. What it falls short by is then the time between GPU
// steps: this version does not schedule ahead, so its loop adds about 1 ms a step and 35 us a sequence, most visible at
// tp = 8, where steps are short. That belongs to the engine, not to this package, hence the one-sided bounds.
func TestKernelsAgainstEndToEnd(t *testing.T) {
	models := map[int]Model{2: kernels(t, qwen32(), 2, h100()), 8: kernels(t, qwen32(), 8, h100())}
	errs := map[int][]float64{}
	for _, r := range endToEndRuns(t) {
		m := models[r.tp]
		step := decodeMs(m, r.seqs, r.isl+r.osl/2)
		have := step + float64(r.seqs-1)*prefillMs(m, 1, r.isl)/float64(r.osl)
		err := have/r.tpotMs - 1
		errs[r.tp] = append(errs[r.tp], err)
		t.Logf("%d+%d x%d tp%d: TPOT %.2f ms, closed form %.2f (%+.0f%%), of which a decode step %.2f",
			r.isl, r.osl, r.seqs, r.tp, r.tpotMs, have, 100*err, step)
		if err > 0.10 || err < -0.33 {
			t.Errorf("%d+%d x%d tp%d: TPOT is %.2f ms, closed form gives %.2f", r.isl, r.osl, r.seqs, r.tp, r.tpotMs, have)
		}
	}
	for _, want := range []struct {
		tp         int
		median     float64
		biasAtMost float64
	}{{2, 0.05, 0.03}, {8, 0.15, 0.15}} {
		e := errs[want.tp]
		bias := 0.0
		for i := range e {
			bias += e[i] / float64(len(e))
			e[i] = math.Abs(e[i])
		}
		slices.Sort(e)
		median := e[len(e)/2]
		t.Logf("tp=%d: %d runs, median |error| %.1f%%, 90th percentile %.1f%%, bias %+.1f%%",
			want.tp, len(e), 100*median, 100*e[len(e)*9/10], 100*bias)
		if median > want.median || math.Abs(bias) > want.biasAtMost {
			t.Errorf("tp=%d: median |error| %.3f, bias %.3f", want.tp, median, bias)
		}
	}
}

// within fails the test unless have is within part of want, and reports both.
func within(t *testing.T, what string, have, want, part float64) {
	t.Helper()
	t.Logf("%s: %.4g, published %.4g (%+.1f%%)", what, have, want, 100*(have/want-1))
	if math.Abs(have/want-1) > part {
		t.Errorf("%s: have %.4g, want %.4g within %.0f%%", what, have, want, 100*part)
	}
}

// TestKernelsAgainstLightLoadTPOT: the push and pull comparison on 2 x p5en.48xlarge (H200) has a TPOT of 5.6 to 5.8 ms
// at light load, for 1k to 16k of input.
func TestKernelsAgainstLightLoadTPOT(t *testing.T) {
	m := kernels(t, qwen32(), 8, h200())
	for _, seqs := range []int{1, 2} {
		for _, context := range []int{1024, 4096, 8192, 16384} {
			within(t, fmt.Sprintf("decode of %d at %d, ms", seqs, context), decodeMs(m, seqs, context+64), 5.7, 0.10)
		}
	}
}

// TestKernelsAgainstUnloadedPrefill: on the same machines 2,000 tokens take 153 ms and 24,000 take 744 ms, serving
// costs included. Their difference has none of the fixed costs, though still those that grow with the prompt (tokenizer,
// hashing, chunking).
func TestKernelsAgainstUnloadedPrefill(t *testing.T) {
	m := kernels(t, qwen32(), 8, h200())
	within(t, "24,000 less 2,000 prompt tokens, ms", prefillMs(m, 1, 24000)-prefillMs(m, 1, 2000), 744-153, 0.20)
}

// TestKernelsAgainstPrefillThroughput: Llama-3.3-70B in fp8 on p5.48xlarge (8 H100), prompts in steps of 8,192 tokens,
// one output token: 31.7k tokens/s at 1k and 26.7k at 24k.
func TestKernelsAgainstPrefillThroughput(t *testing.T) {
	m := kernels(t, llama70(8), 8, h100())
	within(t, "prefill of 8 x 1,024 tokens, tokens/s", 8*1024/prefillMs(m, 8, 1024)*1e3, 31.7e3, 0.10)
	ms := 0.0
	for at := 0; at < 24000; at += 8192 {
		var b Batch
		b.AddPrefill(min(8192, 24000-at), at)
		ms += m.StepTime(&b).Milliseconds()
	}
	within(t, "prefill of 24,000 tokens in chunks of 8,192, tokens/s", 24000/ms*1e3, 26.7e3, 0.10)
}

func TestKernelsRefuses(t *testing.T) {
	for _, c := range []struct {
		name  string
		shape *llm.Shape
		tp    int
		gpu   string
		want  string
	}{
		{"heads", qwen14(), 1, "h100", "64 query and 8 KV heads of 128, not of qwen3-14b"},
		{"MoE", qwen30moe(), 1, "h100", "dense models"},
		{"GPU", qwen32(), 8, "h100-pcie", `h100 and h200, not of "h100-pcie"`},
		{"tp", qwen32(), 16, "h200", "no rows of bfloat16 with 4 heads a rank"},
		{"tp that divides nothing", qwen32(), 7, "h200", "tp = 7: must divide 64 attention heads"},
	} {
		m := h200()
		m.GPU = c.gpu
		_, err := Kernels(config(c.shape, c.tp, m))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: have %v, want %q", c.name, err, c.want)
		}
	}
}
