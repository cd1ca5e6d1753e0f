package compute

import "pdsim/model/llm"

// The small kernels of a layer were not measured on H100 or H200. They come from vLLM's layer profile of Qwen3-32B at
// tp = 2 on an RTX PRO 6000 (data/rtxpro6000_small_kernels.csv), whose sizes these are.
const (
	profileBandwidth = 1.792e12 // bytes/s, GDDR7; NVIDIA RTX PRO 6000 Blackwell Server Edition datasheet
	profileHidden    = 5120
	profileWidth     = 12800 // intermediate size of one rank
	profileHeads     = 36    // query and KV heads of one rank
	profileVocab     = 75968 // vocabulary of one rank
)

// captureTokens is the largest step that vLLM replays from a CUDA graph by default: twice max_num_seqs, at most 512
// (vllm/config/vllm.py, max_cudagraph_capture_size).
func captureTokens(c *Config) int64 { return min(2*int64(c.MaxSeqs), 512) }

// smallKernel is an elementwise kernel of a layer.
type smallKernel struct {
	name  string  // row of the profile
	times float64 // launches in a layer
	width float64 // size of a token's data relative to the profiled one
	bytes float64 // bytes of a token read and written
}

// smallKernels lists the elementwise kernels of one layer on one rank; all data is bf16.
func smallKernels(s *llm.Shape, heads, kvHeads, tp int) []smallKernel {
	hidden, inner := float64(s.Hidden), float64(s.Intermediate/tp)
	both, dim := float64(heads+kvHeads), float64(s.HeadDim)
	list := []smallKernel{
		// RMSNorm with the residual added: hidden vector and residual, each read and written.
		{"layernorm", 2, hidden / profileHidden, 8 * hidden},
		// SiLU(gate) * up: two vectors read, one written.
		{"act_fn", 1, inner / profileWidth, 6 * inner},
		// Rotation of queries and keys in place.
		{"rotary_emb", 1, both / profileHeads, 4 * both * dim},
		// Keys and values into their cache slots, which vLLM launches apart from attention, so that the attention
		// tables do not have it (FlashAttentionBackend.forward_includes_kv_cache_update is false). Not in the
		// profile: taken as the rotation's time, whose work is of the same kind and size.
		{"rotary_emb", 1, both / profileHeads, 8 * float64(kvHeads) * dim},
	}
	if s.Hidden == profileHidden {
		// Of the covered models only Qwen3-32B, which has this hidden size, normalises queries and keys.
		list = append(list, smallKernel{"qk_norm", 1, both / profileHeads, 4 * both * dim})
	}
	return list
}

// smallNs returns the time of an elementwise kernel for n tokens. What the profiled time rises above that of one token
// is divided by the ratio of memory bandwidths; the launch itself is as long on any GPU. The result is not
// less than the bytes at full bandwidth, which the profiled GPU's larger L2 cache (128 MB, against 50) hides in part.
func (k *kernelSum) smallNs(name string, n, width, bytes float64) float64 {
	s, _ := k.tables.small.find(name)
	floor := s.at(1)
	return max(floor+(s.at(n*width)-floor)/k.speedup, floor, 1e9*n*bytes/k.bandwidth)
}

// layerNs returns the time of one layer for m tokens without attention.
func (k *kernelSum) layerNs(m float64) float64 {
	ns := 0.0
	for _, product := range k.products {
		ns += product(m)
	}
	for _, s := range k.small {
		ns += float64(s.times * k.smallNs(s.name, m, s.width, s.bytes))
	}
	return ns + float64(2*k.reduceNs(m*k.shard.hidden, int64(m)))
}

// reduceNs returns the time of an all-reduce of bf16 elements in a step of m tokens, 0 on one GPU.
//
// Steps beyond the captured sizes are launched kernel by kernel. That the launches take long (20 to 40 us for a small
// all-reduce) does not show while the GPU has work queued. What shows is that outside a graph the input is copied to a
// buffer that the other ranks can read: one read and one write of it. That is inferred from the tables, where eager
// less graph is 87 us for 2^26 elements on H100 and the copy 80, so the eager time is an upper limit here.
func (k *kernelSum) reduceNs(elements float64, m int64) float64 {
	if len(k.graphReduce.x) == 0 {
		return 0
	}
	graph := k.graphReduce.at(elements)
	if m <= k.captured {
		return graph
	}
	return max(graph, min(k.eagerReduce.at(elements), graph+1e9*elements*4/k.bandwidth))
}
