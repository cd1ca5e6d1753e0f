package compute

// Kernels of a layer and what each takes before its work shows: launch, ramp-up, tail. A roofline from peaks alone
// gives a decode step of a model cut for eight GPUs a third of its real time, because its kernels are too short to
// reach any peak.
const (
	gemmsPerLayer = 4 // QKV, output, gate and up, down

	// gemmFloorNs: the fastest products of the H100 and H200 tables take 5.8 to 8.2 us, of which reading 10.5 MB is 2.2
	// to 3.1.
	gemmFloorNs = 4000
	// attentionFloorNs: one decode with a context of 2 takes 11 to 12 us in the same tables.
	attentionFloorNs = 11000
	// allReduceFloorNs: 128 bytes over 2 to 8 GPUs inside a CUDA graph, 4.3 to 4.8 us in the same tables.
	allReduceFloorNs = 4500
	// elementFloorNs: norms, rotary embedding, activation of one token, 2.0 to 2.6 us each in the RTX PRO 6000 profile.
	elementFloorNs   = 2300
	elementsPerLayer = 5 // two norms, QK norm, rotary embedding, activation

	// activationMoves: times that a token's hidden vector crosses memory in a layer's small kernels: read and
	// written with its residual by two norms (8), and by the activation, about four times as wide (6).
	activationMoves = 14
)

// Roofline builds a model from the GPU's peaks and the efficiencies of c.Machine. Each kernel takes the longer of its
// FLOPs and its bytes on top of a constant of its kind; kernels follow each other. It needs no measurement of the model
// and is meant for shapes that no table has. Against Kernels, with efficiencies of 0.75, 0.65 and 0.85, decode steps
// come out 22 % low to 6 % high (median 5 % low) and prefills of 8,192 tokens 13 % low to 2 % high; prompts of a few
// hundred tokens up to 40 % low. A MoE layer counts as a dense one of the experts that its tokens visit, cut over the
// ranks; expert parallelism is not modelled.
func Roofline(c Config) (Model, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	if err := c.Machine.checkEfficiencies(); err != nil {
		return nil, err
	}
	r, m := newShard(&c), c.Machine
	bandwidth := m.Bandwidth * m.MemoryEfficiency
	context, pairs := c.limits()

	kernel := func(floorNs, flops, peak, bytes float64) float64 {
		return floorNs + max(1e9*flops/peak, 1e9*bytes/bandwidth)
	}
	g := &gridded{}
	g.linear = newCurve(int64(c.MaxTokens), tokenSub, func(x int64) float64 {
		n := float64(x)
		peak := r.linearPeak * m.GEMMEfficiency
		gemms := kernel(r.layers*gemmsPerLayer*gemmFloorNs, n*r.linearFLOPs(), peak, r.linearBytes(int(x)))
		small := kernel(r.layers*elementsPerLayer*elementFloorNs, 0, 1, n*activationMoves*r.hidden*2*r.layers)
		return gemms + small + r.allReduceNs(&c, n)
	})
	g.head = newCurve(int64(c.MaxSeqs), tokenSub, func(x int64) float64 {
		return kernel(gemmFloorNs, float64(x)*2*r.head, r.headPeak*m.GEMMEfficiency, r.head*headBytes)
	})
	attention := func(pairFLOPs, kvBytes float64) func(_, x int64) (float64, bool) {
		return func(_, x int64) (float64, bool) {
			n := float64(x)
			return kernel(r.layers*attentionFloorNs, n*pairFLOPs, r.attnPeak*m.AttentionEfficiency, n*kvBytes), true
		}
	}
	g.decode = newSurface(1, context, attentionSub, attention(r.decodeFLOPs, r.kvBytes))
	g.prefill = newSurface(1, pairs, attentionSub, attention(r.pairFLOPs, 0))
	g.read = newSurface(1, context, attentionSub, attention(0, r.kvBytes))
	g.launch = r.layers * attentionFloorNs
	return g, nil
}

// allReduceNs returns the time of the two all-reduces a layer of n tokens' hidden vectors in bf16. A ring sends
// 2(p-1)/p of the vector out of each of p ranks.
func (r *shard) allReduceNs(c *Config, n float64) float64 {
	if c.TP == 1 {
		return 0
	}
	p := float64(c.TP)
	bytes := n * r.hidden * 2 * 2 * (p - 1) / p
	floor, rate := float64(allReduceFloorNs), c.Machine.NVLink
	if rate == 0 {
		floor, rate = c.Machine.PCIeFloor, c.Machine.PCIe
	}
	wire := 0.0
	if rate > 0 {
		wire = 1e9 * bytes / rate
	}
	return 2 * r.layers * (floor + wire)
}
