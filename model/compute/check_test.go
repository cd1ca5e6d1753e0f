package compute

import (
	"strings"
	"testing"

	"pdsim/model/llm"
	"pdsim/sim"
)

func qwen32() *llm.Shape {
	return &llm.Shape{Name: "qwen3-32b", Layers: 64, Hidden: 5120, Heads: 64, KVHeads: 8, HeadDim: 128,
		Intermediate: 25600, Vocab: 151936, WeightBits: 16, KVBits: 16}
}

func qwen14() *llm.Shape {
	return &llm.Shape{Name: "qwen3-14b", Layers: 40, Hidden: 5120, Heads: 40, KVHeads: 8, HeadDim: 128,
		Intermediate: 17408, Vocab: 151936, WeightBits: 16, KVBits: 16}
}

func llama70(bits int) *llm.Shape {
	return &llm.Shape{Name: "llama-3.3-70b", Layers: 80, Hidden: 8192, Heads: 64, KVHeads: 8, HeadDim: 128,
		Intermediate: 28672, Vocab: 128256, WeightBits: bits, KVBits: 16}
}

func h100() Machine {
	return Machine{GPU: "h100", BF16: 989.5e12, FP8: 1979e12, Bandwidth: 3.35e12, NVLink: 450e9,
		GEMMEfficiency: 0.75, AttentionEfficiency: 0.65, MemoryEfficiency: 0.85}
}

func h200() Machine {
	m := h100()
	m.GPU, m.Bandwidth = "h200", 4.8e12
	return m
}

func config(s *llm.Shape, tp int, m Machine) Config {
	return Config{Shape: s, TP: tp, Machine: m, MaxTokens: 8192, MaxSeqs: 256, MaxContext: 40960}
}

// perToken is a model of the kind that prices a step by its tokens alone.
type perToken float64

func (ns perToken) StepTime(b *Batch) sim.Duration { return roundNs(float64(ns) * float64(b.Tokens())) }

// TestCheckRefusesFasterThanPeak is a fit that a published simulator ships for Qwen3-14B on one H100: 4,096 tokens in
// 32 ms and 32,768 in 364 ms. The products and causal attention alone need 116 ms and 1.3 s at the GPU's peak.
func TestCheckRefusesFasterThanPeak(t *testing.T) {
	for _, c := range []struct {
		tokens int
		ns     float64
		want   string
	}{
		{4096, 32e6, "prefill of 4096 tokens in 32.00ms needs 116ms at 989.5 TFLOP/s"},
		{32768, 364e6, "prefill of 32768 tokens in 364ms needs 1320ms at 989.5 TFLOP/s"},
	} {
		cfg := config(qwen14(), 1, h100())
		cfg.MaxTokens = c.tokens
		err := Check(perToken(c.ns/float64(c.tokens)), cfg)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d tokens: have %v, want %q", c.tokens, err, c.want)
		}
	}
}

func TestBuiltInModelsPassCheck(t *testing.T) {
	for _, m := range []Machine{h100(), h200()} {
		for _, s := range []*llm.Shape{qwen32(), llama70(16), llama70(8)} {
			for _, tp := range []int{1, 2, 4, 8} {
				c := config(s, tp, m)
				model, err := Roofline(c)
				if err != nil {
					t.Fatal(err)
				}
				if err := Check(model, c); err != nil {
					t.Errorf("roofline of %s on %s at tp=%d: %v", s.Name, m.GPU, tp, err)
				}
			}
		}
	}
}
