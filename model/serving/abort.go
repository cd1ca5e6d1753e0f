package serving

import "pdsim/sim"

// deadline is when the client gives up on a request.
type deadline struct {
	at sim.Time
	id int64
	r  *Request
}

// expect arms the client's timeout for a request. All requests have the same one, so deadlines come in order and one
// timer serves them.
func (cl *Client) expect(r *Request) {
	r.refs++
	cl.deadlines = append(cl.deadlines, deadline{cl.c.Sim.Now().Add(cl.Timeout), r.ID, r})
	if len(cl.deadlines)-cl.firstDeadline == 1 {
		cl.armDeadline()
	}
}

func (cl *Client) armDeadline() {
	cl.c.Sim.At(cl.deadlines[cl.firstDeadline].at, sim.Timeout, sim.Call{To: cl.c.id, Op: opDeadline})
}

// overdue gives up on the request whose deadline it is and skips those that have ended.
func (cl *Client) overdue() {
	now := cl.c.Sim.Now()
	for cl.firstDeadline < len(cl.deadlines) {
		d := cl.deadlines[cl.firstDeadline]
		if d.r.Outcome == Open && d.at > now {
			cl.armDeadline()
			break
		}
		cl.firstDeadline++
		cl.c.abandon(d.r, Aborted, "the client gave up")
		d.r.drop()
	}
	if cl.firstDeadline > 1024 && 2*cl.firstDeadline > len(cl.deadlines) {
		cl.deadlines = append(cl.deadlines[:0], cl.deadlines[cl.firstDeadline:]...)
		cl.firstDeadline = 0
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
