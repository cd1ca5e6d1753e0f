package sim

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// act makes a function an actor.
type act func(op Op, arg uint32)

func (f act) Handle(op Op, arg uint32) { f(op, arg) }

// call registers f and returns the call that reaches it.
func call(s *Sim, f func()) Call { return Call{To: s.Register(act(func(Op, uint32) { f() }))} }

// run runs s until nothing is pending.
func run(t testing.TB, s *Sim) {
	t.Helper()
	if err := s.Run(Never); err != nil {
		t.Fatal(err)
	}
}

// wantPanic checks that f panics with a text that begins with want.
func wantPanic(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if got := fmt.Sprint(recover()); !strings.HasPrefix(got, want) {
			t.Errorf("panic %q, want one beginning with %q", got, want)
		}
	}()
	f()
}

func TestOrderOfOneInstant(t *testing.T) {
	s := New(1, nil)
	var got []uint32
	id := s.Register(act(func(_ Op, arg uint32) { got = append(got, arg) }))
	for i, class := range []Class{Timeout, Boundary, Arrival, Completion, Timeout, Boundary, Arrival, Completion} {
		s.At(5, class, Call{To: id, Arg: uint32(i)})
	}
	s.At(4, Timeout, Call{To: id, Arg: 99})
	run(t, s)
	if want := []uint32{99, 3, 7, 2, 6, 1, 5, 0, 4}; !slices.Equal(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
}

func TestThePastIsNow(t *testing.T) {
	s := New(1, nil)
	var at Time
	s.At(10, Arrival, call(s, func() {
		s.At(3, Arrival, call(s, func() { at = s.Now() }))
		s.After(-5, Arrival, Call{})
	}))
	run(t, s)
	if at != 10 {
		t.Errorf("handled at %v, want 10ns", at)
	}
}

func TestNeverDoesNotCome(t *testing.T) {
	s := New(1, nil)
	never := call(s, func() { t.Errorf("handled at %v", s.Now()) })
	s.At(Never, Arrival, never)
	s.At(1, Arrival, call(s, func() { s.After(Duration(Never), Arrival, never) }))
	run(t, s)
	if s.Now() != 1 {
		t.Errorf("the clock is at %v, want 1ns", s.Now())
	}
}

func TestRunUntil(t *testing.T) {
	s := New(1, nil)
	var got []Time
	note := call(s, func() { got = append(got, s.Now()) })
	for _, at := range []Time{10, 20, 30} {
		s.At(at, Arrival, note)
	}
	for _, step := range []struct {
		until, now Time
		handled    int
	}{{20, 20, 2}, {25, 25, 2}, {5, 25, 2}, {Never, 30, 3}} {
		if err := s.Run(step.until); err != nil {
			t.Fatal(err)
		}
		if s.Now() != step.now || len(got) != step.handled {
			t.Errorf("Run(%v): clock %v, %d events; want %v, %d", step.until, s.Now(), len(got), step.now, step.handled)
		}
	}
}

func TestStop(t *testing.T) {
	s := New(1, nil)
	n := 0
	c := call(s, func() {
		n++
		s.Stop()
		if s.Skip(s.Now() + 1) {
			t.Error("skipped after Stop")
		}
	})
	for i := range 3 {
		s.At(Time(i), Arrival, c)
	}
	for want := 1; want <= 3; want++ {
		run(t, s)
		if n != want {
			t.Fatalf("%d events handled, want %d", n, want)
		}
	}
}

func TestBudget(t *testing.T) {
	for _, stepwise := range []bool{false, true} {
		s := New(1, nil)
		if stepwise {
			s.Stepwise()
		}
		steps := 0
		var c Call
		c = call(s, func() {
			for steps++; steps < 1000; steps++ { // at each step either the clock moves or an event is planted
				if !s.Skip(s.Now() + 1) {
					s.After(1, Arrival, c)
					return
				}
			}
		})
		s.SetBudget(100)
		s.At(1, Arrival, c)
		err := s.Run(Never)
		if !errors.Is(err, ErrBudget) || err.Error() != "event budget used up: 100 events by 100ns" {
			t.Errorf("stepwise %v: %v", stepwise, err)
		}
		if steps != 100 {
			t.Errorf("stepwise %v: %d steps, want 100", stepwise, steps)
		}
		s.SetBudget(1000)
		if err := s.Run(Never); err != nil || steps != 1000 {
			t.Errorf("stepwise %v: %d steps after more budget, %v; want 1000", stepwise, steps, err)
		}
	}
}

func TestNoSkipForWhomItWouldDisturb(t *testing.T) {
	s := New(1, nil)
	if s.Skip(5) {
		t.Error("skipped outside of Run")
	}
	nested := call(s, func() {
		if s.Skip(s.Now() + 1) {
			t.Error("skipped within Do: the caller's clock has moved")
		}
	})
	s.At(10, Arrival, call(s, func() {
		s.Do(nested)
		s.At(20, Arrival, call(s, func() {}))
		for _, at := range []Time{20, 25, Never} {
			if s.Skip(at) {
				t.Errorf("skipped to %v, over or onto an event at 20ns", at)
			}
		}
		if !s.Skip(19) || s.Now() != 19 || !s.Skip(3) || s.Now() != 19 {
			t.Errorf("the clock is at %v, want 19ns", s.Now())
		}
	}))
	run(t, s)
	s.At(30, Arrival, call(s, func() {
		if s.Skip(41) || !s.Skip(40) {
			t.Error("want a skip up to the end of Run's time and no further")
		}
	}))
	if err := s.Run(40); err != nil {
		t.Fatal(err)
	}
}

func TestCallsRestoreTheCause(t *testing.T) {
	log := &Log{}
	s := New(1, log)
	meddler := call(s, func() { s.Record(Span{Kind: "other"}) })
	s.At(1, Arrival, call(s, func() {
		s.SetCause(7)
		s.Do(meddler)
		s.NewPool(1).Acquire(1, meddler)
		g := Gate{}
		g.Close(1, meddler)
		g.Arrive(s)
		s.NewThread("t").Do(Work{Begin: meddler})
		if s.Cause() != 7 {
			t.Errorf("cause %d after calls, want 7", s.Cause())
		}
	}))
	run(t, s)
	if s.Cause() != 0 {
		t.Errorf("cause %d between runs, want none", s.Cause())
	}
}

func TestMisuse(t *testing.T) {
	s := New(1, nil)
	f := s.NewFabric()
	l := f.Link("rail", 1, 0)
	p := s.NewPool(1)
	th := s.NewThread("worker")
	wantPanic(t, "sim: NewPool: -1", func() { s.NewPool(-1) })
	wantPanic(t, "sim: Pool.Acquire: -1", func() { p.Acquire(-1, Call{}) })
	wantPanic(t, "sim: Pool.Release: -1", func() { p.Release(-1) })
	wantPanic(t, "sim: Gate.Close: -1", func() { new(Gate).Close(-1, Call{}) })
	wantPanic(t, "sim: Thread.Do: weld of -1ns on worker", func() { th.Do(Work{Kind: "weld", Busy: -1}) })
	wantPanic(t, "sim: Thread.Close: no open work on worker", th.Close)
	wantPanic(t, "sim: Fabric.Link: rail has -1", func() { f.Link("rail", -1, 0) })
	wantPanic(t, "sim: Fabric.SetRate: rail to -1", func() { f.SetRate(l, -1) })
	for _, fl := range []Flow{{Bytes: -1}, {Messages: -1}, {Ceiling: -1}, {Limit: -1}, {Latency: -1}} {
		wantPanic(t, "sim: Fabric.Send: negative figure in Flow", func() { f.Send(fl) })
	}
	th.Do(Work{})
	wantPanic(t, "sim: Thread.Close", th.Close) // not open
	run(t, s)
	wantPanic(t, "sim: Thread.Close", th.Close) // ended
	s.At(0, Arrival, call(s, func() { wantPanic(t, "sim: Run: called from within", func() { _ = s.Run(1) }) }))
	run(t, s)
	wantPanic(t, "sim: Register: more than 65535", func() {
		for range 1 << 16 {
			s.Register(act(nil))
		}
	})
}

func TestTracks(t *testing.T) {
	s := New(1, nil)
	th := s.NewThread("main")
	own := s.Track("queue")
	if want := []string{"", "main", "queue"}; !reflect.DeepEqual(s.Tracks(), want) || th.Track() != 1 || own != 2 {
		t.Errorf("tracks %q, thread %d, own %d", s.Tracks(), th.Track(), own)
	}
}
