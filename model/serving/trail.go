package serving

import (
	"pdsim/model/nixl"
	"pdsim/sim"
)

// This file is how a leg's way is recorded: what it waited for, by name, and its part in the engine's steps. Without a
// recorder nothing here does anything.

// mark is a span with its end: what a leg has met last, and what its next span is released by.
type mark struct {
	span sim.SpanID
	at   sim.Time
}

// meets makes the present cause, which has just ended, the leg's latest mark.
func (l *Leg) meets(s *sim.Sim) { l.last = mark{s.Cause(), s.Now()} }

// then records what came after a mark until a time, and returns the mark of that. What takes no time is left out.
func (l *Leg) then(from mark, kind string, track sim.TrackID, until sim.Time, behind sim.SpanID, others ...sim.SpanID) mark {
	s := l.Engine.c.Sim
	if !s.Recording() || until <= from.at && len(others) == 0 {
		return from
	}
	sp := sim.Span{Cause: from.span, Behind: behind, Track: track, Kind: kind, Owner: l.Request.ID, Ready: from.at, Start: from.at, End: until}
	return mark{l.record(sp, others), until}
}

// record keeps a span and leaves the present cause as it is.
func (l *Leg) record(sp sim.Span, others []sim.SpanID) sim.SpanID {
	s := l.Engine.c.Sim
	cause := s.Cause()
	id := s.Record(sp, others...)
	s.SetCause(cause)
	return id
}

// waits records that the leg waited from its latest mark until now.
func (l *Leg) waits(kind string, behind sim.SpanID) {
	e := l.Engine
	l.last = l.then(l.last, kind, e.waitTrack, e.c.Sim.Now(), behind)
}

// point records a moment of the leg's way on a track.
func (l *Leg) point(kind string, track sim.TrackID) {
	if s := l.Engine.c.Sim; s.Recording() {
		now := s.Now()
		l.last = mark{l.record(sim.Span{Cause: l.last.span, Track: track, Kind: kind, Owner: l.Request.ID, Ready: now, Start: now, End: now}, nil), now}
	}
}

// Why a schedule leaves requests waiting.
const (
	waitBoundary   = "wait for a step boundary"
	waitSlot       = "wait for a slot"
	waitBlocks     = "wait for blocks"
	waitBudget     = "wait for token budget"
	waitPreemption = "wait after a preemption"
)

// How a schedule takes a request in.
const (
	toSchedule = "schedule" // with prompt tokens to compute
	toReserve  = "reserve"  // with blocks for KV that is to come
	toPromote  = "promote"  // with its KV there
)

// waitNames are the names of waits, by reason and by what was waited to happen.
var waitNames = func() map[[2]string]string {
	names := map[[2]string]string{}
	for _, why := range []string{waitBoundary, waitSlot, waitBlocks, waitBudget, waitPreemption} {
		for _, what := range []string{toSchedule, toReserve, toPromote} {
			names[[2]string{why, what}] = why + " to " + what
		}
	}
	return names
}()

// What else is waited for: somebody who looks.
const (
	waitPoll   = "wait for the poll"
	waitWriter = "wait for the writer"
)

// hears records that a notification about the leg has been read, in an event of the given cause, and returns its span.
func (l *Leg) hears(n nixl.Note, reader sim.SpanID) sim.SpanID {
	e := l.Engine
	kind := waitWriter
	if e.polling != nil {
		kind, reader = waitPoll, e.polling.polled
	}
	l.heard = l.then(mark{n.Cause, n.At}, kind, e.waitTrack, e.c.Sim.Now(), reader)
	return l.heard.span
}

// match makes what the leg's post depends on come together: what led to it, and a notification or own work before that.
func (l *Leg) match(t *sim.Thread) {
	s := l.Engine.c.Sim
	if !s.Recording() {
		return
	}
	var others []sim.SpanID
	for _, id := range []sim.SpanID{l.last.span, l.heard.span} {
		if id != 0 && id != s.Cause() {
			others = append(others, id)
		}
	}
	if len(others) > 0 {
		now := s.Now()
		s.Record(sim.Span{Cause: s.Cause(), Track: t.Track(), Kind: "matched", Owner: l.Request.ID, Ready: now, Start: now, End: now}, others...)
	}
}

