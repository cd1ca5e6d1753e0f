package validate

import (
	"slices"
	"strings"

	"pdsim/model/serving"
	"pdsim/scenarios"
	"pdsim/sim"
	"pdsim/validate/read"
)

// Tracker writes down the timelines of a simulated run. It is the run's recorder and is told of its requests; Attach
// comes between.
type Tracker struct {
	to     func(*read.Request)
	tracks func() []string
	open   map[int64]*transferTimes // by request
}

// transferTimes are what is known of a request's transfer before the request ends.
type transferTimes struct {
	postStart, postEnd, landed, seen read.Instant
}

// NewTracker returns a tracker that hands each request on when it has ended. The function must not keep it.
func NewTracker(to func(*read.Request)) *Tracker {
	return &Tracker{to: to, open: map[int64]*transferTimes{}}
}

// Options returns the options of a run that is to be tracked.
func (t *Tracker) Options() scenarios.Options {
	return scenarios.Options{Recorder: t, Request: t.Request, Gaps: true}
}

// Attach tells the tracker of the session that was started with its options, before anything is played.
func (t *Tracker) Attach(s *scenarios.Session) { t.tracks = s.Cluster().Sim.Tracks }

// Span takes note of posts, of the wire and of what polls see.
func (t *Tracker) Span(sp sim.Span, _ []sim.SpanID) {
	switch sp.Kind {
	case "post", "wire", "seen by poll":
	default:
		return
	}
	x := t.open[sp.Owner]
	if x == nil {
		x = &transferTimes{read.Never, read.Never, read.Never, read.Never}
		t.open[sp.Owner] = x
	}
	switch sp.Kind {
	case "post":
		x.postStart, x.postEnd = read.Instant(sp.Start), read.Instant(sp.End)
	case "wire":
		x.landed = max(x.landed, read.Instant(sp.End))
	case "seen by poll":
		if strings.HasPrefix(t.tracks()[sp.Track], "D") { // the decode side waits for the KV
			x.seen = read.Instant(sp.End)
		}
	}
}

// Count does nothing: a timeline has no counters.
func (t *Tracker) Count(sim.TrackID, sim.Time, int64) {}

// Request hands a request on that has ended.
func (t *Tracker) Request(r *serving.Request) {
	q := read.NewRequest(r.ID)
	q.Input, q.Output = r.Input, r.Output
	q.Outcome, q.Reason = r.Outcome.String(), r.Reason
	q.Arrival = read.Instant(r.Sent)
	after := func(at sim.Time) read.Instant {
		if at < r.Sent || at == sim.Never {
			return read.Never
		}
		return read.Instant(at)
	}
	if r.P.Engine != nil {
		q.PrefillQueued, q.PrefillStart = after(r.P.Queued), after(r.P.Admitted)
	}
	if r.D.Engine != nil {
		q.DecodeQueued, q.Admitted = after(r.D.Queued), after(r.D.Admitted)
	}
	if x := t.open[r.ID]; x != nil {
		q.PostStart, q.PostEnd, q.Landed, q.Seen = x.postStart, x.postEnd, x.landed, x.seen
		delete(t.open, r.ID)
	}
	if q.FirstToken = after(r.First); q.FirstToken != read.Never {
		q.Tokens = append(slices.Grow(q.Tokens, len(r.Gaps)+1), q.FirstToken)
		at := q.FirstToken
		for _, gap := range r.Gaps {
			at += read.Instant(gap)
			q.Tokens = append(q.Tokens, at)
		}
	}
	t.to(&q)
}
