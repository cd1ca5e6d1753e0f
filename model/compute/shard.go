package compute

import "pdsim/model/llm"

// shard is the part of a model that one tensor-parallel rank holds and computes, per layer where it says so.
// Counts are float64 because they only enter times.
type shard struct {
	layers      float64
	always      float64 // weights of linear layers, all layers together, that every token visits
	expert      float64 // weights of one routed expert on the rank, all MoE layers together
	experts     float64 // routed experts of a layer
	perToken    float64 // experts a token visits
	head        float64 // weights of the LM head on the rank
	hidden      float64
	pairFLOPs   float64 // FLOPs of one query-key pair, all layers together: the scores and the weighted sum
	decodeFLOPs float64 // same for a decode, which with MLA works on the latent without expanding it
	kvBytes     float64 // bytes of KV cache of one token, all layers together
	weightBytes float64 // bytes of one weight of a linear layer
	linearPeak  float64 // FLOP/s of linear layers
	attnPeak    float64 // FLOP/s of attention
	headPeak    float64 // FLOP/s of the LM head, which checkpoints leave in bf16
}

// ceilDiv returns a/b rounded up: what the largest rank of b holds.
func ceilDiv(a, b int) float64 { return float64((a + b - 1) / b) }

// newShard cuts c's model for one rank as vLLM does: attention by heads (a KV head is copied to several ranks when
// there are fewer heads than ranks), the MLP and the experts by their inner width, the vocabulary by rows. MLA keeps
// its down-projections and its latent cache whole on every rank.
func newShard(c *Config) shard {
	s := c.Shape
	layers, hidden := float64(s.Layers), float64(s.Hidden)
	r := shard{
		layers: layers, hidden: hidden,
		head:        hidden * ceilDiv(s.Vocab, c.TP),
		weightBytes: float64(s.WeightBits) / 8,
		linearPeak:  c.Machine.BF16, attnPeak: c.Machine.BF16, headPeak: c.Machine.BF16,
	}
	if s.WeightBits <= 8 && c.Machine.FP8 > 0 {
		r.linearPeak = c.Machine.FP8
	}
	if s.KVBits <= 8 && c.Machine.FP8 > 0 {
		r.attnPeak = c.Machine.FP8
	}
	attention := r.attention(s, c.TP)
	dense := 3 * hidden * ceilDiv(s.Intermediate, c.TP)
	if s.Experts == 0 {
		r.always = layers * (attention + dense)
		return r
	}
	moe := float64(s.Layers - s.DenseLayers)
	one := 3 * hidden * ceilDiv(s.ExpertSize, c.TP)
	r.expert, r.experts, r.perToken = moe*one, float64(s.Experts), float64(s.ExpertsPerToken)
	router := hidden * float64(s.Experts)
	r.always = float64(layers*attention) + float64(float64(s.DenseLayers)*dense) +
		float64(moe*(router+float64(float64(s.SharedExperts)*one)))
	return r
}

// attention sets what a query-key pair and a cached token cost and returns the weights of one layer's projections.
func (r *shard) attention(s *llm.Shape, tp int) float64 {
	layers, hidden := float64(s.Layers), float64(s.Hidden)
	heads := ceilDiv(s.Heads, tp)
	cell := float64(s.KVBits) / 8
	if !s.MLA() {
		kv, dim := ceilDiv(s.KVHeads, tp), float64(s.HeadDim)
		r.pairFLOPs = 4 * dim * heads * layers
		r.decodeFLOPs = r.pairFLOPs
		r.kvBytes = 2 * kv * dim * cell * layers
		return hidden * dim * (2*heads + 2*kv)
	}
	latent, rope := float64(s.KVLoraRank), float64(s.QKRopeDim)
	nope, value := float64(s.QKNopeDim), float64(s.VHeadDim)
	r.pairFLOPs = 2 * heads * (nope + rope + value) * layers
	r.decodeFLOPs = 2 * heads * (2*latent + rope) * layers
	r.kvBytes = (latent + rope) * cell * layers
	queries := hidden * heads * (nope + rope)
	if s.QLoraRank > 0 {
		rank := float64(s.QLoraRank)
		queries = float64(hidden*rank) + float64(rank*heads*(nope+rope))
	}
	return queries + float64(hidden*(latent+rope)) + float64(latent*heads*(nope+value)) + float64(heads*value*hidden)
}

// linearFLOPs returns the FLOPs of the linear layers for one token: a multiplication and an addition a weight.
func (r *shard) linearFLOPs() float64 { return 2 * (r.always + float64(r.expert*r.perToken)) }

// linearBytes returns the bytes of weights that a step of m tokens reads when the tokens' experts are drawn evenly
// and independently: a layer's expert is missed by all of them with probability (1 - k/E)^m.
func (r *shard) linearBytes(m int) float64 {
	weights := r.always
	if r.experts > 0 {
		missed := powInt(1-r.perToken/r.experts, m)
		weights += float64(r.expert * r.experts * (1 - missed))
	}
	return weights * r.weightBytes
}

// powInt returns x to the power n by repeated squaring; math.Pow differs in its last bit between platforms.
func powInt(x float64, n int) float64 {
	p := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			p *= x
		}
		x *= x
	}
	return p
}
