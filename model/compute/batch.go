package compute

import "pdsim/sim"

// Batch is what one engine step computes, as the sums that decide its time. No field is negative.
type Batch struct {
	Decodes        int   // sequences that compute exactly one token
	DecodeContext  int64 // KV tokens that those read, in total
	Prefills       int   // prompt chunks
	PrefillTokens  int   // prompt tokens computed
	PrefillPairs   int64 // query-key pairs of the chunks: sum of new*context + new*(new+1)/2
	PrefillContext int64 // sum over chunks of context+new, in tokens
}

// Tokens returns the tokens that the step computes: the rows of its matrix products.
func (b *Batch) Tokens() int { return b.Decodes + b.PrefillTokens }

// Samples returns the sequences whose last token goes through the LM head. vLLM computes logits for every scheduled
// sequence, a prompt chunk that is not the last included, and then discards those.
func (b *Batch) Samples() int { return b.Decodes + b.Prefills }

// AddDecode adds a sequence that computes one token and reads context KV tokens.
func (b *Batch) AddDecode(context int) {
	b.Decodes++
	b.DecodeContext += int64(context)
}

// AddPrefill adds a chunk of new prompt tokens that follow context tokens whose KV is already there.
func (b *Batch) AddPrefill(tokens, context int) {
	n, c := int64(tokens), int64(context)
	b.Prefills++
	b.PrefillTokens += tokens
	b.PrefillPairs += n*c + n*(n+1)/2
	b.PrefillContext += c + n
}

// Model gives the GPU time of one step on the slowest rank.
//
// StepTime is pure, allocates nothing and is more than zero for every batch that has a token. The batch is passed by
// pointer to save the copy; it is not kept and not changed.
type Model interface {
	StepTime(b *Batch) sim.Duration
}

// roundNs turns nanoseconds computed in floating point into the integer nanoseconds of virtual time. It is the only
// place of this package where that happens, so that a cost is rounded once. Work never takes less than 1 ns.
func roundNs(ns float64) sim.Duration {
	switch {
	case !(ns > 1):
		return 1
	case ns >= 1<<62:
		return 1 << 62
	}
	return sim.Duration(ns + 0.5)
}
