package llm

// tableBits are those of the embedding and the LM head, which quantized checkpoints leave alone.
const tableBits = 16

// Params is the number of weights, embedding and LM head included.
func (s *Shape) Params() int64 {
	tables := s.LMHeadParams()
	if !s.TiedEmbed {
		tables *= 2
	}
	return s.linear(1, s.Experts) + tables
}

// ActiveParams is the number of weights that one token meets: all but those of the experts that it does not visit.
func (s *Shape) ActiveParams() int64 {
	return s.Params() - s.linear(1, s.Experts) + s.linear(1, s.ExpertsPerToken)
}

// LMHeadParams is the number of weights of the LM head. The embedding has as many, or is the same table if TiedEmbed.
func (s *Shape) LMHeadParams() int64 { return int64(s.Vocab) * int64(s.Hidden) }

// LinearFlopsPerToken is the FLOPs of the linear layers for one token of the whole model: a multiplication and an addition
// for each weight that the token meets. Embedding, LM head and attention's scores are not in it.
func (s *Shape) LinearFlopsPerToken() int64 { return 2 * s.linear(1, s.ExpertsPerToken) }

// WeightBytesPerRank is the memory of the weights on the largest of tp ranks, in bytes. Heads, MLPs, experts and the
// vocabulary are cut; a KV head that several ranks need, MLA's down-projections and the router are on each of them.
func (s *Shape) WeightBytesPerRank(tp int) int64 {
	tables := ceilDiv(s.Vocab, tp) * int64(s.Hidden)
	if !s.TiedEmbed {
		tables *= 2
	}
	return s.linear(tp, s.Experts)*int64(s.WeightBits)/8 + tables*tableBits/8
}

// KVBytesPerTokenPerRank is the memory of one token's keys and values over all layers on one of tp ranks, in bytes. A KV
// head is copied where there are more ranks than heads; the latent of MLA is on every rank.
func (s *Shape) KVBytesPerTokenPerRank(tp int) int64 {
	perLayer := 2 * ceilDiv(s.KVHeads, tp) * int64(s.HeadDim)
	if s.MLA() {
		perLayer = int64(s.KVLoraRank + s.QKRopeDim)
	}
	return int64(s.Layers) * perLayer * int64(s.KVBits) / 8
}

// linear is the weights of the linear layers on one of tp ranks, counting that many routed experts a MoE layer.
func (s *Shape) linear(tp, experts int) int64 {
	dense, moe := s.denseAndMoE()
	hidden := int64(s.Hidden)
	mlp := 3 * hidden * ceilDiv(s.Intermediate, tp)
	expert := 3 * hidden * ceilDiv(s.ExpertSize, tp)
	router := hidden * int64(s.Experts)
	return int64(s.Layers)*s.attention(tp) + dense*mlp + moe*(router+int64(experts+s.SharedExperts)*expert)
}

// attention is the weights of one layer's projections on one of tp ranks.
func (s *Shape) attention(tp int) int64 {
	hidden, heads := int64(s.Hidden), ceilDiv(s.Heads, tp)
	if !s.MLA() {
		return hidden * int64(s.HeadDim) * 2 * (heads + ceilDiv(s.KVHeads, tp))
	}
	latent, rope, nope, value := int64(s.KVLoraRank), int64(s.QKRopeDim), int64(s.QKNopeDim), int64(s.VHeadDim)
	queries := hidden * heads * (nope + rope)
	if s.QLoraRank > 0 {
		queries = int64(s.QLoraRank) * (hidden + heads*(nope+rope))
	}
	return queries + hidden*(latent+rope) + latent*heads*(nope+value) + heads*value*hidden
}

// ceilDiv is n over tp rounded up: what the largest of tp ranks holds.
func ceilDiv(n, tp int) int64 { return int64((n + tp - 1) / tp) }
