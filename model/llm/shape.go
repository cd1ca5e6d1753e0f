// Package llm holds the shape of a language model: what decides its FLOPs, its weights and its KV cache.
package llm

// Shape is what pdsim needs to know of a decoder-only transformer. Field names follow Hugging Face's config.json.
type Shape struct {
	Name         string // catalogue name, such as "qwen3-32b"
	Layers       int    // num_hidden_layers
	Hidden       int    // hidden_size
	Heads        int    // num_attention_heads
	KVHeads      int    // num_key_value_heads
	HeadDim      int    // head_dim
	Intermediate int    // intermediate_size of a dense layer
	Vocab        int    // vocab_size
	TiedEmbed    bool   // tie_word_embeddings
	WeightBits   int    // bits a weight of a linear layer: 16 for bf16, 8 for fp8
	KVBits       int    // bits a cached key or value: 16 or 8

	Experts         int // routed experts a MoE layer has; 0 for a dense model
	ExpertsPerToken int // experts a token visits
	SharedExperts   int // experts that every token visits
	ExpertSize      int // moe_intermediate_size
	DenseLayers     int // leading layers that are dense in a MoE model

	KVLoraRank int // MLA: width of the compressed KV latent; 0 without MLA
	QKRopeDim  int // MLA: width of the rotary key that is cached beside the latent
	QKNopeDim  int // MLA: width of a query head's part without rotation
	VHeadDim   int // MLA: width of a value head
	QLoraRank  int // MLA: width of the compressed query; 0 when queries are not compressed
}

// MLA says whether the model caches a compressed latent instead of keys and values.
func (s *Shape) MLA() bool { return s.KVLoraRank > 0 }
