package llm

import "fmt"

// Limits far above any model, and low enough that sizes and FLOPs fit an int64.
const (
	widest    = 1 << 16 // any width
	deepest   = 1 << 10 // layers, experts
	mostHeads = 1 << 12 // heads, and a head's width
	mostVocab = 1 << 24
)

// check says what is missing or absurd, by the name that config.json has for it.
func (s *Shape) check() error {
	dense, moe := s.denseAndMoE()
	for _, f := range []struct {
		key   string
		value int
		most  int
		need  bool
	}{
		{"num_hidden_layers", s.Layers, deepest, true},
		{"hidden_size", s.Hidden, widest, true},
		{"num_attention_heads", s.Heads, mostHeads, true},
		{"num_key_value_heads", s.KVHeads, mostHeads, true},
		{"head_dim", s.HeadDim, mostHeads, !s.MLA()},
		{"vocab_size", s.Vocab, mostVocab, true},
		{"first_k_dense_replace", s.DenseLayers, s.Layers, false},
		{"intermediate_size", s.Intermediate, widest, dense > 0},
		{"number of experts", s.Experts, deepest, false},
		{"num_experts_per_tok", s.ExpertsPerToken, s.Experts, moe > 0},
		{"n_shared_experts", s.SharedExperts, deepest, false},
		{"moe_intermediate_size", s.ExpertSize, widest, moe > 0},
		{"kv_lora_rank", s.KVLoraRank, widest, false},
		{"qk_rope_head_dim", s.QKRopeDim, widest, s.MLA()},
		{"qk_nope_head_dim", s.QKNopeDim, widest, s.MLA()},
		{"v_head_dim", s.VHeadDim, widest, s.MLA()},
		{"q_lora_rank", s.QLoraRank, widest, false},
	} {
		least := 0
		if f.need {
			least = 1
		}
		if f.need && f.value == 0 {
			return fmt.Errorf("%s: missing", f.key)
		}
		if f.value < least || f.value > f.most {
			return fmt.Errorf("%s: want %d to %d, have %d", f.key, least, f.most, f.value)
		}
	}
	if s.Heads%s.KVHeads != 0 {
		return fmt.Errorf("num_key_value_heads: want a divisor of %d attention heads, have %d", s.Heads, s.KVHeads)
	}
	return nil
}

// Validate says why the model cannot be cut over tp ranks, as vLLM would.
func (s *Shape) Validate(tp int) error {
	if tp < 1 || s.Heads%tp != 0 {
		return fmt.Errorf("must divide %d attention heads, have %d", s.Heads, tp)
	}
	if !s.MLA() && s.KVHeads%tp != 0 && tp%s.KVHeads != 0 {
		return fmt.Errorf("must divide %d KV heads or be a multiple of them, have %d", s.KVHeads, tp)
	}
	dense, moe := s.denseAndMoE()
	if dense > 0 && s.Intermediate%tp != 0 {
		return fmt.Errorf("must divide an MLP's inner width of %d, have %d", s.Intermediate, tp)
	}
	if moe > 0 && s.ExpertSize%tp != 0 {
		return fmt.Errorf("must divide an expert's inner width of %d, have %d", s.ExpertSize, tp)
	}
	return nil
}