// legOn is the leg whose engine has a thread, or nil.
func (r *Request) legOn(t *sim.Thread) *Leg {
	for _, l := range []*Leg{&r.P, &r.D} {
		if e := l.Engine; e != nil && (t == e.Main || t == e.Writer || t == e.handshaker) {
			return l
		}
	}
	return nil
}

// hindrance is why the engine let nobody further in, from a schedule on; "" when nobody was left waiting.
type hindrance struct {
	since sim.Time
	why   string
	after sim.SpanID // what the last output before that schedule came behind
}

// hinder notes what the present schedule ended with. The history goes back to the earliest request that waits.
func (e *Engine) hinder(why string) {
	if !e.c.Sim.Recording() {
		return
	}
	if e.waiting.len() == 0 && e.ready == 0 {
		e.hindrances, why = e.hindrances[:0], ""
	}
	if n := len(e.hindrances); n == 0 || e.hindrances[n-1].why != why {
		e.hindrances = append(e.hindrances, hindrance{e.c.Sim.Now(), why, e.output})
	}
}

// admitted records what a leg waited for until the present schedule took it.
func (e *Engine) admitted(l *Leg, kind string) {
	if !e.c.Sim.Recording() {
		return
	}
	why := waitBoundary
	for _, h := range e.hindrances {
		l.last = l.then(l.last, waitNames[[2]string{why, kind}], e.waitTrack, h.since, h.after)
		if why = h.why; why == "" {
			why = waitBoundary
		}
	}
	l.waits(waitNames[[2]string{why, kind}], e.output)
	l.point(kind, e.loopTrack)
}

// binding is what the step's output came behind: its forward, or the poll of a main thread that took longer.
func (s *step) binding() sim.SpanID {
	if s.mainDone > s.gpuEnd && s.polled != 0 {
		return s.polled
	}
	return s.forward
}

// mark records a step's part in a request's way to its first token: schedule, launch, the GPU's forward, the main thread
// where it takes longer than that, and sampling.
func (e *Engine) mark(s *step, en *entry, now sim.Time) {
	l := en.leg
	if !e.c.Sim.Recording() || !en.prompt {
		return
	}
	from := l.last
	if from.at > s.start { // with asynchronous scheduling a chunk is scheduled while the one before runs
		from = l.scheduled
	}
	from = l.then(from, waitBoundary, e.waitTrack, s.start, s.after)
	l.scheduled = l.then(from, "scheduling", e.loopTrack, s.ready, 0)
	launched := l.scheduled
	if begin := max(s.launched.Add(-e.launchTime(s)), launched.at); s.launched > launched.at {
		launch := sim.Span{Cause: launched.span, Track: e.Main.Track(), Kind: "launch", Owner: l.Request.ID, Ready: launched.at, Start: begin, End: s.launched}
		if begin > launched.at {
			launch.Behind = s.launchBehind
		}
		launched = mark{l.record(launch, nil), s.launched}
	}
	kind := "prefill"
	if l.Remote {
		kind = "first decode"
	}
	// A chunk builds on the one before it, besides its own launch.
	first, last := launched, l.computed
	if last.at < first.at || last.span == 0 {
		first, last = last, first
	}
	forward := sim.Span{Cause: last.span, Track: e.gpuTrack, Kind: kind, Owner: l.Request.ID, Ready: last.at, Start: s.gpuStart, End: s.gpuEnd}
	if s.gpuStart > last.at {
		forward.Behind = s.gpuBehind
	}
	var others []sim.SpanID
	if first.span != 0 {
		others = []sim.SpanID{first.span}
	}
	l.computed = mark{l.record(forward, others), s.gpuEnd}
	done := l.computed
	others = nil
	if s.mainDone > s.gpuEnd {
		done = l.then(done, "wait for the main thread", e.waitTrack, s.mainDone, s.polled)
	} else if s.polled != 0 {
		others = []sim.SpanID{s.polled}
	}
	l.last = l.then(done, "sample", e.loopTrack, now, 0, others...)
}
