package sim

import (
	"cmp"
	"iter"
	"slices"
)

// SpanID numbers the spans of a run from 1; 0 is no span.
type SpanID uint32

// TrackID numbers the tracks of a run: a thread, a link, a queue, a counter.
type TrackID uint32

// Span is a piece of work or a wait, with what released it.
type Span struct {
	ID     SpanID
	Cause  SpanID // the dependency that was met last; 0 for what comes from outside
	Behind SpanID // what held the track, or the slot, that the span waited for until Start, if it did and that is known
	Track  TrackID
	Kind   string
	Owner  int64 // the model's own number for whom it was done: a request
	Ready  Time  // when the last dependency was met; the span waited for its track from then to Start
	Start  Time
	End    Time
}

// Recorder keeps what happens. A span is told when its end is known, which may lie before or after the present.
type Recorder interface {
	// Span keeps a span. others are the dependencies that were met before its cause, if it had any: a span that several
	// things had to come together for. The slice is the caller's.
	Span(sp Span, others []SpanID)
	// Count keeps the value that a counter has from a time on.
	Count(counter TrackID, at Time, value int64)
}

// Recording says whether spans are kept.
func (s *Sim) Recording() bool { return s.rec != nil }

// Track names a new track.
func (s *Sim) Track(name string) TrackID {
	s.tracks = append(s.tracks, name)
	return TrackID(len(s.tracks) - 1)
}

// Tracks returns the names of all tracks, by number.
func (s *Sim) Tracks() []string { return s.tracks }

// Cause is the span that led to the present event.
func (s *Sim) Cause() SpanID { return s.cause }

// SetCause makes id the cause of whatever the present event starts from here on. A handler that goes on with work
// that another event had made ready sets it back to that work's cause.
func (s *Sim) SetCause(id SpanID) { s.cause = id }

// Record keeps a span that ends and makes it the present cause. others are what it depended on besides its cause. It
// fills in the ID and returns it; without a recorder it does nothing.
func (s *Sim) Record(sp Span, others ...SpanID) SpanID {
	if s.rec == nil {
		return 0
	}
	s.spans++
	sp.ID = s.spans
	s.rec.Span(sp, others)
	s.cause = sp.ID
	return sp.ID
}

// Count keeps the present value of a counter; without a recorder it does nothing.
func (s *Sim) Count(counter TrackID, value int64) {
	if s.rec != nil {
		s.rec.Count(counter, s.now, value)
	}
}

// Log is a Recorder that keeps all spans in memory, and no counters.
type Log struct {
	Spans []Span
	deps  []dependency // in the order of the spans
}

// dependency is one of a span's others.
type dependency struct{ of, on SpanID }

// Span keeps sp.
func (l *Log) Span(sp Span, others []SpanID) {
	if len(l.Spans) == cap(l.Spans) { // append grows long slices by a quarter, and most of the time goes into copying
		l.Spans = slices.Grow(l.Spans, max(1024, len(l.Spans)))
	}
	l.Spans = append(l.Spans, sp)
	for _, on := range others {
		l.deps = append(l.deps, dependency{sp.ID, on})
	}
}

// Count does nothing.
func (l *Log) Count(TrackID, Time, int64) {}

// At returns the span with the given number.
func (l *Log) At(id SpanID) *Span { return &l.Spans[id-1] }

// Others yields what a span depended on besides its cause.
func (l *Log) Others(id SpanID) iter.Seq[SpanID] {
	return func(yield func(SpanID) bool) {
		i, _ := slices.BinarySearchFunc(l.deps, id, func(d dependency, id SpanID) int { return cmp.Compare(d.of, id) })
		for ; i < len(l.deps) && l.deps[i].of == id; i++ {
			if !yield(l.deps[i].on) {
				return
			}
		}
	}
}

// Segment is one step of a path: the wait between the release and the start, then the work.
type Segment struct {
	Span
	Wait Duration // from the release to Start
	Work Duration // from Start to End
}

// Path returns the chain of causes that ends with span id, first cause first. Each segment's release is the end of the
// one before, so the waits and the works add up to the time from the first segment's release to the last one's end.
func (l *Log) Path(id SpanID) []Segment {
	var path []Segment
	for id != 0 {
		sp := l.At(id)
		released := sp.Ready
		if sp.Cause != 0 {
			released = l.At(sp.Cause).End
		}
		path = append(path, Segment{Span: *sp, Wait: sp.Start.Sub(released), Work: sp.End.Sub(sp.Start)})
		id = sp.Cause
	}
	slices.Reverse(path)
	return path
}
