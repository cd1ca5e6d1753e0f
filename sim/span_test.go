package sim

import (
	"slices"
	"testing"
)

// A span that several things had to come together for names the last one as its cause and the others besides.
func TestOthersOfAJoin(t *testing.T) {
	log := &Log{}
	s := New(1, log)
	var gate Gate
	meal := call(s, func() { s.Record(Span{Cause: s.Cause(), Kind: "meal"}, gate.Others()...) })
	gate.Close(3, meal)
	ready := call(s, func() { gate.Arrive(s) })
	for i, d := range []Duration{20, 5, 10} {
		s.NewThread("cook").Do(Work{Kind: "cook", Owner: int64(i), Busy: d, Then: ready})
	}
	run(t, s)
	last := log.Spans[3]
	if others := slices.Collect(log.Others(last.ID)); last.Cause != 3 || !slices.Equal(others, []SpanID{1, 2}) || log.At(last.Cause).Owner != 0 {
		t.Errorf("%+v, others %v", last, others)
	}
	for _, sp := range log.Spans[:3] {
		for range log.Others(sp.ID) {
			t.Errorf("%+v has others", sp)
		}
	}
	gate.Close(1, meal)
	if len(gate.Others()) != 0 {
		t.Error("want a closed gate to have forgotten")
	}
}

// A piece that waits is behind what the thread did last; one that follows the piece before it is released by that.
func TestBehindAndFollows(t *testing.T) {
	log := &Log{}
	s := New(1, log)
	th := s.NewThread("worker")
	var behind []SpanID
	note := call(s, func() { behind = append(behind, th.Behind()) })
	th.Do(Work{Kind: "first", Busy: 10, Begin: note})
	th.Do(Work{Kind: "second", Busy: 10, Begin: note})
	th.Do(Work{Kind: "rest of the second", Busy: 10, Follows: true, Begin: note})
	run(t, s)
	want := []Span{
		{ID: 1, Track: 1, Kind: "first", End: 10},
		{ID: 2, Behind: 1, Track: 1, Kind: "second", Start: 10, End: 20},
		{ID: 3, Cause: 2, Track: 1, Kind: "rest of the second", Ready: 20, Start: 20, End: 30},
	}
	if !slices.Equal(log.Spans, want) || !slices.Equal(behind, []SpanID{0, 1, 0}) {
		t.Errorf("%+v\n%v", log.Spans, behind)
	}
}

// counts keeps counters.
type counts struct {
	Log
	values []int64
}

func (c *counts) Count(_ TrackID, _ Time, value int64) { c.values = append(c.values, value) }

// A link counts the rate that is in use, each time that it changes.
func TestRateInUseIsCounted(t *testing.T) {
	rec := &counts{}
	s := New(1, rec)
	f := s.NewFabric()
	link := f.Link("rail", 1000, 0)
	f.Send(Flow{From: link, To: link, Bytes: 1000, Limit: 400})
	s.After(Second, Arrival, call(s, func() { f.Send(Flow{From: link, To: link, Bytes: 600}) }))
	run(t, s)
	if !slices.Equal(rec.values, []int64{400, 1000, 400, 0}) {
		t.Errorf("have %v", rec.values)
	}
	if s.Tracks()[f.Track(link)] != "rail" {
		t.Error("wrong track")
	}
}
