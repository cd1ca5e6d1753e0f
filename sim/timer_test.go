package sim

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestTimerFiresWhenLastWanted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := New(1, nil)
		var fired, due []Time
		var timer *Timer
		timer = s.NewTimer(Timeout, call(s, func() {
			fired = append(fired, s.Now())
			if rapid.Bool().Draw(t, "again") { // from within its own call
				timer.Set(s.Now() + 1)
				timer.Set(s.Now().Add(Duration(rapid.IntRange(1, 50).Draw(t, "later"))))
				due = append(due, timer.wanted)
			}
		}))
		wanted := Never
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			for range rapid.IntRange(1, 8).Draw(t, "moves") {
				wanted = s.Now().Add(Duration(rapid.IntRange(-5, 100).Draw(t, "in")))
				if rapid.IntRange(0, 5).Draw(t, "stop") == 0 {
					wanted = Never
				}
				timer.Set(wanted)
			}
			if n := s.pending.size(); n > len(timer.planted) {
				t.Fatalf("%d events pending for one timer", n)
			}
			now := s.Now()
			due, fired = due[:0], fired[:0]
			until := now.Add(Duration(rapid.IntRange(0, 30).Draw(t, "run")))
			if wanted <= until {
				due = append(due, max(wanted, now))
			}
			if err := s.Run(until); err != nil {
				t.Fatal(err)
			}
			// What the timer set itself to may lie behind the run's end, or have been moved since.
			due = slices.DeleteFunc(due, func(at Time) bool { return at > until })
			if !slices.Equal(fired, due) {
				t.Fatalf("fired at %v, want %v", fired, due)
			}
			s.now = until // an idle world's clock stands still
		}
	})
}

func TestTimerMovedEarlierAgainAndAgain(t *testing.T) {
	s := New(1, nil)
	n := 0
	timer := s.NewTimer(Timeout, call(s, func() { n++ }))
	for at := Time(1000); at > 0; at-- {
		timer.Set(at)
	}
	if s.pending.size() != len(timer.planted) {
		t.Errorf("%d events pending, want %d", s.pending.size(), len(timer.planted))
	}
	run(t, s)
	if n != 1 || s.Now() != 1000 {
		t.Errorf("fired %d times, the last event at %v", n, s.Now())
	}
}

// TestTimerBesideALongWait is a far time that is given up for a near one again and again.
func TestTimerBesideALongWait(t *testing.T) {
	s := New(1, nil)
	n := 0
	var timer *Timer
	timer = s.NewTimer(Timeout, call(s, func() {
		if n++; n < 1000 {
			timer.Set(s.Now() + 1e9)
			timer.Set(s.Now() + 1)
		}
		if s.pending.size() > len(timer.planted) {
			t.Fatalf("%d events pending", s.pending.size())
		}
	}))
	timer.Set(1)
	run(t, s)
	if n != 1000 {
		t.Errorf("fired %d times, want 1000", n)
	}
}

func TestTimerCauseIsThatOfTheLastSet(t *testing.T) {
	s := New(1, &Log{})
	var got SpanID
	timer := s.NewTimer(Timeout, call(s, func() { got = s.Cause() }))
	set := func(in Duration) Call {
		return call(s, func() { timer.Set(s.Now().Add(in)); s.Record(Span{Kind: "after"}) })
	}
	s.At(0, Arrival, call(s, func() {
		s.Record(Span{Kind: "first"})
		s.Do(set(10))
		s.Record(Span{Kind: "second"})
		s.At(5, Arrival, set(15))
	}))
	run(t, s)
	if got != 3 {
		t.Errorf("cause %d, want the third span's", got)
	}
}
