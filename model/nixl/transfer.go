package nixl

import (
	"slices"

	"pdsim/model/kv"
	"pdsim/sim"
)

// Transfer is one request's KV on its way, as one rank posts it.
type Transfer struct {
	Write   bool      // the poster writes into the other side's memory; otherwise it reads
	Poster  *Agent    // who posts, pays and polls
	Other   *Agent    // the passive side
	Extent  kv.Extent // descriptors and bytes to or from one remote rank
	Handles int       // remote ranks that the poster's rank has to serve
	Owner   int64     // the request, for spans
	Note    Note      // sent with the data if the backend does so for a WRITE
	Slow    bool      // posted from a background thread

	Posted sim.Call // the post has returned
	Done   sim.Call // the last byte is there, though nobody has seen it yet

	PostStart sim.Time
	PostEnd   sim.Time
	Landed    sim.Time // sim.Never until then

	index  uint32
	posted sim.Time    // the last work request was posted
	last   sim.SpanID  // the last work request's way over the wire
	lastAt sim.Time    // and its end
	turn   int         // rail at which its round begins
	thread *sim.Thread // on which work requests are posted
	ends   sim.Gate    // all rails and the last work request
	room   sim.Gate    // all rails have room for the rest
	rest   []part      // by rail: what is sent when there is room
	extra  sim.Duration
}

// part is what one rail carries of a transfer.
type part struct {
	bytes, messages int64
}

// New returns an idle transfer. Free gives it back.
func (n *Net) New() *Transfer {
	i := takeIndex(&n.idle, len(n.transfers))
	if int(i) == len(n.transfers) {
		n.transfers = append(n.transfers, &Transfer{})
	}
	x := n.transfers[i]
	*x = Transfer{index: i, Landed: sim.Never, Handles: 1, rest: x.rest[:0]}
	return x
}

// Free makes a landed transfer available again.
func (n *Net) Free(x *Transfer) { n.idle = append(n.idle, x.index) }

// WorkRequests is the number of work requests that the poster's rank posts, over all handles.
func (x *Transfer) WorkRequests() int { return x.Handles * x.perHandle() }

// perHandle is the number of work requests to or from one remote rank: one a descriptor, and one a rail for those that
// are large enough to be striped.
func (x *Transfer) perHandle() int {
	return x.Extent.Descriptors + x.Extent.Large*(len(x.Poster.Tx)-1)
}

// PrepareTime is the poster's time before the post. Each remote rank has a request of its own.
func (x *Transfer) PrepareTime() sim.Duration {
	c := &x.Poster.Costs
	return x.slowed(sim.Duration(x.Handles)*c.PrepareFixed + c.PreparePerIndex.Times(x.Handles*x.Extent.Raw))
}

// PostTime is the poster's time in the post if no rail makes it wait. Each remote rank is a post of its own, one after
// the other.
func (x *Transfer) PostTime() sim.Duration {
	c := &x.Poster.Costs
	fixed, each := sim.Duration(x.Handles)*c.PostFixed, x.perHandle()
	switch {
	case c.RingPush > 0:
		return x.slowed(fixed + c.RingPush.Times(x.Handles*each))
	case c.Pool > 0 && each >= c.SplitAt:
		chunk := max((each+c.Pool-1)/c.Pool, c.SplitAt)
		return x.slowed(fixed + c.PoolPost.Times(x.Handles*chunk))
	case x.Write:
		return x.slowed(fixed + c.PostWrite.Times(x.Handles*each))
	default:
		return x.slowed(fixed + c.PostRead.Times(x.Handles*each))
	}
}

func (x *Transfer) slowed(d sim.Duration) sim.Duration {
	if f := x.Poster.Costs.Background; x.Slow && f > 1 {
		return sim.Duration(float64(d) * f)
	}
	return d
}

// Post puts the preparation and the post of x in line on a thread. The library's clock starts when the post does.
func (n *Net) Post(th *sim.Thread, x *Transfer) {
	x.thread, x.turn = th, x.Poster.turn
	x.Poster.turn++
	if x.Poster.Costs.RingPush > 0 {
		x.thread = x.Poster.Progress
	}
	th.Do(sim.Work{Kind: "prepare", Owner: x.Owner, Busy: x.PrepareTime()})
	th.Do(sim.Work{
		Kind: "post", Owner: x.Owner, Busy: x.PostTime(), Open: x.thread == th && x.blocks(), Follows: true,
		Begin: n.call(opBegin, x), Then: n.call(opPosted, x),
	})
}

// blocks says whether some rail cannot take all its work requests at once, so that the poster waits for the wire.
func (x *Transfer) blocks() bool {
	depth := int64(x.Poster.Costs.QueueDepth)
	for i := range x.Poster.Tx {
		if depth > 0 && x.part(i).messages > depth {
			return true
		}
	}
	return false
}

