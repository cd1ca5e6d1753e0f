package sim

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// TestThreadIsASerialServer checks starts and ends against the recursion of a single server: a piece starts when it is
// ready and the one before has ended.
func TestThreadIsASerialServer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := &Log{}
		s := New(1, log)
		th := s.NewThread("server")
		var want []Span
		var at, free Time
		var busy, waited Duration
		for i := range rapid.IntRange(1, 30).Draw(t, "pieces") {
			at += Time(rapid.IntRange(0, 10).Draw(t, "gap"))
			w := Work{Kind: "piece", Owner: int64(i), Busy: Duration(rapid.IntRange(0, 10).Draw(t, "busy"))}
			s.At(at, Arrival, call(s, func() { th.Do(w) }))
			start := max(at, free)
			free = start.Add(w.Busy)
			busy, waited = busy+w.Busy, waited+start.Sub(at)
			sp := Span{ID: SpanID(i + 1), Track: th.Track(), Kind: "piece", Owner: int64(i), Ready: at, Start: start, End: free}
			if start > at {
				sp.Behind = SpanID(i) // the piece before
			}
			want = append(want, sp)
		}
		if err := s.Run(Never); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(log.Spans, want) {
			t.Fatalf("spans\n%+v, want\n%+v", log.Spans, want)
		}
		if th.Busy() != busy || th.Waited() != waited || !th.Idle() {
			t.Fatalf("busy %v, waited %v, idle %v; want %v, %v, true", th.Busy(), th.Waited(), th.Idle(), busy, waited)
		}
	})
}

func TestOpenWork(t *testing.T) {
	for _, c := range []struct{ close, end Time }{{3, 10}, {10, 10}, {25, 25}} {
		s := New(1, nil)
		th := s.NewThread("poster")
		var began, ended, next Time
		th.Do(Work{Busy: 10, Open: true, Begin: call(s, func() { began = s.Now() }), Then: call(s, func() { ended = s.Now() })})
		th.Do(Work{Busy: 1, Then: call(s, func() { next = s.Now() })})
		s.At(c.close, Arrival, call(s, th.Close))
		run(t, s)
		if began != 0 || ended != c.end || next != c.end+1 || th.Busy() != Duration(next) {
			t.Errorf("closed at %v: began %v, ended %v, next ended %v, busy %v", c.close, began, ended, next, th.Busy())
		}
	}
}

// TestAWorkersOwnFollowUpGoesToTheEndOfTheLine: what a piece's end asks for does not overtake those who wait.
func TestAWorkersOwnFollowUpGoesToTheEndOfTheLine(t *testing.T) {
	log := &Log{}
	s := New(1, log)
	th := s.NewThread("worker")
	th.Do(Work{Kind: "first", Busy: 1, Then: call(s, func() { th.Do(Work{Kind: "follow-up", Busy: 1}) })})
	th.Do(Work{Kind: "second", Busy: 1})
	run(t, s)
	var kinds []string
	for _, sp := range log.Spans {
		kinds = append(kinds, sp.Kind)
	}
	if want := []string{"first", "second", "follow-up"}; !reflect.DeepEqual(kinds, want) {
		t.Errorf("order %v, want %v", kinds, want)
	}
	if c := log.Spans[2].Cause; c != 1 {
		t.Errorf("the follow-up's cause is %d, want the first piece", c)
	}
}

// TestCausesWithoutARecorder: what a piece of work or a transfer calls has the cause of who asked for it, also while
// nobody keeps spans, and whatever happened in between.
func TestCausesWithoutARecorder(t *testing.T) {
	s := New(1, nil)
	th := s.NewThread("worker")
	f := s.NewFabric()
	l := f.Link("link", gigabyte, 0)
	seen := map[SpanID]int{}
	for cause := SpanID(1); cause <= 3; cause++ {
		check := call(s, func() {
			seen[cause]++
			if s.Cause() != cause {
				t.Errorf("called under cause %d, want %d", s.Cause(), cause)
			}
		})
		s.At(Time(cause), Arrival, call(s, func() {
			s.SetCause(cause)
			th.Do(Work{Busy: 10, Begin: check, Then: check})
			for latency := range Duration(2) {
				f.Send(Flow{From: l, To: l, Bytes: 5000 - 1000*int64(cause), Latency: latency, Then: check})
			}
		}))
	}
	run(t, s)
	if seen[1] != 4 || seen[2] != 4 || seen[3] != 4 {
		t.Errorf("calls by cause: %v", seen)
	}
}
