package sim

import "math/bits"

// LinkID numbers the links of a fabric.
type LinkID int32

// Flow is a transfer of bytes from one link to another, the sender's and the receiver's end of the wire.
type Flow struct {
	Kind     string
	Owner    int64
	From, To LinkID // both the same for a medium that is shared as a whole
	Bytes    int64
	Messages int64 // pieces that the bytes are sent in; each costs its link at least PerMessage
	// Ceiling is the highest rate, in bytes a second, that flows of this kind get out of one link, below the link's
	// own rate where the way of sending is less efficient. 0: the link's rate.
	Ceiling int64
	// Limit is the highest rate, in bytes a second, at which this one flow's sender feeds it. 0: none.
	Limit   int64
	Latency Duration // from the last byte's leaving to its being there
	Then    Call     // called when the last byte is there
}

// flow is a transfer in progress. It takes its share of a link in charged bytes: the bytes that the link could have
// carried at its own rate meanwhile. Progress is exact: what a rate of bytes a second gives in nanoseconds is kept in
// whole bytes and a remainder of billionths.
type flow struct {
	Flow
	left    int64 // charged bytes to go
	carry   uint64
	limit   int64 // charged bytes a second
	rate    int64 // charged bytes a second
	settled Time  // when left was last brought up to date
	finish  Time
	ready   Time
	cause   SpanID
	active  bool
	fixed   bool // its rate is settled in the present round of sharing
}

type link struct {
	rate       int64
	perMessage Duration
	track      TrackID
	flows      []int32
	marked     bool
	left       int64 // rate not yet given away in the present round of sharing
	open       int   // flows without a rate in the present round of sharing
	moved      int64 // bytes of finished flows
}

// Fabric is a set of links and the transfers that share them. Each transfer crosses a sender's and a receiver's link
// and goes at its max-min fair rate: no transfer could be faster without slowing one that is no faster. Only the links
// that a start or an end touches, directly or through others, are shared anew.
type Fabric struct {
	sim    *Sim
	id     HandlerID
	links  []link
	flows  []flow
	free   []int32
	active []int32
	timer  *Timer
	// scratch of the present round of sharing
	partFlows []int32
	partLinks []LinkID
}

const (
	opNextFinish Op = iota
	opDelivered
)

// NewFabric returns a fabric without links.
func (s *Sim) NewFabric() *Fabric {
	f := &Fabric{sim: s}
	f.id = s.Register(f)
	f.timer = s.NewTimer(Completion, Call{To: f.id, Op: opNextFinish})
	return f
}

// Link adds a link that carries rate bytes a second and takes at least perMessage for each message.
func (f *Fabric) Link(name string, rate int64, perMessage Duration) LinkID {
	f.links = append(f.links, link{rate: rate, perMessage: perMessage, track: f.sim.Track(name)})
	return LinkID(len(f.links) - 1)
}

// SetRate changes a link's rate from now on: a slow rail, or with 0 a dead one, on which transfers stand still.
func (f *Fabric) SetRate(id LinkID, rate int64) {
	f.links[id].rate = rate
	f.share(id, id)
}

// Moved returns the bytes that finished transfers have carried over a link.
func (f *Fabric) Moved(id LinkID) int64 { return f.links[id].moved }

// Active is the number of transfers in progress.
func (f *Fabric) Active() int { return len(f.active) }

// Send starts a transfer.
func (f *Fabric) Send(fl Flow) {
	var i int32
	if n := len(f.free); n > 0 {
		i = f.free[n-1]
		f.free = f.free[:n-1]
	} else {
		f.flows = append(f.flows, flow{})
		i = int32(len(f.flows) - 1)
	}
	now := f.sim.now
	fw := &f.flows[i]
	*fw = flow{Flow: fl, settled: now, ready: now, cause: f.sim.cause, active: true, finish: Never}
	fw.left, fw.limit = f.charge(&fl)
	f.active = append(f.active, i)
	f.links[fl.From].flows = append(f.links[fl.From].flows, i)
	if fl.To != fl.From {
		f.links[fl.To].flows = append(f.links[fl.To].flows, i)
	}
	f.share(fl.From, fl.To)
}

