package compute

import "pdsim/model/llm"

// shapes are the models of these tests, from their config.json.
var shapes = map[string]func() *llm.Shape{
	"qwen": qwen32, "qwen3-32b": qwen32,
	"llama":     func() *llm.Shape { return llama70(16) },
	"llama-fp8": func() *llm.Shape { return llama70(8) },
	"qwen2-7b":  qwen7,
	"moe":       qwen30moe,
	"mla":       deepseekV3,
}

var machines = map[string]func() Machine{"h100": h100, "h200": h200, "rtx-4090": rtx4090}

func qwen32() *llm.Shape {
	return &llm.Shape{Name: "qwen3-32b", Layers: 64, Hidden: 5120, Heads: 64, KVHeads: 8, HeadDim: 128,
		Intermediate: 25600, Vocab: 151936, WeightBits: 16, KVBits: 16}
}

func qwen14() *llm.Shape {
	return &llm.Shape{Name: "qwen3-14b", Layers: 40, Hidden: 5120, Heads: 40, KVHeads: 8, HeadDim: 128,
		Intermediate: 17408, Vocab: 151936, WeightBits: 16, KVBits: 16}
}

func qwen7() *llm.Shape {
	return &llm.Shape{Name: "qwen2-7b", Layers: 28, Hidden: 3584, Heads: 28, KVHeads: 4, HeadDim: 128,
		Intermediate: 18944, Vocab: 152064, WeightBits: 16, KVBits: 16}
}

func llama70(bits int) *llm.Shape {
	return &llm.Shape{Name: "llama-3.3-70b", Layers: 80, Hidden: 8192, Heads: 64, KVHeads: 8, HeadDim: 128,
		Intermediate: 28672, Vocab: 128256, WeightBits: bits, KVBits: 16}
}

func qwen30moe() *llm.Shape {
	return &llm.Shape{Name: "qwen3-30b-a3b", Layers: 48, Hidden: 2048, Heads: 32, KVHeads: 4, HeadDim: 128,
		Intermediate: 6144, Vocab: 151936, WeightBits: 16, KVBits: 16, Experts: 128, ExpertsPerToken: 8, ExpertSize: 768}
}

func deepseekV3() *llm.Shape {
	return &llm.Shape{Name: "deepseek-v3", Layers: 61, Hidden: 7168, Heads: 128, KVHeads: 128, HeadDim: 128,
		Intermediate: 18432, Vocab: 129280, WeightBits: 8, KVBits: 16, Experts: 256, ExpertsPerToken: 8, SharedExperts: 1,
		ExpertSize: 2048, DenseLayers: 3, KVLoraRank: 512, QKRopeDim: 64, QKNopeDim: 128, VHeadDim: 128, QLoraRank: 1536}
}

func h100() Machine {
	return Machine{GPU: "h100", BF16: 989.5e12, FP8: 1979e12, Bandwidth: 3.35e12, NVLink: 450e9,
		GEMMEfficiency: 0.75, AttentionEfficiency: 0.65, MemoryEfficiency: 0.85}
}

func h200() Machine {
	m := h100()
	m.GPU, m.Bandwidth = "h200", 4.8e12
	return m
}

func rtx4090() Machine {
	return Machine{GPU: "rtx-4090", BF16: 165.2e12, FP8: 330.3e12, Bandwidth: 1.008e12,
		GEMMEfficiency: 0.8, AttentionEfficiency: 0.7, MemoryEfficiency: 0.9}
}

func config(s *llm.Shape, tp int, m Machine) Config {
	return Config{Shape: s, TP: tp, Machine: m, MaxTokens: 8192, MaxSeqs: 256, MaxContext: 40960}
}
