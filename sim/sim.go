package sim

import (
	"errors"
	"fmt"
)

// HandlerID is the number under which an actor is registered.
type HandlerID uint16

// Op says to a handler what has happened; each handler has its own set.
type Op uint16

// Handler is an actor: it owns some state and is told what happens to it.
type Handler interface {
	// Handle is called at the time of the event. The argument is the handler's own: an index, a count.
	Handle(op Op, arg uint32)
}

// Call is a handler, an operation and an argument: what to do next. The zero Call does nothing.
type Call struct {
	To  HandlerID
	Op  Op
	Arg uint32
}

// Sim is one simulated world: its clock, its pending events and its actors. It is used from one goroutine.
type Sim struct {
	now      Time
	until    Time
	seq      uint64
	events   uint64
	skipped  uint64
	budget   uint64
	stepwise bool
	running  bool
	stopped  bool
	nested   int // calls made from within a handler: Skip would move the clock under its caller's feet
	pending  queue
	handlers []Handler
	cause    SpanID
	seed     uint64
	rec      Recorder
	spans    SpanID
	tracks   []string
}

// ErrBudget is returned by Run when the event budget is used up: a model that makes no headway in virtual time.
var ErrBudget = errors.New("event budget used up")

// New returns an empty world at time zero. All its random streams derive from the seed. rec may be nil.
func New(seed uint64, rec Recorder) *Sim {
	// Handler 0 is nobody, so that the zero Call does nothing; track 0 likewise.
	return &Sim{seed: seed, rec: rec, handlers: []Handler{nil}, tracks: []string{""}, until: Never, budget: 1 << 62}
}

// Now is the current instant.
func (s *Sim) Now() Time { return s.now }

// Events returns the number of events handled, and the number that Skip saved.
func (s *Sim) Events() (handled, skipped uint64) { return s.events, s.skipped }

// Register makes h an actor and returns its number.
func (s *Sim) Register(h Handler) HandlerID {
	if len(s.handlers) > 1<<16-1 {
		panic("sim: Register: more than 65535 handlers")
	}
	s.handlers = append(s.handlers, h)
	return HandlerID(len(s.handlers) - 1)
}

// At plants an event: c is called at time t, or now if t is past. The present cause goes with it. What is planted at
// Never does not come.
func (s *Sim) At(t Time, class Class, c Call) {
	if c.To != 0 && t != Never {
		s.pending.push(s.event(t, class, c))
	}
}

func (s *Sim) event(t Time, class Class, c Call) event {
	s.seq++
	return event{at: max(t, s.now), key: uint64(class)<<classShift | s.seq, cause: s.cause, arg: c.Arg, op: c.Op, to: c.To}
}

// After plants an event d from now, or now if d is negative.
func (s *Sim) After(d Duration, class Class, c Call) { s.At(s.now.Add(d), class, c) }

// Do calls c at once, within the present event. Whatever c makes of the cause, it is restored for the caller.
func (s *Sim) Do(c Call) {
	if c.To == 0 {
		return
	}
	cause := s.cause
	s.nested++
	s.handlers[c.To].Handle(c.Op, c.Arg)
	s.nested--
	s.cause = cause
}

// Run handles events until none is pending, until the clock would pass the given time, or until Stop. In the second
// case the clock then stands at that time; a later Run goes on from there. It returns ErrBudget, with the time it got
// to, if more events are due than SetBudget allows.
func (s *Sim) Run(until Time) error {
	if s.running {
		panic("sim: Run: called from within a handler")
	}
	s.running, s.stopped, s.until = true, false, until
	err := s.loop()
	// What happens between two runs comes from outside: it has no cause and must not move the clock.
	s.running, s.cause = false, 0
	return err
}

func (s *Sim) loop() error {
	for !s.stopped {
		next := s.pending.next()
		switch {
		case next == Never:
			return nil
		case next > s.until:
			s.now = max(s.now, s.until)
			return nil
		case s.events+s.skipped >= s.budget:
			return fmt.Errorf("%w: %d events by %v", ErrBudget, s.events+s.skipped, s.now)
		}
		e := s.pending.take()
		s.events++
		s.now, s.cause = e.at, e.cause
		s.handlers[e.to].Handle(e.op, e.arg)
	}
	return nil
}

// Stop makes Run return after the present event. A later Run goes on with what is pending.
func (s *Sim) Stop() { s.stopped = true }

// SetBudget bounds the number of events that the world may ever handle, skipped ones included.
func (s *Sim) SetBudget(events uint64) { s.budget = events }

// Skip moves the clock to t and reports true if nothing else is pending up to and including t. A handler that would
// plant an event for itself at t, as the last thing it does, may then go on at once: the history is the same. Within a
// call that another handler made by Do it reports false, as it does outside of Run and beyond the time that Run was
// given.
func (s *Sim) Skip(t Time) bool {
	t = max(t, s.now)
	switch {
	case s.nested > 0, s.stepwise, s.stopped, !s.running, t > s.until, s.events+s.skipped >= s.budget:
		return false
	case s.pending.next() <= t: // also when t is Never
		return false
	}
	s.now = t
	s.skipped++
	return true
}

// Stepwise turns Skip off, so that every event goes through the queue: the slow twin for tests.
func (s *Sim) Stepwise() { s.stepwise = true }
