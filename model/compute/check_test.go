package compute

import (
	"strings"
	"testing"

	"pdsim/sim"
)

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
