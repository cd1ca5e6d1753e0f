package serving

import "pdsim/sim"

// deadline is when the client gives up on a request. The request may have ended and its place be taken by another one:
// its ID tells.
type deadline struct {
	at   sim.Time
	id   int64
	slot uint32
}

// open is the request, or nil if it has ended.
func (cl *Client) open(d *deadline) *Request {
	if r := cl.c.requests[d.slot]; r.ID == d.id && r.Outcome == Open {
		return r
	}
	return nil
}

// expect arms the client's timeout for a request. All requests have the same one, so deadlines come in order and one
// timer serves them. Those of requests that have ended go as soon as they are first in line.
func (cl *Client) expect(r *Request) {
	for len(cl.deadlines) > cl.firstDeadline && cl.open(&cl.deadlines[cl.firstDeadline]) == nil {
		cl.firstDeadline++
	}
	if cl.firstDeadline > 64 && 2*cl.firstDeadline > len(cl.deadlines) {
		cl.deadlines = append(cl.deadlines[:0], cl.deadlines[cl.firstDeadline:]...)
		cl.firstDeadline = 0
	}
	cl.deadlines = append(cl.deadlines, deadline{cl.c.Sim.Now().Add(cl.Timeout), r.ID, r.slot})
	cl.timer.Set(cl.deadlines[cl.firstDeadline].at)
}

// overdue gives up on the requests whose deadline it is.
func (cl *Client) overdue() {
	now := cl.c.Sim.Now()
	for ; cl.firstDeadline < len(cl.deadlines); cl.firstDeadline++ {
		d := &cl.deadlines[cl.firstDeadline]
		if d.at > now {
			cl.timer.Set(d.at)
			return
		}
		if r := cl.open(d); r != nil {
			cl.c.abandon(r, Aborted, "the client gave up")
		}
	}
}

// abort takes a leg out of its engine. A load's blocks stay until the worker reports it, since bytes may still come.
func (e *Engine) abort(l *Leg) {
	e.account()
	switch l.State {
	case Waiting:
		e.waiting.remove(l)
		e.drop(l)
	case Loading:
		if l.ready {
			e.unload(l)
		}
	case Running:
		for i, x := range e.running {
			if x == l {
				e.running = append(e.running[:i], e.running[i+1:]...)
				break
			}
		}
		e.release(l)
		e.drop(l)
	}
}
