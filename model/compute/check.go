package compute

import (
	"fmt"
	"strconv"
)

// Check compares m with the physics floor over a grid of batches within c's limits and returns an error that names
// the first batch, the time that m gives it and the bound that this breaks.
func Check(m Model, c Config) error {
	if err := c.check(); err != nil {
		return err
	}
	floor := newBound(&c)
	for _, b := range checkBatches(&c) {
		have, compute, memory := m.StepTime(&b), floor.compute(&b), floor.memory(&b)
		switch {
		case have < 1:
			return fmt.Errorf("compute: %s in %v: want more than 0", describe(&b), have)
		case float64(have)+1 < compute && compute >= memory:
			return fmt.Errorf("compute: %s in %s needs %s at %.1f TFLOP/s",
				describe(&b), showNs(float64(have)), showNs(compute), floor.peak/1e12)
		case float64(have)+1 < memory:
			return fmt.Errorf("compute: %s in %s needs %s at %.2f TB/s",
				describe(&b), showNs(float64(have)), showNs(memory), floor.bandwidth/1e12)
		}
	}
	return nil
}

// checkBatches returns the grid of Check: every power of two of sequences, prompt tokens and context, the limits
// themselves, one chunk or many, decodes and prompts alone and together. The largest prompts come first, where a
// fit that is linear in tokens misses most.
func checkBatches(c *Config) []Batch {
	contexts := append([]int{0}, powers(c.MaxContext)...)
	var prompts, decodes []Batch
	for _, n := range powers(c.MaxTokens) {
		for _, context := range contexts {
			if context+n > c.MaxContext && context > 0 {
				continue
			}
			var one Batch
			one.AddPrefill(n, context)
			prompts = append(prompts, one)
		}
		for _, chunks := range powers(min(c.MaxSeqs, n)) {
			var many Batch
			for range chunks {
				many.AddPrefill(n/chunks, 0)
			}
			prompts = append(prompts, many)
		}
	}
	for _, seqs := range powers(c.MaxSeqs) {
		for _, context := range powers(c.MaxContext) {
			decodes = append(decodes, Batch{Decodes: seqs, DecodeContext: int64(seqs) * int64(context)})
		}
	}
	batches := append([]Batch{}, prompts...)
	batches = append(batches, decodes...)
	for _, p := range prompts {
		for i := 0; i < len(decodes); i += 7 {
			p.Decodes, p.DecodeContext = decodes[i].Decodes, decodes[i].DecodeContext
			if p.Tokens() <= c.MaxTokens && p.Samples() <= c.MaxSeqs {
				batches = append(batches, p)
			}
		}
	}
	return batches
}

// powers returns n and the powers of two below it, the largest first.
func powers(n int) []int {
	out := []int{n}
	p := 1
	for p < n {
		p *= 2
	}
	for p /= 2; p >= 1; p /= 2 {
		out = append(out, p)
	}
	return out
}

// describe names a batch as an engineer would.
func describe(b *Batch) string {
	var text string
	if b.PrefillTokens > 0 {
		text = fmt.Sprintf("prefill of %d tokens", b.PrefillTokens)
		if b.Prefills > 1 {
			text += fmt.Sprintf(" in %d chunks", b.Prefills)
		}
		if context := b.PrefillContext - int64(b.PrefillTokens); context > 0 {
			text += fmt.Sprintf(" after %d", context)
		}
		if b.Decodes > 0 {
			text += " with "
		}
	}
	if b.Decodes > 0 {
		text += fmt.Sprintf("decode of %d sequences with %d tokens of context", b.Decodes, b.DecodeContext)
	}
	return text
}

// showNs writes a time to three digits or so: "1319ms", "17.2ms", "640us".
func showNs(ns float64) string {
	switch {
	case ns >= 1e8:
		return strconv.FormatFloat(ns/1e6, 'f', 0, 64) + "ms"
	case ns >= 1e6:
		return strconv.FormatFloat(ns/1e6, 'f', 2, 64) + "ms"
	}
	return strconv.FormatFloat(ns/1e3, 'f', 1, 64) + "us"
}
