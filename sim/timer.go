package sim

// Timer calls its owner at a time that can be moved. However often it is moved, few events are pending for it.
type Timer struct {
	sim    *Sim
	id     HandlerID
	class  Class
	then   Call
	cause  SpanID // the cause that wanted was set under
	wanted Time   // Never when stopped

	// planted[:n] are the times of the pending events, the earliest last. A move to a later time leaves them: the
	// earliest one moves on when it comes. Only a move to an earlier time than any needs one more.
	planted [4]Time
	n       int
}

// NewTimer returns a stopped timer.
func (s *Sim) NewTimer(class Class, then Call) *Timer {
	t := &Timer{sim: s, class: class, then: then, wanted: Never}
	t.id = s.Register(t)
	return t
}

// Set makes the timer fire at time at, or now if at is past, and at no other. Never stops it. When it fires, the cause
// is the present one.
func (t *Timer) Set(at Time) {
	t.wanted, t.cause = max(at, t.sim.now), t.sim.cause
	t.plant()
}

// plant sees to it that an event is pending at the wanted time or before.
func (t *Timer) plant() {
	if t.wanted == Never || t.n > 0 && t.planted[t.n-1] <= t.wanted {
		return
	}
	e := t.sim.event(t.wanted, t.class, Call{To: t.id})
	if t.n == len(t.planted) {
		t.sim.pending.replace(t.planted[t.n-1], e)
		t.planted[t.n-1] = t.wanted
		return
	}
	t.sim.pending.push(e)
	t.planted[t.n] = t.wanted
	t.n++
}

// Handle fires the timer, or moves on if the timer was.
func (t *Timer) Handle(Op, uint32) {
	t.n--
	if t.wanted > t.sim.now {
		t.plant()
		return
	}
	t.wanted = Never
	t.sim.cause = t.cause
	t.sim.Do(t.then)
}
