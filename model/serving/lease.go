package serving

import (
	"pdsim/model/kv"
	"pdsim/sim"
)

// beat sends a heartbeat for every request that waits here for KV held elsewhere.
func (e *Engine) beat() {
	e.heartbeat = e.c.Sim.Now().Add(e.Costs.HeartbeatPeriod)
	for i := range e.waiting.len() {
		e.beatFor(e.waiting.at(i))
	}
	for _, l := range e.loading {
		e.beatFor(l)
	}
}

func (e *Engine) beatFor(l *Leg) {
	if r := l.Request; l.Remote && r.Heartbeats && r.P.State == Held {
		e.Notify(r.P.Engine, Heartbeat, r)
	}
}

// extend moves the end of a lease.
func (e *Engine) extend(r *Request) {
	if r.P.State == Held && r.P.Engine == e {
		r.P.expires = max(r.P.expires, e.c.Sim.Now().Add(e.Costs.LeaseExtension))
	}
}

// expire frees, with the step's output, the blocks whose lease is over. It looks at all of them: a lease that was
// extended does not shield those behind it.
func (e *Engine) expire(now sim.Time) {
	if now < e.leaseEnd {
		return
	}
	e.leaseEnd = sim.Never
	for _, l := range e.held {
		switch {
		case l.ready:
		case l.Request.Sending: // bytes are on their way out of these blocks: they stay until that is over
			e.leaseEnd = min(e.leaseEnd, now.Add(e.Costs.Lease))
		case l.expires <= now:
			e.remark(l, "lease ends")
			l.stale = append([]kv.Block(nil), l.Blocks...)
			e.trouble(ExpiredLease)
			e.c.Protocol.Expired(l.Request)
			e.Free(l.Request)
		default:
			e.leaseEnd = min(e.leaseEnd, l.expires)
		}
	}
}

// unhold frees blocks that were held for another engine.
func (e *Engine) unhold(l *Leg) {
	for i, x := range e.held {
		if x == l {
			e.held = append(e.held[:i], e.held[i+1:]...)
			break
		}
	}
	e.watch--
	e.remark(l, "free")
	e.release(l)
	e.drop(l)
}
