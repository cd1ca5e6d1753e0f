package sim

// SpanID numbers the spans of a run from 1; 0 is no span.
type SpanID uint32

// TrackID numbers the tracks of a run: a thread, a link, a queue.
type TrackID uint32

// Span is a piece of work or a wait, with what released it.
type Span struct {
	ID    SpanID
	Cause SpanID // the dependency that was met last; 0 for what comes from outside
	Track TrackID
	Kind  string
	Owner int64 // the model's own number for whom it was done: a request
	Ready Time  // when the last dependency was met; the span waited for its track from then to Start
	Start Time
	End   Time
}

// Recorder keeps spans. It is called when a span ends, so spans come in the order of their ends.
type Recorder interface {
	Span(Span)
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

// Record keeps a span that ends and makes it the present cause. It fills in the ID and returns it; without a recorder
// it does nothing.
func (s *Sim) Record(sp Span) SpanID {
	if s.rec == nil {
		return 0
	}
	s.spans++
	sp.ID = s.spans
	s.rec.Span(sp)
	s.cause = sp.ID
	return sp.ID
}

// Log is a Recorder that keeps all spans in memory.
type Log struct {
	Spans []Span
}

// Span keeps sp.
func (l *Log) Span(sp Span) { l.Spans = append(l.Spans, sp) }

// At returns the span with the given number.
func (l *Log) At(id SpanID) *Span { return &l.Spans[id-1] }

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
	for i, j := 0, len(path)-1; i < j; i, j = i+1, j-1 {
		path[i], path[j] = path[j], path[i]
	}
	return path
}