func (n *Net) call(op sim.Op, x *Transfer) sim.Call {
	return sim.Call{To: n.id, Op: op, Arg: x.index}
}

// Handle moves a transfer or a notification on.
func (n *Net) Handle(op sim.Op, arg uint32) {
	if op == opNote {
		n.arrive(arg)
		return
	}
	x := n.transfers[arg]
	switch op {
	case opBegin:
		x.PostStart = n.Sim.Now()
		n.fly(x, 1)
		n.begin(x)
	case opPosted:
		x.PostEnd = n.Sim.Now()
		if x.Poster.Costs.RingPush == 0 {
			n.tail(x)
		}
		n.Sim.Do(x.Posted)
	case opFeed:
		if n.Sim.Now() > x.PostStart {
			n.wait(x)
		}
		n.feed(x, x.serviceTime())
	case opFed:
		n.tail(x)
	case opTail:
		n.record(x, "last work request", x.posted)
		x.last, x.lastAt = n.Sim.Cause(), n.Sim.Now()
		n.arrived(x)
	case opRail:
		n.arrived(x)
	default:
		n.follow(x, int(op-opFirst))
	}
}

// begin starts the feeding of the rails: at once by the poster, or when the progress thread gets to it.
func (n *Net) begin(x *Transfer) {
	if x.Poster.Costs.RingPush == 0 {
		n.feed(x, x.PostTime())
		return
	}
	x.thread.Do(sim.Work{
		Kind: "post work requests", Owner: x.Owner, Busy: x.serviceTime(), Open: x.blocks(),
		Begin: n.call(opFeed, x), Then: n.call(opFed, x),
	})
}

// serviceTime is the progress thread's time for a transfer.
func (x *Transfer) serviceTime() sim.Duration {
	return x.Poster.Costs.RingService.Times(x.WorkRequests())
}

// tail is what remains when the last work request is posted: its own way over the wire.
func (n *Net) tail(x *Transfer) {
	x.posted = n.Sim.Now()
	n.Sim.After(x.latency(), sim.Completion, n.call(opTail, x))
}

func (x *Transfer) latency() sim.Duration {
	if x.Write {
		return x.Poster.Costs.WriteLatency + x.extra
	}
	return x.Poster.Costs.ReadLatency + x.extra
}

// arrived counts a rail, or the last work request, that is through.
func (n *Net) arrived(x *Transfer) {
	x.ends.Arrive(n.Sim)
	if x.ends.Open() {
		n.land(x)
	}
}

// record keeps a span of a transfer's time on the wire that ends now.
func (n *Net) record(x *Transfer, kind string, since sim.Time, others ...sim.SpanID) {
	if n.Sim.Recording() {
		rail := n.Fabric.Track(x.flow(0, 0).From)
		n.Sim.Record(sim.Span{Cause: n.Sim.Cause(), Track: rail, Kind: kind, Owner: x.Owner, Ready: since, Start: since, End: n.Sim.Now()}, others...)
	}
}

// join keeps what a transfer's end depended on. Rails that are fed as fast as work requests are posted are through with
// the last one of them, at the same instant: then it was that one that they waited for.
func (n *Net) join(x *Transfer) {
	if !n.Sim.Recording() {
		return
	}
	cause := n.Sim.Cause()
	others := slices.Clone(x.ends.Others())
	if i := slices.Index(others, x.last); i >= 0 && x.lastAt == x.Landed {
		others[i] = cause
		n.Sim.SetCause(x.last)
	}
	n.record(x, "landed", x.Landed, others...)
}

// wait keeps a span of the time that a transfer was in the ring before the progress thread got to it.
func (n *Net) wait(x *Transfer) {
	t := x.Poster.Progress
	n.Sim.Record(sim.Span{Cause: n.Sim.Cause(), Behind: t.Behind(), Track: t.Track(), Kind: "wait in the ring", Owner: x.Owner,
		Ready: x.PostStart, Start: x.PostStart, End: n.Sim.Now()})
}

// fly counts the transfer's work requests in flight.
func (n *Net) fly(x *Transfer, sign int64) {
	if n.Sim.Recording() {
		a := x.Poster
		a.inFlight += sign * int64(x.WorkRequests())
		n.Sim.Count(a.flying, a.inFlight)
	}
}

// land ends a transfer: its bytes are there.
func (n *Net) land(x *Transfer) {
	x.Landed = n.Sim.Now()
	n.join(x)
	n.fly(x, -1)
	if x.Write && x.Poster.Costs.NotifyWithWrite {
		// The notification was sent right behind the last work request and counts the writes that have to be there.
		n.send(x.Poster, x.Other, x.Note, max(x.Landed, x.posted.Add(x.Poster.Costs.Message)))
	}
	n.Sim.Do(x.Done)
}
