package serving

import (
	"pdsim/model/kv"
	"pdsim/model/nixl"
	"pdsim/sim"
)

// Cluster is the engines of one deployment with their router, client and protocol.
type Cluster struct {
	Sim        *sim.Sim
	Net        *nixl.Net
	Protocol   Protocol
	Prefill    []*Engine
	Decode     []*Engine
	Router     Router
	Pairing    kv.Pairing
	BlockRatio int // prefill blocks in a decode block
	Switches   Switches
	Client     Client

	id       sim.HandlerID
	tasks    []task
	idle     []uint32
	requests []*Request
	spare    []uint32
	router   sim.TrackID // hops and answers
	client   sim.TrackID
	pieces   []kv.Block
	row      []kv.Block
	Stats    Stats
	// FailHandshakes is how many of the handshakes to come time out.
	FailHandshakes int
}

// Switches are differences between published versions that a protocol's schedule or an engine's step depends on.
type Switches struct {
	Concurrent bool // the router starts both legs at once where the protocol allows it
	Contiguous bool // blocks merge as if they always followed each other: what if nothing were fragmented
}

// Next is what comes after a piece of work for a request.
type Next func(r *Request)

// task is a continuation waiting for its time.
type task struct {
	next  Next
	r     *Request
	kind  string
	track sim.TrackID
	start sim.Time
	leg   *Leg // whose work it ends, while spans are kept
}

const (
	opTask sim.Op = iota
	opArrive
	opEnter
	opSend
	opDeadline
)

// NewCluster returns a cluster without engines.
func NewCluster(s *sim.Sim, p Protocol) *Cluster {
	c := &Cluster{Sim: s, Net: nixl.NewNet(s), Protocol: p, BlockRatio: 1, router: s.Track("router"), client: s.Track("client")}
	c.id = s.Register(c)
	c.Client.c = c
	c.Client.timer = s.NewTimer(sim.Timeout, sim.Call{To: c.id, Op: opDeadline})
	c.Net.Lost = func(n nixl.Note) {
		r := c.requests[n.Ref]
		r.sender(n.Kind).trouble(LostNote)
		r.drop()
	}
	return c
}

// Call wraps a continuation for the kernel.
func (c *Cluster) Call(r *Request, next Next) sim.Call {
	return sim.Call{To: c.id, Op: opTask, Arg: c.plant(task{next: next, r: r})}
}

func (c *Cluster) plant(t task) uint32 {
	t.r.refs++
	if n := len(c.idle); n > 0 {
		i := c.idle[n-1]
		c.idle = c.idle[:n-1]
		c.tasks[i] = t
		return i
	}
	c.tasks = append(c.tasks, t)
	return uint32(len(c.tasks) - 1)
}

// Delay goes on after a time that nobody is busy for, such as a hop between processes.
func (r *Request) Delay(kind string, d sim.Duration, next Next) {
	r.delay(r.cluster.router, kind, d, next)
}

// delay is Delay with its track.
func (r *Request) delay(track sim.TrackID, kind string, d sim.Duration, next Next) {
	c := r.cluster
	t := task{next: next, r: r, kind: kind, start: c.Sim.Now(), track: track}
	c.Sim.After(d, sim.Completion, sim.Call{To: c.id, Op: opTask, Arg: c.plant(t)})
}

// On does a piece of work for r on a thread and then goes on.
func (r *Request) On(t *sim.Thread, kind string, busy sim.Duration, next Next) {
	w := sim.Work{Kind: kind, Owner: r.ID, Busy: busy}
	if next != nil {
		c := r.cluster
		work := task{next: next, r: r}
		if c.Sim.Recording() {
			work.leg = r.legOn(t)
		}
		w.Then = sim.Call{To: c.id, Op: opTask, Arg: c.plant(work)}
	}
	t.Do(w)
}

// Handle goes on with a continuation, or with the client.
func (c *Cluster) Handle(op sim.Op, arg uint32) {
	switch op {
	case opTask:
		t := c.tasks[arg]
		c.tasks[arg] = task{}
		c.idle = append(c.idle, arg)
		if t.kind != "" && c.Sim.Recording() {
			c.Sim.Record(sim.Span{Cause: c.Sim.Cause(), Track: t.track, Kind: t.kind, Owner: t.r.ID, Ready: t.start, Start: t.start, End: c.Sim.Now()})
		}
		if t.leg != nil {
			t.leg.meets(c.Sim)
		}
		t.next(t.r)
		t.r.drop()
	case opArrive:
		c.Client.arrive()
	case opEnter:
		c.Client.enter(c.requests[arg])
	case opSend:
		c.Client.send(c.requests[arg])
	case opDeadline:
		c.Client.overdue()
	}
}

// newRequest takes a request from the free ones or makes one.
func (c *Cluster) newRequest() *Request {
	if n := len(c.spare); n > 0 {
		r := c.requests[c.spare[n-1]]
		c.spare = c.spare[:n-1]
		return r
	}
	r := &Request{slot: uint32(len(c.requests))}
	c.requests = append(c.requests, r)
	return r
}

// drop gives up one hold on a request; when the last is gone and the request has ended, it is used again.
func (r *Request) drop() {
	r.refs--
	if r.refs == 0 && r.Outcome != Open {
		r.cluster.spare = append(r.cluster.spare, r.slot)
	}
}

func (c *Cluster) failHandshake() bool {
	if c.FailHandshakes == 0 {
		return false
	}
	c.FailHandshakes--
	return true
}
