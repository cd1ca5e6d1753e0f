package sim

import "fmt"

// Work is a piece of work for a thread.
type Work struct {
	Kind  string
	Owner int64
	Busy  Duration // how long it takes once it has started
	Begin Call     // called when it starts
	Then  Call     // called when it has ended; by then the next piece in line has begun
	// Open work keeps the thread for at least Busy and then until Close is called: a call that blocks.
	Open bool
	// Follows says that the piece belongs to the one in line before it, and is released by that one's end.
	Follows bool
}

type queued struct {
	Work
	cause  SpanID
	behind SpanID // what the thread did until the piece started, if it waited
	ready  Time
}

// Thread does work one piece after the other, in the order of asking.
type Thread struct {
	sim     *Sim
	id      HandlerID
	track   TrackID
	queue   ring[queued]
	current queued
	started Time
	running bool
	elapsed bool // an open work's Busy is over
	closed  bool // an open work's Close has come
	busy    Duration
	waited  Duration
	last    SpanID // the last piece that has ended
}

// NewThread returns an idle thread with a track of the given name.
func (s *Sim) NewThread(name string) *Thread {
	t := &Thread{sim: s, track: s.Track(name)}
	t.id = s.Register(t)
	return t
}

// Do puts w in line; it starts at once if the thread is idle.
func (t *Thread) Do(w Work) {
	if w.Busy < 0 {
		panic(fmt.Sprintf("sim: Thread.Do: %s of %v on %s", w.Kind, w.Busy, t.sim.tracks[t.track]))
	}
	q := queued{Work: w, cause: t.sim.cause, ready: t.sim.now}
	if t.running {
		t.queue.push(q)
		return
	}
	t.start(q)
}

// Close ends the open work that is running, now or when its Busy is over.
func (t *Thread) Close() {
	if !t.running || !t.current.Open {
		panic("sim: Thread.Close: no open work on " + t.sim.tracks[t.track])
	}
	t.closed = true
	if t.elapsed {
		cause := t.sim.cause
		t.end()
		t.sim.cause = cause
	}
}

// Idle says whether the thread has nothing to do.
func (t *Thread) Idle() bool { return !t.running }

// Track is the thread's track.
func (t *Thread) Track() TrackID { return t.track }

// Behind is the span that the running piece waited behind, if it did.
func (t *Thread) Behind() SpanID { return t.current.behind }

// Busy is how long the thread has worked, up to the end of the last finished piece.
func (t *Thread) Busy() Duration { return t.busy }

// Waited is how long finished pieces waited in line, in total.
func (t *Thread) Waited() Duration { return t.waited }

func (t *Thread) start(q queued) {
	t.current, t.started, t.running = q, t.sim.now, true
	t.elapsed, t.closed = false, false
	t.sim.cause = q.cause
	t.sim.After(q.Busy, Completion, Call{To: t.id})
	t.sim.Do(q.Begin)
}

// Handle ends the running work's Busy.
func (t *Thread) Handle(Op, uint32) {
	t.elapsed = true
	if t.current.Open && !t.closed {
		return
	}
	t.end()
}

func (t *Thread) end() {
	s, c := t.sim, &t.current
	t.busy += s.now.Sub(t.started)
	t.waited += t.started.Sub(c.ready)
	s.cause = c.cause
	if s.rec != nil {
		sp := Span{Cause: c.cause, Behind: c.behind, Track: t.track, Kind: c.Kind, Owner: c.Owner, Ready: c.ready, Start: t.started, End: s.now}
		t.last = s.Record(sp)
	}
	then, cause := c.Then, s.cause
	t.running = false
	// The next piece starts before the call, so that work which the call asks for cannot push in.
	if t.queue.len() > 0 {
		t.start(t.next())
	}
	s.cause = cause
	s.Do(then)
}

// next takes the next piece in line, which begins now that another has ended.
func (t *Thread) next() queued {
	q := t.queue.pop()
	switch {
	case q.Follows:
		q.cause, q.ready = t.sim.cause, t.sim.now
	case q.ready < t.sim.now:
		q.behind = t.last
	}
	return q
}
