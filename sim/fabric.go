package sim

import "fmt"

// LinkID numbers the links of a fabric.
type LinkID int32

// Fabric is a set of links and the transfers that share them. Each transfer crosses a sender's and a receiver's link
// and goes at its max-min fair rate: no transfer could be faster without slowing one that is no faster. Only the links
// that a start or an end touches, directly or through others, are shared anew.
//
// Rates are whole bytes a second and progress is exact: a transfer has carried its bytes to the last one when it ends,
// at the first nanosecond by which it can have.
type Fabric struct {
	sim    *Sim
	id     HandlerID
	links  []link
	flows  []flow
	free   []int32
	active []int32 // flows in progress, in the order of their starts
	finish []Time  // of each flow, Never unless it is in progress; apart from flows since it is scanned often
	due    []int32
	timer  *Timer
	// the present round of sharing
	round     uint64
	partFlows []int32
	partLinks []LinkID
}

type link struct {
	rate       int64
	perMessage Duration
	track      TrackID
	use        TrackID // counts the rate in use
	flows      []int32
	moved      int64 // bytes of finished flows
	used       int64 // rate given away, as last counted
	// the present round of sharing
	round uint64 // the round that met this link last
	left  int64  // rate not yet given away
	open  int64  // flows without a rate
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
	if rate < 0 || perMessage < 0 {
		panic(fmt.Sprintf("sim: Fabric.Link: %s has %d bytes a second and %v a message", name, rate, perMessage))
	}
	f.links = append(f.links, link{rate: rate, perMessage: perMessage, track: f.sim.Track(name), use: f.sim.Track(name + " bytes/s")})
	return LinkID(len(f.links) - 1)
}

// SetRate changes a link's rate from now on: a slow rail, or with 0 a dead one, on which transfers stand still. What
// transfers in progress have yet to carry takes as long as it would if they were sent at the new rate.
func (f *Fabric) SetRate(id LinkID, rate int64) {
	lk := &f.links[id]
	if rate < 0 {
		panic(fmt.Sprintf("sim: Fabric.SetRate: %s to %d bytes a second", f.sim.tracks[lk.track], rate))
	}
	lk.rate = rate
	for _, i := range lk.flows {
		f.recharge(i)
	}
	f.nextRound()
	f.share(id)
	f.arm()
}

// Track is a link's track, for the transfers that it sends. How many bytes a second it carries is counted beside it.
func (f *Fabric) Track(id LinkID) TrackID { return f.links[id].track }

// Moved returns the bytes that finished transfers have carried over a link.
func (f *Fabric) Moved(id LinkID) int64 { return f.links[id].moved }

// Active is the number of transfers in progress.
func (f *Fabric) Active() int { return len(f.active) }

// Send starts a transfer.
func (f *Fabric) Send(fl Flow) {
	fl.check()
	var i int32
	if n := len(f.free); n > 0 {
		i = f.free[n-1]
		f.free = f.free[:n-1]
	} else {
		i = int32(len(f.flows))
		f.flows, f.finish = append(f.flows, flow{}), append(f.finish, Never)
	}
	now := f.sim.now
	fw := &f.flows[i]
	*fw = flow{Flow: fl, settled: now, ready: now, cause: f.sim.cause}
	fw.charge, fw.limit = f.charge(&fw.Flow)
	fw.left = fw.charge
	f.active = append(f.active, i)
	f.links[fl.From].flows = append(f.links[fl.From].flows, i)
	if fl.To != fl.From {
		f.links[fl.To].flows = append(f.links[fl.To].flows, i)
	}
	f.nextRound()
	f.share(fl.From)
	f.arm()
}

// Handle ends the flows that are due, or delivers one whose latency is over.
func (f *Fabric) Handle(op Op, arg uint32) {
	if op == opDelivered {
		f.deliver(int32(arg))
		return
	}
	f.takeDue()
	// All that end now leave before any link is shared anew, and each link is shared anew once.
	f.nextRound()
	for _, i := range f.due {
		for _, id := range f.flows[i].ends() {
			if f.links[id].round != f.round {
				f.share(id)
			}
		}
	}
	f.arm()
	for _, i := range f.due {
		fw := &f.flows[i]
		f.sim.cause = fw.cause
		if fw.Latency > 0 {
			f.sim.After(fw.Latency, Completion, Call{To: f.id, Op: opDelivered, Arg: uint32(i)})
		} else {
			f.deliver(i)
		}
	}
}

// takeDue moves the flows that end now from the active ones to the due ones and off their links.
func (f *Fabric) takeDue() {
	now := f.sim.now
	f.due = f.due[:0]
	kept := f.active[:0]
	for _, i := range f.active {
		if f.finish[i] > now {
			kept = append(kept, i)
			continue
		}
		f.due = append(f.due, i)
		f.finish[i] = Never
		fw := &f.flows[i]
		f.leave(fw.From, i)
		if fw.To != fw.From {
			f.leave(fw.To, i)
		}
	}
	f.active = kept
}

// leave takes a finished flow off a link.
func (f *Fabric) leave(id LinkID, i int32) {
	lk := &f.links[id]
	lk.moved += f.flows[i].Bytes
	for k, j := range lk.flows {
		if j == i {
			lk.flows = append(lk.flows[:k], lk.flows[k+1:]...)
			return
		}
	}
}

// deliver tells the owner of a flow that its last byte is there.
func (f *Fabric) deliver(i int32) {
	fw := &f.flows[i]
	if f.sim.rec != nil {
		f.sim.Record(Span{Cause: fw.cause, Track: f.links[fw.From].track, Kind: fw.Kind, Owner: fw.Owner, Ready: fw.ready, Start: fw.ready, End: f.sim.now})
	}
	f.free = append(f.free, i)
	f.sim.Do(fw.Then)
}

// arm sets the timer to the earliest finish.
func (f *Fabric) arm() {
	next := Never
	for _, i := range f.active {
		next = min(next, f.finish[i])
	}
	f.timer.Set(next)
}
