package compute

import "pdsim/sim"

// gridded is a Model whose parts were laid out on grids when it was made: a step is a few lookups and a sum.
// Roofline and Kernels differ only in what they put on the grids.
type gridded struct {
	linear  curve   // by tokens: all that treats tokens alike (matrix products, all-reduce, norms, ...)
	head    curve   // by samples: LM head, sampler
	decode  surface // by decodes and their context in total: their attention
	prefill surface // by chunks and query-key pairs: their attention when arithmetic decides
	read    surface // by chunks and context+new in total: their attention when reading the KV decides
	launch  float64 // what each attention part contains once and a mixed step, which attends in one launch, has only once
}

// StepTime adds the parts of b's step.
func (g *gridded) StepTime(b *Batch) sim.Duration {
	if b.Tokens() == 0 {
		return 0
	}
	ns := g.linear.at(int64(b.Tokens())) + g.head.at(int64(b.Samples()))
	if b.Decodes > 0 {
		ns += g.decode.at(int64(b.Decodes), b.DecodeContext)
	}
	if b.PrefillTokens > 0 {
		ns += max(g.prefill.at(int64(b.Prefills), b.PrefillPairs), g.read.at(int64(b.Prefills), b.PrefillContext))
		if b.Decodes > 0 {
			ns -= g.launch
		}
	}
	return roundNs(ns)
}

// Grid resolutions, as log2 of the points an octave. Tokens get the finest grid because matrix products have steps in
// them (tiles of 128 rows); attention is smooth.
const (
	tokenSub     = 4
	attentionSub = 2
)

// limits returns the largest context of all decodes and the largest number of query-key pairs of one step.
func (c *Config) limits() (context, pairs int64) {
	context = int64(c.MaxSeqs) * int64(c.MaxContext)
	return context, int64(c.MaxTokens) * int64(max(c.MaxContext, c.MaxTokens))
}
