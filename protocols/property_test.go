package protocols

import (
	"fmt"
	"slices"
	"testing"

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
	arrivals    []workload.Arrival
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
	at := sim.Time(0)
	for i := range rapid.IntRange(1, 25).Draw(t, "requests") {
		at += sim.Time(rapid.Int64Range(0, 50e6).Draw(t, "gap"))
		w.arrivals = append(w.arrivals, workload.Arrival{At: at, Input: rapid.IntRange(1, 1200).Draw(t, "input"), Output: rapid.IntRange(1, 80).Draw(t, "output"),
			Prompt: workload.Prompt{ID: uint64(rapid.IntRange(0, i).Draw(t, "prompt"))}})
	}
	return w
}

func (w *world) build(log sim.Recorder) *serving.Cluster {
	s := sim.New(1, log)
	c := serving.NewCluster(s, w.protocol)
	c.Switches.Concurrent = w.concurrent
	costs, soft := plainCosts()
	costs.NotifyWithWrite, costs.QueueDepth = w.withData, w.depth
	if w.ring {
		costs.RingPush, costs.RingService = 500_000, 1_800_000
	}
	engine := func(name string) *serving.Engine {
		return c.AddEngine(serving.Config{
			Name: name, MaxSeqs: w.seqs, MaxTokens: w.budget, Async: w.async, LoadAfterLaunch: w.after, PollLast: w.pollLast, TP: 8, Costs: soft, Compute: flat{},
			Pool: kv.NewPoolOrder(w.blocks, 16, w.caching, kv.FreeUnnamedToHead), Geometry: kv.Geometry{Layout: kv.Split, Layers: 4, BytesPerTokenPerRank: 4 << 10, BlockSize: 16},
			Agent: c.Net.NewAgent(name, costs, 2, 25e9, 400),
		})
	}
	for i := range w.prefills {
		c.Prefill = append(c.Prefill, engine(fmt.Sprint("P", i)))
	}
	for i := range w.decodes {
		c.Decode = append(c.Decode, engine(fmt.Sprint("D", i)))
	}
	c.Pairing, _ = kv.Pair(8, 8, 8, false, w.protocol.Writes())
	if w.lose {
		n := 0
		c.Net.DropNotes(func(nixl.Note) bool { n++; return n%3 == 0 })
	}
	c.Client.MaxConcurrency, c.Client.Timeout = w.concurrency, w.timeout
	return c
}

// ending is how one request ended, for comparing runs.
type ending struct {
	id                int64
	outcome           serving.Outcome
	sent, first, last sim.Time
}

func (w *world) play(t *rapid.T, log *sim.Log, stepwise bool) (*serving.Cluster, []ending) {
	var rec sim.Recorder
	if log != nil {
		rec = log
	}
	c := w.build(rec)
	if stepwise {
		c.Sim.Stepwise()
	}
	c.Sim.SetBudget(20e6)
	var ends []ending
	c.Client.Ended = func(r *serving.Request) {
		ends = append(ends, ending{r.ID, r.Outcome, r.Sent, r.First, r.Last})
		w.checkRequest(t, log, r)
		if err := c.Check(); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Client.Play(&script{slices.Clone(w.arrivals)}); err != nil {
		t.Fatal(err)
	}
	return c, ends
}

func (w *world) checkRequest(t *rapid.T, log *sim.Log, r *serving.Request) {
	if r.Outcome != serving.Done {
		return
	}
	if r.D.Generated != r.Output {
		t.Fatalf("request %d ended with %d of %d tokens", r.ID, r.D.Generated, r.Output)
	}
	if r.First < r.Sent || r.Last < r.First {
		t.Fatalf("request %d: sent %v, first %v, last %v", r.ID, r.Sent, r.First, r.Last)
	}
	if log == nil {
		return
	}
	var sum sim.Duration
	path := log.Path(r.Tail)
	for i, seg := range path {
		if seg.Wait < 0 || seg.Work < 0 {
			t.Fatalf("request %d: %s starts before what released it", r.ID, seg.Kind)
		}
		if i > 0 && path[i-1].End > seg.Start {
			t.Fatalf("request %d: %s overlaps %s", r.ID, seg.Kind, path[i-1].Kind)
		}
		sum += seg.Wait + seg.Work
	}
	if sum != r.First.Sub(r.Sent) || path[0].Kind != "send" {
		t.Fatalf("request %d: the path from %q adds up to %v, TTFT is %v", r.ID, path[0].Kind, sum, r.First.Sub(r.Sent))
	}
}

func TestRandomWorlds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		log := &sim.Log{}
		c, ends := w.play(t, log, false)
		if len(ends) != len(w.arrivals) {
			t.Fatalf("%d of %d requests ended", len(ends), len(w.arrivals))
		}
		seen := map[int64]bool{}
		for _, e := range ends {
			if seen[e.id] {
				t.Fatalf("request %d ended twice", e.id)
			}
			seen[e.id] = true
			if e.outcome == serving.Open || e.outcome == serving.Failed && w.fits(e.id) {
				t.Fatalf("request %d: %v", e.id, e.outcome)
			}
		}
		for _, e := range append(append([]*serving.Engine{}, c.Prefill...), c.Decode...) {
			if err := e.Pool.Check(); err != nil {
				t.Fatalf("%s: %v", e.Name, err)
			}
		}
		_, slow := w.play(t, nil, true)
		if !slices.Equal(ends, slow) {
			t.Fatalf("one event at a time gives another history:\n%v\n%v", ends, slow)
		}
	})
}

func (w *world) fits(id int64) bool {
	a := w.arrivals[id]
	return a.Input+a.Output-1 <= w.blocks*16
}
