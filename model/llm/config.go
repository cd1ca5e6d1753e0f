package llm

import (
	"encoding/json"
	"fmt"
	"io"
)

// config is what pdsim reads of a Hugging Face config.json.
type config struct {
	TextConfig    *config `json:"text_config"` // of a multimodal model
	Layers        int     `json:"num_hidden_layers"`
	Hidden        int     `json:"hidden_size"`
	Heads         int     `json:"num_attention_heads"`
	KVHeads       int     `json:"num_key_value_heads"`
	HeadDim       int     `json:"head_dim"`
	Intermediate  int     `json:"intermediate_size"`
	Vocab         int     `json:"vocab_size"`
	Tied          bool    `json:"tie_word_embeddings"`
	NumExperts    int     `json:"num_experts"`       // Qwen
	LocalExperts  int     `json:"num_local_experts"` // Mixtral
	RoutedExperts int     `json:"n_routed_experts"`  // DeepSeek
	SharedExperts int     `json:"n_shared_experts"`
	PerToken      int     `json:"num_experts_per_tok"`
	ExpertSize    int     `json:"moe_intermediate_size"`
	FirstDense    int     `json:"first_k_dense_replace"`
	KVLoraRank    int     `json:"kv_lora_rank"`
	QKRope        int     `json:"qk_rope_head_dim"`
	QKNope        int     `json:"qk_nope_head_dim"`
	VHead         int     `json:"v_head_dim"`
	QLoraRank     int     `json:"q_lora_rank"`
	Quantization  *struct {
		Method string `json:"quant_method"`
		Bits   int    `json:"bits"`
	} `json:"quantization_config"`
}

// FromConfig reads the shape of a model from a Hugging Face config.json. The KV cache is taken to be in 16 bits.
func FromConfig(r io.Reader, name string) (*Shape, error) {
	var c config
	if err := json.NewDecoder(r).Decode(&c); err != nil {
		return nil, fmt.Errorf("%s: want a Hugging Face config.json: %w", name, err)
	}
	if c.TextConfig != nil {
		quantization := c.Quantization
		c = *c.TextConfig
		if c.Quantization == nil {
			c.Quantization = quantization
		}
	}
	s := &Shape{
		Name: name, Source: name, Layers: c.Layers, Hidden: c.Hidden, Heads: c.Heads, KVHeads: orElse(c.KVHeads, c.Heads), Intermediate: c.Intermediate,
		Vocab: c.Vocab, TiedEmbed: c.Tied, WeightBits: 16, KVBits: 16,
		Experts: orElse(c.NumExperts, orElse(c.LocalExperts, c.RoutedExperts)), ExpertsPerToken: c.PerToken, SharedExperts: c.SharedExperts,
		KVLoraRank: c.KVLoraRank, QKRopeDim: c.QKRope, QKNopeDim: c.QKNope, VHeadDim: c.VHead, QLoraRank: c.QLoraRank,
	}
	if c.Heads > 0 {
		s.HeadDim = orElse(c.HeadDim, c.Hidden/c.Heads)
	}
	if s.Experts > 0 {
		s.ExpertSize, s.DenseLayers = orElse(c.ExpertSize, c.Intermediate), c.FirstDense
	}
	if q := c.Quantization; q != nil {
		s.WeightBits = orElse(q.Bits, 8)
	}
	return s, s.check(name)
}

func orElse(n, other int) int {
	if n != 0 {
		return n
	}
	return other
}

// check says what is missing or absurd.
func (s *Shape) check(name string) error {
	// Limits far above any model, low enough that sizes fit an int64.
	const wide, deep, tokens = 1 << 17, 1 << 10, 1 << 24
	for _, f := range []struct {
		key  string
		n    int
		most int
		need bool
	}{
		{"num_hidden_layers", s.Layers, deep, true}, {"hidden_size", s.Hidden, wide, true}, {"num_attention_heads", s.Heads, wide, true},
		{"num_key_value_heads", s.KVHeads, wide, true}, {"head_dim", s.HeadDim, wide, true}, {"intermediate_size", s.Intermediate, wide, s.Experts == 0},
		{"vocab_size", s.Vocab, tokens, true}, {"number of experts", s.Experts, deep, false}, {"num_experts_per_tok", s.ExpertsPerToken, deep, s.Experts > 0},
		{"moe_intermediate_size", s.ExpertSize, wide, s.Experts > 0}, {"first_k_dense_replace", s.DenseLayers, deep, false}, {"n_shared_experts", s.SharedExperts, deep, false},
		{"kv_lora_rank", s.KVLoraRank, wide, false}, {"qk_rope_head_dim", s.QKRopeDim, wide, s.MLA()}, {"qk_nope_head_dim", s.QKNopeDim, wide, s.MLA()},
		{"v_head_dim", s.VHeadDim, wide, s.MLA()}, {"q_lora_rank", s.QLoraRank, wide, false}, {"quantization_config.bits", s.WeightBits, deep, true},
	} {
		if f.n < 0 || f.n > f.most || f.need && f.n == 0 {
			return fmt.Errorf("%s: %s: want 1 to %d, have %d", name, f.key, f.most, f.n)
		}
	}
	if s.KVHeads > s.Heads || s.Heads%s.KVHeads != 0 {
		return fmt.Errorf("%s: num_key_value_heads: want a divisor of %d attention heads, have %d", name, s.Heads, s.KVHeads)
	}
	if s.ExpertsPerToken > s.Experts || s.DenseLayers > s.Layers {
		return fmt.Errorf("%s: want no more experts a token (%d) than experts (%d), no more dense layers (%d) than layers (%d)", name, s.ExpertsPerToken, s.Experts, s.DenseLayers, s.Layers)
	}
	return nil
}
