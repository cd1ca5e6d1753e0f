package sim

// Timer calls its owner at a time that can be moved. However often it is moved, few events are pending for it.
type Timer struct {
	sim     *Sim
	id      HandlerID
	class   Class
	then    Call
	wanted  Time // Never when stopped
	planted Time // earliest pending event; Never when none
}

// NewTimer returns a stopped timer.
func (s *Sim) NewTimer(class Class, then Call) *Timer {
	t := &Timer{sim: s, class: class, then: then, wanted: Never, planted: Never}
	t.id = s.Register(t)
	return t
}

// Set makes the timer fire at time at, and at no other. Never stops it.
func (t *Timer) Set(at Time) {
	t.wanted = at
	if at < t.planted {
		t.planted = at
		t.sim.At(at, t.class, Call{To: t.id})
	}
}

// Handle fires the timer, or plants it again if it was moved to a later time.
func (t *Timer) Handle(Op, uint32) {
	now := t.sim.now
	if now >= t.planted {
		t.planted = Never
	}
	switch {
	case t.wanted <= now:
		t.wanted = Never
		t.sim.Do(t.then)
	case t.planted == Never:
		t.Set(t.wanted)
	}
}
