package web

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"pdsim/model/serving"
	"pdsim/scenarios"
	"pdsim/scenarios/explain"
	"pdsim/sim"
)

// mostShown bounds what a browser is asked to draw. Of more than that the longest are shown.
const mostShown = 3000

// timeline is what happened in a window of a run. Times are nanoseconds since the request was sent.
type timeline struct {
	Request int64       `json:"request"`
	TTFT    int64       `json:"ttft_ns"`
	From    int64       `json:"from_ns"`
	To      int64       `json:"to_ns"`
	Tracks  []string    `json:"tracks"`
	Spans   []shownSpan `json:"spans"`
	Left    int         `json:"left"` // spans that there was no room for
}

// shownSpan is a span of it.
type shownSpan struct {
	ID     sim.SpanID   `json:"id"`
	Cause  sim.SpanID   `json:"cause"`
	Behind sim.SpanID   `json:"behind"`
	Others []sim.SpanID `json:"others"`
	Track  int          `json:"track"`
	Kind   string       `json:"kind"`
	Owner  int64        `json:"owner"`
	Ready  int64        `json:"ready_ns"`
	Start  int64        `json:"start_ns"`
	End    int64        `json:"end_ns"`
}

// timeline answers what one request did, or all in a window around it.
func (s *server) timeline(ctx context.Context, a *ask) (*timeline, error) {
	if len(a.Protocols) != 1 {
		return nil, refuse(http.StatusUnprocessableEntity, "want one protocol")
	}
	sp, err := a.spec()
	if err != nil {
		return nil, err
	}
	if a.Request == "" || a.Request == "mean" {
		a.Request = "p50" // a mean has no timeline
	}
	rec := explain.NewRecording(sp, a.Protocols[0])
	log := &spans{Recorder: rec.Options().Recorder}
	asked := map[int64]ended{}
	opt := rec.Options()
	opt.Recorder = log
	opt.Request = func(r *serving.Request) {
		asked[r.ID] = ended{r.ID, r.Sent, r.First}
		rec.Options().Request(r)
	}
	var out *timeline
	err = s.play(ctx, sp, a.Protocols[0], opt, func(session *scenarios.Session, r *scenarios.Result) error {
		rec.Close(session, r)
		if rec.Requests() == 0 {
			return refuse(http.StatusUnprocessableEntity, "no request was answered: %s", r.Reason)
		}
		id, err := requestOf(rec, a.Request)
		if err == nil {
			out = window(&log.own, session.Cluster().Sim.Tracks(), asked[id], a)
		}
		return err
	})
	return out, err
}

// spans keeps spans beside another recorder.
type spans struct {
	sim.Recorder
	own sim.Log
}

// Span tells both of a span.
func (s *spans) Span(sp sim.Span, others []sim.SpanID) {
	s.own.Span(sp, others)
	s.Recorder.Span(sp, others)
}

// ended is a request that has ended.
type ended struct {
	id          int64
	sent, first sim.Time
}

// window picks the spans to show.
func window(log *sim.Log, tracks []string, q ended, a *ask) *timeline {
	t := &timeline{Request: q.id, TTFT: int64(q.first.Sub(q.sent)), From: a.From, To: a.To, Spans: []shownSpan{}}
	if t.To <= t.From {
		t.To = t.TTFT
	}
	from, to := q.sent.Add(sim.Duration(t.From)), q.sent.Add(sim.Duration(t.To))
	var in []sim.Span
	for _, sp := range log.Spans {
		if sp.End >= from && sp.Start <= to && (a.All || sp.Owner == q.id) {
			in = append(in, sp)
		}
	}
	if t.Left = len(in) - mostShown; t.Left > 0 {
		slices.SortStableFunc(in, func(a, b sim.Span) int { return cmp.Compare(b.End.Sub(b.Start), a.End.Sub(a.Start)) })
		in = in[:mostShown]
	}
	t.Left = max(t.Left, 0)
	slices.SortFunc(in, func(a, b sim.Span) int { return cmp.Compare(a.ID, b.ID) })
	rows := map[sim.TrackID]int{}
	for _, sp := range in {
		row, ok := rows[sp.Track]
		if !ok {
			row = len(t.Tracks)
			rows[sp.Track] = row
			t.Tracks = append(t.Tracks, tracks[sp.Track])
		}
		t.Spans = append(t.Spans, shownSpan{
			sp.ID, sp.Cause, sp.Behind, slices.Collect(log.Others(sp.ID)), row, sp.Kind, sp.Owner,
			int64(sp.Ready.Sub(q.sent)), int64(sp.Start.Sub(q.sent)), int64(sp.End.Sub(q.sent)),
		})
	}
	return t
}
