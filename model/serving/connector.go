package serving

import (
	"iter"

	"pdsim/model/kv"
	"pdsim/model/nixl"
	"pdsim/sim"
)

// This file is what a protocol can make an engine do.

// AddLoad adds r to the connector work that goes out with the step being scheduled, or with the next one.
func (e *Engine) AddLoad(r *Request) {
	r.refs++
	e.loads = append(e.loads, r)
	if !e.scheduling {
		e.wake()
	}
}

// Hold keeps the blocks of a finished prefill until Free, or until its lease runs out.
func (e *Engine) Hold(r *Request) {
	l := &r.P
	l.State, l.expires = Held, e.c.Sim.Now().Add(e.Costs.Lease)
	e.held = append(e.held, l)
	e.leaseEnd = min(e.leaseEnd, l.expires)
	e.watch++
}

// Free reports, from a poll, that nobody needs held blocks any more; the scheduler frees them with the step's output.
func (e *Engine) Free(r *Request) {
	if r.P.State == Held && !r.P.ready {
		r.P.ready = true
		e.polling.freed = append(e.polling.freed, &r.P)
	}
}

// Loaded reports, from a poll, that all of r's KV is there.
func (e *Engine) Loaded(r *Request) { e.polling.loaded = append(e.polling.loaded, &r.D) }

// LoadFailed reports, from a poll, that r's KV will not come.
func (e *Engine) LoadFailed(r *Request) { e.polling.failed = append(e.polling.failed, &r.D) }

// KeepStepping makes the loop go on without unfinished requests, n more times wanted (negative: fewer).
func (e *Engine) KeepStepping(n int) {
	e.keep += n
	if n > 0 {
		e.wake()
	}
}

// Met says whether e can address the other engine's memory.
func (e *Engine) Met(other *Engine) bool { return e.Agent.Met(other.Agent) }

// Handshake makes e able to address the other engine's memory, on a thread for that alone, and then goes on. Those who
// ask while it is under way wait for it. If it fails, the request turns up in Broken.
func (e *Engine) Handshake(other *Engine, r *Request, next Next) {
	e.meet(other, e.Agent.Handshake(e.ranks(other), other.Geometry, other.Pool.Blocks()), r, next)
}

// Greet makes e able to send notifications to the other engine, without addressing its memory.
func (e *Engine) Greet(other *Engine, r *Request, next Next) {
	e.meet(other, e.Agent.Handshake(e.ranks(other), kv.Geometry{}, 0), r, next)
}

func (e *Engine) meet(other *Engine, d sim.Duration, r *Request, next Next) {
	fails := other.dead || e.c.failHandshake()
	switch {
	case fails:
		d = e.Costs.HandshakeTimeout
	case e.meeting[other]:
		d = 0
	}
	e.meeting[other] = !fails
	r.On(e.handshaker, "handshake", d, func(r *Request) {
		e.meeting[other] = false
		if fails {
			r.refs++
			e.broken = append(e.broken, r)
			return
		}
		e.Agent.Meet(other.Agent)
		next(r)
	})
}

// ranks is the number of the other engine's ranks that one of e's talks to.
func (e *Engine) ranks(other *Engine) int { return max(1, other.TP/e.TP) }

// Read posts, on one of e's threads, a READ of r's KV from the engine that holds it. slow says that the thread is a
// background one. next follows when the post has returned.
func (e *Engine) Read(t *sim.Thread, r *Request, slow bool, next Next) {
	e.post(t, r, slow, r.D.Blocks[r.D.Hit:], r.remoteBlocks(), r.P.Engine.Agent, false, next)
}

// Write posts, on one of e's threads, a WRITE of r's KV to the engine that registered its blocks.
func (e *Engine) Write(t *sim.Thread, r *Request, slow bool, next Next) {
	e.post(t, r, slow, r.remoteBlocks(), r.D.Blocks[r.D.Hit:], r.D.Engine.Agent, true, next)
}

// remoteBlocks are the prefill engine's blocks that the decode engine lacks, in pieces of the decode engine's size.
func (r *Request) remoteBlocks() []kv.Block {
	p, d := &r.P, &r.D
	blocks := p.Blocks
	if p.State != Held {
		blocks = p.stale
		r.Stale = true
		r.cluster.Stats.StaleReads++
	}
	return blocks[d.Hit*r.cluster.BlockRatio:]
}

func (e *Engine) post(t *sim.Thread, r *Request, slow bool, local, remote []kv.Block, other *nixl.Agent, write bool, next Next) {
	c := e.c
	x := c.Net.New()
	if c.BlockRatio > 1 { // the decode side addresses its larger blocks in pieces of the prefill side's size
		c.pieces = kv.Subdivide(c.pieces[:0], local, c.BlockRatio)
		local = c.pieces[:len(remote)]
	}
	if c.Switches.Contiguous {
		local = c.straight(len(local))
		remote = local
	}
	g := c.Pairing.Slice(e.Geometry)
	x.Extent = g.Describe(local, remote, e.Agent.Costs.StripeAt, c.Pairing.Dense)
	x.Handles, x.Write, x.Slow = c.Pairing.Handles, write, slow
	x.Poster, x.Other, x.Owner = e.Agent, other, r.ID
	x.Note = nixl.Note{Kind: KVWritten, Ref: r.slot, Owner: r.ID}
	if write && e.Agent.Costs.NotifyWithWrite {
		r.refs++
	}
	if next != nil {
		x.Posted = c.Call(r, next)
	}
	x.Done = c.Call(r, landed)
	r.Transfer = x
	e.flying = append(e.flying, r)
	r.refs++
	c.Net.Post(t, x)
}

