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
	if e.dead {
		return
	}
	if r.Outcome == Open {
		r.leg(e).meets(e.c.Sim)
	}
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
// ask while it is under way wait for it and share its fate. If it fails, the request turns up in Broken.
func (e *Engine) Handshake(other *Engine, r *Request, next Next) {
	e.meet(other, e.Agent.Handshake(e.ranks(other), other.Geometry, other.Pool.Blocks()), r, next)
}

// Greet makes e able to send notifications to the other engine, without addressing its memory.
func (e *Engine) Greet(other *Engine, r *Request, next Next) {
	e.meet(other, e.Agent.Handshake(e.ranks(other), kv.Geometry{}, 0), r, next)
}

// meeting is a handshake under way.
type meeting struct {
	fails   bool
	waiting int // requests that wait for it
}

func (e *Engine) meet(other *Engine, d sim.Duration, r *Request, next Next) {
	m := e.meeting[other]
	switch {
	case m.waiting > 0:
		d = 0
	case other.dead || e.c.failHandshake():
		m.fails, d = true, e.Costs.HandshakeTimeout
	}
	m.waiting++
	e.meeting[other] = m
	r.On(e.handshaker, "handshake", d, func(r *Request) {
		m := e.meeting[other]
		if m.waiting--; m.waiting == 0 {
			delete(e.meeting, other)
		} else {
			e.meeting[other] = m
		}
		switch {
		case e.dead:
		case m.fails:
			r.refs++
			e.broken = append(e.broken, r)
		default:
			e.Agent.Meet(other.Agent)
			next(r)
		}
	})
}

// ranks is the number of the other engine's ranks that one of e's talks to.
func (e *Engine) ranks(other *Engine) int { return max(1, other.TP/e.TP) }

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
				r.Moved = movedBy(r.Transfer, now)
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
			e.trouble(FailedTransfer)
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
	l.waits(waitPoll, e.polling.polled)
	l.point("seen by poll", e.Main.Track())
	s.SetCause(l.last.span)
}

// Notify sends a notification about r to another engine.
func (e *Engine) Notify(other *Engine, kind uint8, r *Request) {
	r.refs++
	e.c.Net.Notify(e.Agent, other.Agent, nixl.Note{Kind: kind, Name: noteNames[kind], Ref: r.slot, Owner: r.ID})
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
				e.c.Sim.SetCause(r.leg(e).hears(n, cause))
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
	n.Request.D.meets(e.c.Sim)
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

// Register notes, for a sender, that it knows now where r's KV is to go.
func (r *Request) Register() { r.Registered, r.known = true, r.cluster.Sim.Now() }

// RegisteredAt is when the sender learned where r's KV is to go; 0 until then.
func (r *Request) RegisteredAt() sim.Time { return r.known }
