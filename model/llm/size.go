package llm

import "fmt"

// Params is the number of weights, embedding and LM head included.
func (s *Shape) Params() int64 {
	n := int64(s.Vocab) * int64(s.Hidden)
	if !s.TiedEmbed {
		n *= 2
	}
	dense, moe := int64(s.Layers), int64(0)
	if s.Experts > 0 {
		dense, moe = int64(s.DenseLayers), int64(s.Layers-s.DenseLayers)
	}
	n += int64(s.Layers) * s.attention(1)
	n += dense * 3 * int64(s.Hidden) * int64(s.Intermediate)
	n += moe * (int64(s.Hidden)*int64(s.Experts) + int64(s.Experts+s.SharedExperts)*s.expert())
	return n
}

// ActiveParams is the number of weights that one token meets.
func (s *Shape) ActiveParams() int64 {
	if s.Experts == 0 {
		return s.Params()
	}
	idle := int64(s.Layers-s.DenseLayers) * int64(s.Experts-s.ExpertsPerToken) * s.expert()
	return s.Params() - idle
}

// expert is the weights of one expert.
func (s *Shape) expert() int64 { return 3 * int64(s.Hidden) * int64(s.ExpertSize) }

// attention is the weights of one layer's projections on one of tp ranks.
func (s *Shape) attention(tp int) int64 {
	hidden, heads := int64(s.Hidden), int64(s.Heads/tp)
	if !s.MLA() {
		return hidden * int64(s.HeadDim) * 2 * (heads + s.kvHeads(tp))
	}
	latent, rope, nope, value := int64(s.KVLoraRank), int64(s.QKRopeDim), int64(s.QKNopeDim), int64(s.VHeadDim)
	queries := hidden * heads * (nope + rope)
	if s.QLoraRank > 0 {
		queries = int64(s.QLoraRank) * (hidden + heads*(nope+rope))
	}
	return queries + hidden*(latent+rope) + latent*heads*(nope+value) + heads*value*hidden
}

// kvHeads is the KV heads that one of tp ranks holds; with more ranks than heads, each holds one.
func (s *Shape) kvHeads(tp int) int64 { return int64(max(1, s.KVHeads/tp)) }

// WeightBytesPerRank is the memory of the weights on one of tp ranks. Embedding and LM head stay in 16 bits.
func (s *Shape) WeightBytesPerRank(tp int) int64 {
	tables := int64(s.Vocab) * int64(s.Hidden)
	if !s.TiedEmbed {
		tables *= 2
	}
	linear := (s.Params() - tables) * int64(s.WeightBits) / 8
	return (linear + 2*tables) / int64(tp)
}

// KVBytesPerTokenPerRank is the memory of one token's keys and values over all layers on one of tp ranks. The latent of
// MLA is on every rank.
func (s *Shape) KVBytesPerTokenPerRank(tp int) int64 {
	perLayer := 2 * s.kvHeads(tp) * int64(s.HeadDim)
	if s.MLA() {
		perLayer = int64(s.KVLoraRank + s.QKRopeDim)
	}
	return int64(s.Layers) * perLayer * int64(s.KVBits) / 8
}

// Validate says why a model cannot be split over tp ranks.
func (s *Shape) Validate(tp int) error {
	switch {
	case tp < 1 || s.Heads%tp != 0:
		return fmt.Errorf("must divide %d attention heads, have %d", s.Heads, tp)
	case !s.MLA() && max(tp, s.KVHeads)%min(tp, s.KVHeads) != 0:
		return fmt.Errorf("must divide %d KV heads or be a multiple of them, have %d", s.KVHeads, tp)
	}
	return nil
}
