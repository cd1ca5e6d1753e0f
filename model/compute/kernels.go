package compute

import (
	"fmt"
	"strconv"
	"strings"

	"pdsim/model/llm"
)

// Kernels builds a model that sums measured kernel times, as vLLM launches them for m tokens on one rank:
//
//	layers x (QKV + output + gate-and-up + down products
//	          + decode attention by batch and KV length + prompt attention by chunks and query-key pairs
//	          + 2 all-reduces of m x hidden
//	          + 2 norms + rotary embedding + KV write + activation, and QK norm where the model has one)
//	+ embedding and its all-reduce + last norm + LM head and its gather + sampler
//
// Tables exist for H100 and H200 SXM, dense models of hidden size 5120 or 8192 with 64 query and 8 KV heads of 128
// (Qwen3-32B, Llama 70B), bf16 or fp8 weights, tp = 1, 2, 4 or 8. They were measured by ai-dynamo/aiconfigurator with
// vLLM 0.24.0. Launch gaps are in them: products and all-reduces were timed as
// sequences inside CUDA graphs.
//
// What is inferred rather than measured on these GPUs: the small kernels (see smallNs), the gather of logits
// as an all-reduce of one rank's share, and the time of a mixed step's attention as the sum of its two
// parts less one launch (see gridded). Nothing is fitted to a measured step.
func Kernels(c Config) (Model, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	k, err := newKernelSum(&c)
	if err != nil {
		return nil, err
	}
	context, pairs := c.limits()
	layers := k.shard.layers
	g := &gridded{}
	g.linear = newCurve(int64(c.MaxTokens), tokenSub, func(m int64) float64 {
		n := float64(m)
		hidden := k.shard.hidden
		once := k.smallNs("embedding", n, 1, 0) + k.smallNs("final_layernorm", n, hidden/profileHidden, 8*hidden)
		return float64(layers*k.layerNs(n)) + once + k.reduceNs(n*hidden, m)
	})
	g.head = newCurve(int64(c.MaxSeqs), tokenSub, func(n int64) float64 {
		vocab := float64(c.Shape.Vocab)
		sampler := k.smallNs("sampler", float64(n), vocab/profileVocab, 2*vocab)
		return k.head(float64(n)) + k.reduceNs(float64(n)*vocab/float64(c.TP), n) + sampler
	})
	decode := func(seqs, tokens int64) float64 {
		n := float64(max(seqs, 1))
		return layers * k.decode.at(n, float64(tokens)/n)
	}
	g.decode = newSurface(int64(c.MaxSeqs), context, attentionSub, func(seqs, tokens int64) (float64, bool) {
		// A grid step is 25 %, so a cell is used when four fifths of its tokens fit in the sequences.
		return decode(seqs, tokens), seqs > 0 && tokens-tokens/5 <= seqs*int64(c.MaxContext)
	})
	g.prefill = newSurface(int64(c.MaxSeqs), pairs, attentionSub, func(chunks, pairs int64) (float64, bool) {
		n := float64(max(chunks, 1))
		return layers * k.prefill.at(n, float64(pairs)/n), chunks > 0
	})
	g.read = newSurface(int64(c.MaxSeqs), context, attentionSub, func(chunks, tokens int64) (float64, bool) {
		return decode(chunks, tokens), chunks > 0 && tokens-tokens/5 <= chunks*int64(c.MaxContext)
	})
	g.launch = min(g.decode.ns[0], g.prefill.ns[0])
	return g, nil
}

// kernelSum holds the kernels of one configuration.
type kernelSum struct {
	shard                    shard
	tables                   *tables
	products                 []func(m float64) float64 // of a layer
	head                     func(m float64) float64
	decode                   *ladder // by batch, over KV tokens of one sequence
	prefill                  *ladder // by chunks, over query-key pairs of one chunk
	graphReduce, eagerReduce samples // over elements; empty at tp = 1
	speedup                  float64 // memory bandwidth over that of the GPU that the small kernels were profiled on
	bandwidth                float64 // bytes/s
	captured                 int64   // most tokens of a step that is replayed from a CUDA graph
	small                    []smallKernel
}

// Sizes that attention was measured with; head counts are before the split over ranks.
const (
	kernelHeads, kernelKVHeads, kernelHeadDim = 64, 8, 128
)

