package sim

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestPoolServesInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const size = 5
		s := New(1, nil)
		p := s.NewPool(size)
		var asked, served []uint32
		var wants []int
		held := 0
		id := s.Register(act(func(_ Op, who uint32) {
			served = append(served, who)
			held += wants[who]
			if held > size {
				t.Fatalf("%d of %d units lent", held, size)
			}
		}))
		for range rapid.IntRange(1, 50).Draw(t, "steps") {
			if n := rapid.IntRange(0, size).Draw(t, "units"); rapid.Bool().Draw(t, "acquire") {
				asked = append(asked, uint32(len(wants)))
				wants = append(wants, n)
				p.Acquire(n, Call{To: id, Arg: asked[len(asked)-1]})
			} else if n <= held {
				held -= n
				p.Release(n)
			}
			if err := s.Run(s.Now()); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(served, asked[:len(served)]) || p.Waiting() != len(asked)-len(served) || p.Free() != size-held {
				t.Fatalf("served %v, %d waiting, %d free with %d lent", served, p.Waiting(), p.Free(), held)
			}
			if p.Waiting() > 0 && wants[len(served)] <= p.Free() {
				t.Fatalf("taker %d waits for %d units and %d are free", len(served), wants[len(served)], p.Free())
			}
		}
	})
}

func TestPoolCauseIsTheRelease(t *testing.T) {
	s := New(1, &Log{})
	p := s.NewPool(1)
	var got SpanID
	s.At(0, Arrival, call(s, func() {
		p.Acquire(1, Call{})
		p.Acquire(1, call(s, func() { got = s.Cause() }))
		s.Record(Span{Kind: "what freed it"})
		p.Release(1)
	}))
	run(t, s)
	if got != 1 {
		t.Errorf("cause %d, want that of the release", got)
	}
}

func TestGate(t *testing.T) {
	s := New(1, &Log{})
	var g Gate
	opened, cause := 0, SpanID(0)
	open := call(s, func() { opened++; cause = s.Cause() })
	g.Arrive(s) // passes
	g.Close(0, open)
	if !g.Open() || opened != 0 {
		t.Error("a gate that waits for nobody is open and calls nobody")
	}
	arrive := call(s, func() {
		s.Record(Span{Kind: "arrival"})
		g.Arrive(s)
	})
	g.Close(3, open)
	for i := range 4 {
		if g.Open() != (i == 3) {
			t.Errorf("open %v after %d arrivals", g.Open(), i)
		}
		if err := s.Run(s.Now() + 1); err != nil {
			t.Fatal(err)
		}
		s.After(1, Completion, arrive)
		run(t, s)
	}
	if opened != 1 || cause != 3 {
		t.Errorf("opened %d times with cause %d, want once with the third arrival's", opened, cause)
	}
}