// charge returns what a flow takes of its slower link, in bytes that the link could carry at its own rate, and the
// flow's limit in the same measure.
func (f *Fabric) charge(fl *Flow) (bytes, limit int64) {
	slow := &f.links[fl.From]
	if to := &f.links[fl.To]; to.rate < slow.rate {
		slow = to
	}
	bytes = fl.Bytes
	if fl.Ceiling > 0 && fl.Ceiling < slow.rate {
		bytes = mulDivCeil(bytes, slow.rate, fl.Ceiling)
	}
	if slow.perMessage > 0 {
		bytes = max(bytes, mulDivCeil(fl.Messages*int64(slow.perMessage), slow.rate, int64(Second)))
	}
	if fl.Limit > 0 {
		limit = max(1, mulDivCeil(fl.Limit, bytes, max(1, fl.Bytes)))
	}
	return bytes, limit
}

// Handle ends the flows that are due, or delivers one whose latency is over.
func (f *Fabric) Handle(op Op, arg uint32) {
	if op == opDelivered {
		f.deliver(int32(arg))
		return
	}
	now := f.sim.now
	for k := 0; k < len(f.active); {
		i := f.active[k]
		if f.flows[i].finish > now {
			k++
			continue
		}
		f.active = append(f.active[:k], f.active[k+1:]...)
		f.end(i)
	}
	f.arm()
}

// end takes a finished flow off its links; what shares them gets faster.
func (f *Fabric) end(i int32) {
	fw := &f.flows[i]
	fw.active, fw.left = false, 0
	f.unlink(fw.From, i)
	f.links[fw.From].moved += fw.Bytes
	if fw.To != fw.From {
		f.unlink(fw.To, i)
		f.links[fw.To].moved += fw.Bytes
	}
	f.share(fw.From, fw.To)
	f.sim.cause = fw.cause
	if fw.Latency > 0 {
		f.sim.After(fw.Latency, Completion, Call{To: f.id, Op: opDelivered, Arg: uint32(i)})
	} else {
		f.deliver(i)
	}
}

func (f *Fabric) deliver(i int32) {
	fw := &f.flows[i]
	then := fw.Then
	if f.sim.rec != nil {
		f.sim.Record(Span{Cause: fw.cause, Track: f.links[fw.From].track, Kind: fw.Kind, Owner: fw.Owner, Ready: fw.ready, Start: fw.ready, End: f.sim.now})
	}
	f.free = append(f.free, i)
	cause := f.sim.cause
	f.sim.Do(then)
	f.sim.cause = cause
}

func (f *Fabric) unlink(id LinkID, i int32) {
	flows := f.links[id].flows
	for k, j := range flows {
		if j == i {
			f.links[id].flows = append(flows[:k], flows[k+1:]...)
			return
		}
	}
}

// settle brings a flow's remaining bytes up to now.
func (fw *flow) settle(now Time) {
	dt := uint64(now - fw.settled)
	fw.settled = now
	if dt == 0 || fw.rate == 0 {
		return
	}
	hi, lo := bits.Mul64(uint64(fw.rate), dt)
	lo, c := bits.Add64(lo, fw.carry, 0)
	done, carry := bits.Div64(hi+c, lo, uint64(Second))
	fw.left -= int64(done)
	fw.carry = carry
}

// finishAt is the first nanosecond by which a flow settled now has no bytes left at its rate.
func (fw *flow) finishAt(now Time) Time {
	if fw.rate == 0 {
		return Never
	}
	if fw.left <= 0 {
		return now
	}
	hi, lo := bits.Mul64(uint64(fw.left), uint64(Second))
	lo, b := bits.Sub64(lo, fw.carry, 0)
	hi -= b
	lo, c := bits.Add64(lo, uint64(fw.rate-1), 0)
	hi += c
	if hi >= uint64(fw.rate) {
		return Never
	}
	q, _ := bits.Div64(hi, lo, uint64(fw.rate))
	return now.Add(Duration(min(q, 1<<62)))
}

// arm sets the timer to the earliest finish.
func (f *Fabric) arm() {
	next := Never
	for _, i := range f.active {
		next = min(next, f.flows[i].finish)
	}
	f.timer.Set(next)
}

// mulDivCeil is a*b/c rounded up, through 128 bits.
func mulDivCeil(a, b, c int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	lo, carry := bits.Add64(lo, uint64(c-1), 0)
	q, _ := bits.Div64(hi+carry, lo, uint64(c))
	return int64(q)
}