func newKernelSum(c *Config) (*kernelSum, error) {
	s := c.Shape
	if s.Heads != kernelHeads || s.KVHeads != kernelKVHeads || s.HeadDim != kernelHeadDim || s.MLA() || s.Experts > 0 {
		return nil, fmt.Errorf("compute: kernel tables are of dense models with %d query and %d KV heads of %d, not of %s",
			kernelHeads, kernelKVHeads, kernelHeadDim, s.Name)
	}
	gpu, found := kernelGPU(c.Machine.GPU)
	if !found {
		return nil, fmt.Errorf("compute: kernel tables are of h100 and h200, not of %q", c.Machine.GPU)
	}
	t, err := loadTables(gpu)
	if err != nil {
		return nil, err
	}
	bandwidth := c.Machine.Bandwidth
	k := &kernelSum{shard: newShard(c), tables: t, bandwidth: bandwidth, speedup: bandwidth / profileBandwidth}
	heads, kvHeads := s.Heads/c.TP, max(s.KVHeads/c.TP, 1)
	k.captured = captureTokens(c)
	k.small = smallKernels(s, heads, kvHeads, c.TP)
	if err := k.addProducts(c, heads, kvHeads); err != nil {
		return nil, err
	}
	if err := k.addAttention(s, heads); err != nil {
		return nil, err
	}
	return k, k.addReduces(c.TP)
}

// dtypes names the widths of weights and KV as the tables do.
var dtypes = map[int]string{16: "bfloat16", 8: "fp8"}

// addProducts finds the matrix products of a layer and of the LM head, which stays in bf16 when the others are fp8.
func (k *kernelSum) addProducts(c *Config, heads, kvHeads int) (err error) {
	s := c.Shape
	for _, p := range []struct{ n, k int }{
		{(heads + 2*kvHeads) * s.HeadDim, s.Hidden},
		{s.Hidden, heads * s.HeadDim},
		{2 * s.Intermediate / c.TP, s.Hidden},
		{s.Hidden, s.Intermediate / c.TP},
	} {
		product, err := k.tables.gemm(dtypes[s.WeightBits], p.n, p.k)
		if err != nil {
			return err
		}
		k.products = append(k.products, product)
	}
	k.head, err = k.tables.gemm(dtypes[16], (s.Vocab+c.TP-1)/c.TP, s.Hidden)
	return err
}

// addAttention finds the attention kernels of a rank's query heads.
func (k *kernelSum) addAttention(s *llm.Shape, heads int) (err error) {
	if k.decode, err = attention(k.tables.decodes, dtypes[s.KVBits], heads); err != nil {
		return err
	}
	if k.prefill, err = attention(k.tables.prefills, dtypes[s.KVBits], heads); err != nil {
		return err
	}
	byPairs(k.prefill)
	return nil
}

// addReduces finds the all-reduces over tp GPUs. Their counts are elements: at 8 GPUs 2^28 of them take 2.12 ms on
// H100, and 2(p-1)/p x 2 bytes of each then cross at 443 GB/s, NVLink's 450; NCCL's table, which says that it counts
// elements, agrees.
func (k *kernelSum) addReduces(tp int) error {
	if tp == 1 {
		return nil
	}
	var graph, eager bool
	k.graphReduce, graph = k.tables.reduces.find("graph", strconv.Itoa(tp))
	k.eagerReduce, eager = k.tables.reduces.find("eager", strconv.Itoa(tp))
	if !graph || !eager {
		return fmt.Errorf("compute: no measured all-reduce over %d GPUs", tp)
	}
	return nil
}

// kernelGPU returns the name in the tables' files of a GPU in the catalogue. The tables are of SXM boards: PCIe and NVL
// boards of the same chip have other clocks and memory.
func kernelGPU(name string) (string, bool) {
	name = strings.ToLower(name)
	for _, gpu := range []string{"h100", "h200"} {
		if name == gpu || name == gpu+"-sxm" || name == gpu+"-sxm5" {
			return gpu, true
		}
	}
	return "", false
}

// byPairs turns prompt lengths into query-key pairs, n(n+1)/2, by which chunks with a context are looked up too. A
// chunk of n tokens after c is thus priced as the whole prompt that has as many pairs; that its KV must at least be
// read is a bound of its own (gridded.read).
func byPairs(l *ladder) {
	for i := range l.samples {
		s := &l.samples[i]
		x := make([]int64, len(s.x))
		for j, n := range s.x {
			x[j] = n * (n + 1) / 2
		}
		s.x = x
	}
}
