package llm

// Shape is what pdsim needs to know of a decoder-only transformer. Field names follow Hugging Face's config.json.
type Shape struct {
	Name         string `toml:"-"`            // catalogue name, such as "qwen3-32b"
	Source       string `toml:"source"`       // where the shape is published
	Layers       int    `toml:"layers"`       // num_hidden_layers
	Hidden       int    `toml:"hidden"`       // hidden_size
	Heads        int    `toml:"heads"`        // num_attention_heads
	KVHeads      int    `toml:"kv_heads"`     // num_key_value_heads
	HeadDim      int    `toml:"head_dim"`     // head_dim; without meaning with MLA
	Intermediate int    `toml:"intermediate"` // intermediate_size of a dense layer
	Vocab        int    `toml:"vocab"`        // vocab_size
	TiedEmbed    bool   `toml:"tied_embed"`   // tie_word_embeddings
	WeightBits   int    `toml:"weight_bits"`  // bits a weight of a linear layer: 16 for bf16, 8 for fp8
	KVBits       int    `toml:"kv_bits"`      // bits a cached key or value: 16 or 8

	Experts         int `toml:"experts"`           // routed experts a MoE layer has; 0 for a dense model
	ExpertsPerToken int `toml:"experts_per_token"` // experts a token visits
	SharedExperts   int `toml:"shared_experts"`    // experts that every token visits
	ExpertSize      int `toml:"expert_size"`       // moe_intermediate_size
	DenseLayers     int `toml:"dense_layers"`      // leading layers that are dense in a MoE model

	KVLoraRank int `toml:"kv_lora_rank"` // MLA: width of the compressed KV latent; 0 without MLA
	QKRopeDim  int `toml:"qk_rope_dim"`  // MLA: width of the rotary key that is cached beside the latent
	QKNopeDim  int `toml:"qk_nope_dim"`  // MLA: width of a query head's part without rotation
	VHeadDim   int `toml:"v_head_dim"`   // MLA: width of a value head
	QLoraRank  int `toml:"q_lora_rank"`  // MLA: width of the compressed query; 0 when queries are not compressed
}

// MLA says whether the model caches a compressed latent instead of keys and values.
func (s *Shape) MLA() bool { return s.KVLoraRank > 0 }

// denseAndMoE is how many layers have a dense MLP and how many have experts.
func (s *Shape) denseAndMoE() (dense, moe int64) {
	if s.Experts == 0 {
		return int64(s.Layers), 0
	}
	return int64(s.DenseLayers), int64(s.Layers - s.DenseLayers)
}