// straight is n blocks in a row.
func (c *Cluster) straight(n int) []kv.Block {
	for len(c.row) < n {
		c.row = append(c.row, kv.Block(len(c.row)))
	}
	return c.row[:n]
}

// landed notes what made the last byte arrive, for whoever sees it.
func landed(r *Request) {
	s := r.cluster.Sim
	if r.Transfer != nil && r.Transfer.Write {
		r.P.cause = s.Cause()
	} else {
		r.D.cause = s.Cause()
	}
}

// Landed yields the requests whose transfers, posted by e, are complete. Used from a poll: this is the moment at which
// somebody sees it. What the protocol does for each was released by that.
func (e *Engine) Landed() iter.Seq[*Request] {
	return func(yield func(*Request) bool) {
		now, cause := e.c.Sim.Now(), e.c.Sim.Cause()
		kept := e.flying[:0]
		for _, r := range e.flying {
			if r.Transfer.Landed > now {
				kept = append(kept, r)
				continue
			}
			failed := r.other(e).dead
			if !failed {
				e.c.Stats.Transfer(r.Transfer, now, e.TP)
			}
			e.c.Net.Free(r.Transfer)
			r.Transfer = nil
			if failed {
				e.broken = append(e.broken, r)
				continue
			}
			e.see(r)
			yield(r)
			r.drop()
		}
		e.flying = kept
		e.c.Sim.SetCause(cause)
	}
}

// Broken yields the requests whose transfers, or the handshakes before them, have failed. Used from a poll, after Landed.
func (e *Engine) Broken() iter.Seq[*Request] {
	return func(yield func(*Request) bool) {
		for _, r := range e.broken {
			e.c.Stats.FailedTransfers++
			yield(r)
			r.drop()
		}
		e.broken = e.broken[:0]
	}
}

// see records that a poll of e's main thread has noticed something about r.
func (e *Engine) see(r *Request) {
	l, s := r.leg(e), e.c.Sim
	l.seen = s.Now()
	s.SetCause(l.cause)
	if s.Recording() {
		l.cause = s.Record(sim.Span{Cause: l.cause, Track: e.Main.Track(), Kind: "seen by poll", Owner: r.ID, Ready: l.seen, Start: l.seen, End: l.seen})
	}
}

// Notify sends a notification about r to another engine.
func (e *Engine) Notify(other *Engine, kind uint8, r *Request) {
	r.refs++
	e.c.Net.Notify(e.Agent, other.Agent, nixl.Note{Kind: kind, Ref: r.slot, Owner: r.ID})
}

// Notes yields the notifications that have arrived and that nobody has read, except heartbeats, which are dealt with on
// the way. What the protocol does for each was released by it.
func (e *Engine) Notes() iter.Seq[Note] {
	return func(yield func(Note) bool) {
		cause := e.c.Sim.Cause()
		e.raw = e.Agent.Inbox(e.raw[:0])
		for _, n := range e.raw {
			r := e.c.requests[n.Ref]
			if n.Kind == Heartbeat {
				e.extend(r)
			} else {
				e.c.Sim.SetCause(n.Cause)
				yield(Note{n, r})
			}
			r.drop()
		}
		e.c.Sim.SetCause(cause)
	}
}

// Note is a notification with the request that it is about.
type Note struct {
	nixl.Note
	Request *Request
}

// Forward hands a notification, which a background thread has read, over to e's main thread.
func (e *Engine) Forward(n Note) {
	n.Request.D.cause = n.Cause
	n.Request.refs++
	e.forwarded = append(e.forwarded, n.Request)
}

// Forwarded yields the requests whose notifications were handed over to the main thread.
func (e *Engine) Forwarded() iter.Seq[*Request] {
	return func(yield func(*Request) bool) {
		cause := e.c.Sim.Cause()
		for _, r := range e.forwarded {
			e.see(r)
			yield(r)
			r.drop()
		}
		e.forwarded = e.forwarded[:0]
		e.c.Sim.SetCause(cause)
	}
}

// Concurrent says whether the router starts both legs at once.
func (r *Request) Concurrent() bool { return r.cluster.Switches.Concurrent }

// AtWriterPoll goes on when the prefill engine's writer next looks for news by itself.
func (r *Request) AtWriterPoll(next Next) {
	e := r.P.Engine
	period := e.Costs.WriterPoll
	since := r.cluster.Sim.Now().Sub(r.P.token) // from when it had blocks that wait
	r.Delay("writer poll", period-since%period, next)
}

// noted tells the protocol that a notification has arrived at an engine.
type noted struct{ e *Engine }

// Handle passes the arrival on. The notification is the latest in the inbox.
func (n noted) Handle(sim.Op, uint32) {
	note := n.e.Agent.Latest()
	n.e.c.Protocol.Noted(n.e, Note{note, n.e.c.requests[note.Ref]})
}
