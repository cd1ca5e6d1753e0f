package nixl

import (
	"math"
	"math/bits"

	"pdsim/sim"
)

// part is what rail i carries: an equal share of each striped descriptor, and the small descriptors that the round
// gives it. READs and single WRITEs go round descriptor by descriptor, batched WRITEs batch by batch.
func (x *Transfer) part(i int) part {
	rails := len(x.Poster.Tx)
	e := &x.Extent
	small, large := x.Handles*(e.Descriptors-e.Large), int64(x.Handles)*e.LargeBytes
	batch := 1
	if x.Write {
		batch = max(1, x.Poster.Costs.WriteBatch)
	}
	k := (i - x.turn%rails + rails) % rails // how many rails come before this one in the round
	before, mine := 0, 0
	for j := 0; j <= k; j++ {
		before += mine
		mine = turns(small, batch, rails, j)
	}
	p := part{messages: int64(mine + x.Handles*e.Large)}
	if mine > 0 {
		bytes := int64(x.Handles) * (e.Bytes - e.LargeBytes)
		p.bytes = share(bytes, small, before+mine) - share(bytes, small, before)
	}
	p.bytes += large*int64(i+1)/int64(rails) - large*int64(i)/int64(rails)
	return p
}

// share is mine of n equal parts of bytes, rounded down.
func share(bytes int64, n, mine int) int64 {
	q, r := bytes/int64(n), bytes%int64(n)
	return q*int64(mine) + r*int64(mine)/int64(n)
}

// turns is how many of n things the k-th of a number of takers gets when they take batches in turn.
func turns(n, batch, takers, k int) int {
	round := batch * takers
	left := n%round - k*batch
	return n/round*batch + max(0, min(batch, left))
}

// feed starts the transfer's bytes on every rail, no faster than they are posted over the given time.
func (n *Net) feed(x *Transfer, over sim.Duration) {
	now := n.Sim.Now()
	contact, warm := x.Poster.warm[x.Other]
	if !warm {
		contact = now.Add(x.Poster.Costs.FirstContact)
		x.Poster.warm[x.Other] = contact
	}
	x.extra = max(0, contact.Sub(now)) // others that are posted meanwhile wait for it too
	depth := int64(x.Poster.Costs.QueueDepth)
	x.rest = x.rest[:0]
	used, full := 0, 0
	for i := range x.Poster.Tx {
		p := x.part(i)
		x.rest = append(x.rest, p)
		if p.messages > 0 {
			used++
		}
		if depth > 0 && p.messages > depth {
			full++
		}
	}
	x.ends.Close(used+1, sim.Call{})
	x.room.Close(full, sim.Call{})
	for i, p := range x.rest {
		if p.messages > 0 {
			n.start(x, i, p, over, depth)
		}
	}
}

// start sends one rail's part. Of a part that overfills the rail's queue, what comes before the last queueful goes
// first, so that its end is the moment from which the poster no longer waits for room.
func (n *Net) start(x *Transfer, i int, p part, over sim.Duration, depth int64) {
	f := x.flow(i, pace(p.bytes, over))
	if depth == 0 || p.messages <= depth {
		f.Bytes, f.Messages, f.Latency, f.Then = p.bytes, x.spent(p.messages), x.latency(), n.call(opRail, x)
		n.Fabric.Send(f)
		return
	}
	ahead := p.messages - depth
	f.Bytes = share(p.bytes, int(p.messages), int(ahead))
	f.Messages, f.Then = x.spent(ahead), n.call(opFirst+sim.Op(i), x)
	x.rest[i] = part{p.bytes - f.Bytes, depth}
	n.Fabric.Send(f)
}

// pace is the rate, in bytes a second and rounded up, at which bytes are sent within a time; 0 is no limit.
func pace(bytes int64, over sim.Duration) int64 {
	if over <= 0 {
		return 0
	}
	hi, lo := bits.Mul64(uint64(bytes), uint64(sim.Second))
	if hi >= uint64(over) {
		return 0
	}
	q, r := bits.Div64(hi, lo, uint64(over))
	if r > 0 {
		q++
	}
	return int64(min(q, math.MaxInt64))
}

// follow sends the last queueful of a rail whose queue has emptied that far.
func (n *Net) follow(x *Transfer, i int) {
	f := x.flow(i, 0)
	f.Bytes, f.Messages, f.Latency, f.Then = x.rest[i].bytes, x.spent(x.rest[i].messages), x.latency(), n.call(opRail, x)
	n.Fabric.Send(f)
	x.room.Arrive(n.Sim)
	if x.room.Open() {
		x.thread.Close()
	}
}

// flow is the wire's side of a transfer on rail i of the poster; the other side's rails are matched by number.
func (x *Transfer) flow(i int, limit int64) sim.Flow {
	f := sim.Flow{Kind: "wire", Owner: x.Owner, Limit: limit}
	if x.Write {
		f.From, f.To, f.Ceiling = x.Poster.Tx[i], x.Other.Rx[i%len(x.Other.Rx)], x.Poster.Costs.WriteCeiling
	} else {
		f.From, f.To, f.Ceiling = x.Other.Tx[i%len(x.Other.Tx)], x.Poster.Rx[i], x.Poster.Costs.ReadCeiling
	}
	f.Ceiling = int64(float64(f.Ceiling) * x.speed())
	return f
}

// speed is the part of a rail's speed that the transfer gets: all, or beside forwards what these leave.
func (x *Transfer) speed() float64 {
	if b := x.Poster.Costs.BesideForward; x.Slow && b > 0 {
		return b
	}
	return 1
}

// spent is the number of messages that take the rail as long as the given ones take at the transfer's speed.
func (x *Transfer) spent(messages int64) int64 {
	return int64(math.Ceil(float64(messages) / x.speed()))
}
