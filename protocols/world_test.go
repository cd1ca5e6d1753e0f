package protocols

import (
	"fmt"
	"slices"

	"pdsim/model/kv"
	"pdsim/model/nixl"
	"pdsim/model/serving"
	"pdsim/model/workload"
	"pdsim/sim"

	"pgregory.net/rapid"
)

// world is a random small deployment with a random workload.
type world struct {
	protocol    serving.Protocol
	prefills    int
	decodes     int
	async       bool
	after       bool
	pollLast    bool
	concurrent  bool
	withData    bool
	caching     bool
	blocks      int
	seqs        int
	budget      int
	ring        bool
	depth       int
	concurrency int
	lose        bool
	timeout     sim.Duration
	tp          [2]int     // of prefill and decode
	ratio       int        // prefill blocks in a decode block
	strangers   int        // handshakes that fail
	killed      []sim.Time // by engine, prefill ones first: when it dies; 0: never
	arrivals    []workload.Arrival
}

// faulty says that requests may fail.
func (w *world) faulty() bool {
	return w.strangers > 0 || slices.ContainsFunc(w.killed, func(at sim.Time) bool { return at > 0 })
}

// drawShape is the pairing of the engines' ranks and blocks.
func (w *world) drawShape(t *rapid.T) {
	w.tp = [2]int{1 << rapid.IntRange(0, 3).Draw(t, "prefill tp"), 1 << rapid.IntRange(0, 3).Draw(t, "decode tp")}
	w.ratio = 1
	if !w.protocol.Writes() && w.tp[0] <= w.tp[1] && rapid.Bool().Draw(t, "larger decode blocks") {
		w.ratio = 2
	}
}

// drawFaults kills engines and lets handshakes fail.
func (w *world) drawFaults(t *rapid.T) {
	w.strangers = rapid.IntRange(0, 4).Draw(t, "failing handshakes")
	for range w.prefills + w.decodes {
		at := sim.Time(0)
		if rapid.Bool().Draw(t, "dies") {
			at = sim.Time(rapid.Int64Range(1, 2e9).Draw(t, "dies at"))
		}
		w.killed = append(w.killed, at)
	}
}

func drawWorld(t *rapid.T) world {
	w := world{
		protocol: rapid.SampledFrom(All()).Draw(t, "protocol"),
		prefills: rapid.IntRange(1, 3).Draw(t, "prefills"), decodes: rapid.IntRange(1, 3).Draw(t, "decodes"),
		async: rapid.Bool().Draw(t, "async"), after: rapid.Bool().Draw(t, "after"), pollLast: rapid.Bool().Draw(t, "poll last"), concurrent: rapid.Bool().Draw(t, "concurrent"),
		withData: rapid.Bool().Draw(t, "with data"), caching: rapid.Bool().Draw(t, "caching"),
		blocks: rapid.IntRange(80, 400).Draw(t, "blocks"), seqs: rapid.IntRange(1, 9).Draw(t, "seqs"),
		budget: rapid.SampledFrom([]int{16, 100, 512, 8192}).Draw(t, "budget"), ring: rapid.Bool().Draw(t, "ring"),
		depth: rapid.SampledFrom([]int{0, 7, 100}).Draw(t, "depth"), concurrency: rapid.SampledFrom([]int{0, 0, 1, 5}).Draw(t, "concurrency"),
		lose: rapid.Float64Range(0, 1).Draw(t, "lose") > 0.8, timeout: sim.Duration(rapid.SampledFrom([]int64{200e9, 2e9, 100e6}).Draw(t, "timeout")),
	}
	w.drawShape(t)
	at := sim.Time(0)
	for i := range rapid.IntRange(1, 25).Draw(t, "requests") {
		at += sim.Time(rapid.Int64Range(0, 50e6).Draw(t, "gap"))
		w.arrivals = append(w.arrivals, workload.Arrival{At: at, Input: rapid.IntRange(1, 1200).Draw(t, "input"), Output: rapid.IntRange(1, 80).Draw(t, "output"),
			Prompt: workload.Prompt{ID: uint64(rapid.IntRange(0, i).Draw(t, "prompt"))}})
	}
	return w
}

// bytesPerToken is the KV of a token on all ranks together.
const bytesPerToken = 32 << 10

func (w *world) build(log sim.Recorder) *serving.Cluster {
	s := sim.New(1, log)
	c := serving.NewCluster(s, w.protocol)
	c.Switches.Concurrent = w.concurrent
	costs, soft := plainCosts()
	soft.HandshakeTimeout = 300 * sim.Millisecond
	costs.NotifyWithWrite, costs.QueueDepth = w.withData, w.depth
	if w.ring {
		costs.RingPush, costs.RingService = 500_000, 1_800_000
	}
	engine := func(name string, tp, size int) *serving.Engine {
		return c.AddEngine(serving.Config{
			Name: name, MaxSeqs: w.seqs, MaxTokens: w.budget, Async: w.async, LoadAfterLaunch: w.after, PollLast: w.pollLast, TP: tp, Costs: soft, Compute: flat{},
			Pool: kv.NewPoolOrder(w.blocks*16/size, size, w.caching, kv.FreeUnnamedToHead), Geometry: kv.Geometry{Layout: kv.Split, Layers: 4, BytesPerTokenPerRank: bytesPerToken / int64(tp), BlockSize: size},
			Agent: c.Net.NewAgent(name, costs, 2, 25e9, 400),
		})
	}
	for i := range w.prefills {
		c.Prefill = append(c.Prefill, engine(fmt.Sprint("P", i), w.tp[0], 16))
	}
	for i := range w.decodes {
		c.Decode = append(c.Decode, engine(fmt.Sprint("D", i), w.tp[1], 16*w.ratio))
	}
	c.Pairing, _ = kv.Pair(w.tp[0], w.tp[1], 8, false, w.protocol.Writes())
	c.BlockRatio, c.FailHandshakes = w.ratio, w.strangers
	for i, at := range w.killed {
		if e := append(slices.Clone(c.Prefill), c.Decode...)[i]; at > 0 {
			c.KillAt(e, at)
		}
	}
	if w.lose {
		n := 0
		c.Net.DropNotes(func(nixl.Note) bool { n++; return n%3 == 0 })
	}
	c.Client.MaxConcurrency, c.Client.Timeout = w.concurrency, w.timeout
	return c
}
