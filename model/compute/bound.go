package compute

import "pdsim/sim"

// bound is the floor that no implementation can go below.
type bound struct {
	gpu                   string
	flopNs, headNs        float64 // ns of one token through the linear layers and of one sample through the LM head
	pairNs                float64 // ns of one query-key pair
	weightsNs, headReadNs float64 // ns to read the weights once, and the LM head's
	kvNs                  float64 // ns to read or write one token's KV
	peak, bandwidth       float64 // FLOP/s of the linear layers, bytes/s; for the message of Check
}

// Bound returns the physics floor of a step on one rank: the larger of its FLOPs at the GPU's peak and its bytes at
// full memory bandwidth. FLOPs are two a weight and token in the linear layers, two a weight and decode in the LM head,
// and for attention two a query-key pair and dimension, for the scores and again for the weighted sum. Bytes are each
// weight once, each KV token read and each one written. What could be argued away is left out: traffic between ranks,
// activations, logits of prompts, and of a MoE layer's experts all but those that a single token visits.
func Bound(c Config) Model { return newBound(&c) }

func newBound(c *Config) *bound {
	r := newShard(c)
	bandwidth := c.Machine.Bandwidth
	return &bound{
		gpu:        c.Machine.GPU,
		flopNs:     1e9 * r.linearFLOPs() / r.linearPeak,
		headNs:     1e9 * 2 * r.head / r.headPeak,
		pairNs:     1e9 * r.pairFLOPs / r.attnPeak,
		weightsNs:  1e9 * (r.always + float64(r.expert*r.perToken)) * r.weightBytes / bandwidth,
		headReadNs: 1e9 * r.head * headBytes / bandwidth,
		kvNs:       1e9 * r.kvBytes / bandwidth,
		peak:       r.linearPeak, bandwidth: bandwidth,
	}
}

// headBytes is the width of an LM head's weight: checkpoints with fp8 linear layers leave it in bf16.
const headBytes = 2

// StepTime returns the floor of b, rounded to the nearest nanosecond.
func (f *bound) StepTime(b *Batch) sim.Duration {
	if b.Tokens() == 0 {
		return 0
	}
	return roundNs(max(f.compute(b), f.memory(b)))
}

// compute returns the nanoseconds that b's FLOPs take at peak.
func (f *bound) compute(b *Batch) float64 {
	return float64(f.flopNs*float64(b.Tokens())) + float64(f.headNs*float64(b.Decodes)) +
		float64(f.pairNs*float64(b.DecodeContext+b.PrefillPairs))
}

// memory returns the nanoseconds that b's bytes take at full bandwidth. A chunk reads its context and writes its
// new tokens, so its context+new tokens of KV cross once each.
func (f *bound) memory(b *Batch) float64 {
	ns := f.weightsNs + float64(f.kvNs*float64(b.DecodeContext+b.PrefillContext))
	if b.Decodes > 0 {
		ns += f.headReadNs
	}
	return ns
}
