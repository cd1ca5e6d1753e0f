package serving

import (
	"pdsim/model/compute"
	"pdsim/model/kv"
	"pdsim/model/nixl"
	"pdsim/model/workload"
	"pdsim/sim"
)

// handover is a small protocol that moves KV: both engines are chosen beforehand, and decode reads when prefill has answered. It stands in for those of the
// package above.
type handover struct{}

func (handover) Name() string { return "handover" }
func (handover) Writes() bool { return false }
func (handover) Dispatch(r *Request) {
	r.ChoosePrefill()
	r.ChooseDecode()
	r.SendPrefill()
}
func (handover) Prefilled(r *Request) {
	r.P.Engine.Hold(r)
	r.Answer(func(r *Request) { r.SendDecode(true) })
}
func (handover) Allocated(r *Request) { r.D.Engine.AddLoad(r) }
func (handover) Load(e *Engine, r *Request) {
	if !e.Met(r.P.Engine) {
		e.Handshake(r.P.Engine, r, func(r *Request) { r.D.Engine.AddLoad(r) })
		return
	}
	e.Read(e.Main, r, false, nil)
}
func (handover) Poll(e *Engine) {
	for r := range e.Landed() {
		e.Notify(r.P.Engine, KVRead, r)
		e.Loaded(r)
	}
	for r := range e.Broken() {
		e.LoadFailed(r)
	}
	for n := range e.Notes() {
		e.Free(n.Request)
	}
}
func (handover) Noted(*Engine, Note) {}
func (handover) Expired(*Request)    {}
func (handover) Aborted(*Request)    {}

// plain is a compute model: 10 ms a decode step, 1 ms a prompt token.
type plain struct{}

func (plain) StepTime(b *compute.Batch) sim.Duration {
	d := sim.Duration(b.PrefillTokens) * sim.Millisecond
	if b.Decodes > 0 {
		d += 10 * sim.Millisecond
	}
	return d
}

// newRig is some prefill and decode engines with blocks of 10 tokens, under a limit of sequences.
func newRig(prefills, decodes, blocks, seqs int) *Cluster {
	c := NewCluster(sim.New(1, nil), handover{})
	c.Sim.SetBudget(1e6)
	engine := func(name string) *Engine {
		return c.AddEngine(Config{
			Name: name, MaxSeqs: seqs, MaxTokens: 100, LoadAfterLaunch: true, TP: 1, Compute: plain{}, Pool: kv.NewPool(blocks, 10, false),
			Costs: Costs{
				Launch: sim.Millisecond, EmptyStep: 100 * sim.Microsecond, IdleSleep: sim.Millisecond, RouterHop: sim.Millisecond, Detokenize: sim.Millisecond,
				Lease: sim.Second, HandshakeTimeout: 100 * sim.Millisecond, HeartbeatPeriod: sim.Second,
			},
			Geometry: kv.Geometry{Layout: kv.Packed, Layers: 10, BytesPerTokenPerRank: 100_000, BlockSize: 10},
			Agent:    c.Net.NewAgent(name, nixl.Costs{PostRead: 100_000_000, ReadLatency: 100_000, Message: 100_000, HandshakeQuery: sim.Millisecond}, 1, 10e9, 0),
		})
	}
	for range prefills {
		c.Prefill = append(c.Prefill, engine("P"))
	}
	for range decodes {
		c.Decode = append(c.Decode, engine("D"))
	}
	c.Pairing, _ = kv.Pair(1, 1, 8, false, false)
	return c
}

// list is a source of given arrivals.
type list []workload.Arrival

func (l *list) Next() (workload.Arrival, bool) {
	if len(*l) == 0 {
		return workload.Arrival{}, false
	}
	a := (*l)[0]
	*l = (*l)[1:]
	return a, true
}

// some is n requests of equal size, a time apart.
func some(n int, apart sim.Duration, input, output int) *list {
	var l list
	for i := range n {
		l = append(l, workload.Arrival{At: sim.Time(i) * sim.Time(apart), Input: input, Output: output, Prompt: workload.Prompt{ID: uint64(i)}})
	}
	return &l
}

// tester is a *testing.T or a *rapid.T.
type tester interface {
	Helper()
	Fatal(args ...any)
	Errorf(format string, args ...any)
}

func play(t tester, c *Cluster, src workload.Source) {
	t.Helper()
	if err := c.Client.Play(src); err != nil {
		t.Fatal(err)
	}
	if err := c.Check(); err != nil {
		t.Fatal(err)
	}
}

// settle lets time pass until nobody holds anything any more, and says which requests are still held on to.
func settle(t tester, c *Cluster) (held []int64) {
	t.Helper()
	play(t, c, some(len(c.Prefill), 0, 1, 1)) // wakes every prefill engine, which frees what has been read
	if err := c.Sim.Run(c.Sim.Now().Add(10 * sim.Second)); err != nil {
		t.Fatal(err)
	}
	free := map[uint32]bool{}
	for _, slot := range c.spare {
		if free[slot] {
			t.Errorf("request slot %d is free twice", slot)
		}
		free[slot] = true
	}
	for _, r := range c.requests {
		switch {
		case r.refs < 0 || free[r.slot] && r.refs != 0:
			t.Errorf("request %d has %d holds", r.ID, r.refs)
		case !free[r.slot] && r.P.State != Held:
			held = append(held, r.ID)
		}
	}
	return held
}
