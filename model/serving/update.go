package serving

import "pdsim/sim"

// update processes the output of the oldest step in flight: tokens, finished requests, and what its poll has seen.
// Then the loop schedules the next step.
func (e *Engine) update() {
	s := &e.steps[e.first]
	e.first = (e.first + 1) % 2
	e.inFlight--
	now := e.c.Sim.Now()
	cause := e.c.Sim.Cause()
	e.account()
	over := 0
	for i := range s.entries {
		en := &s.entries[i]
		l := en.leg
		if en.epoch != l.epoch || l.State != Running {
			continue
		}
		e.mark(s, en, now)
		if en.samples && e.sampled(l, now) {
			over++
		}
	}
	if over > 0 {
		e.sweep()
	}
	for _, l := range s.loaded {
		e.reportLoaded(l, now)
	}
	for _, l := range s.failed {
		e.reportFailed(l)
	}
	for _, l := range s.freed {
		e.unhold(l)
	}
	e.c.Sim.SetCause(cause)
	e.output = s.binding()
	e.count()
	e.loopAt = now
	if e.dry && e.Unfinished() > e.unread { // what counts is the step that was scheduled last, not the one whose output came
		e.loopAt = now.Add(e.Costs.IdleSleep)
	}
}

// sampled counts a token and reports whether it was the leg's last.
func (e *Engine) sampled(l *Leg, now sim.Time) bool {
	l.inFlight--
	l.Generated++
	e.c.Sim.SetCause(l.last.span)
	e.c.token(l, now)
	l.token = now
	if l.Generated < l.Output {
		return false
	}
	l.State = Over
	return true
}

// sweep takes finished legs out of the running list. A prefill leg's blocks are the protocol's to release.
func (e *Engine) sweep() {
	kept := e.running[:0]
	e.gone = e.gone[:0]
	for _, l := range e.running {
		if l.State == Running {
			kept = append(kept, l)
		} else {
			e.gone = append(e.gone, l)
		}
	}
	clear(e.running[len(kept):])
	e.running = kept
	for _, l := range e.gone {
		e.c.Sim.SetCause(l.last.span)
		e.c.finished(l)
	}
}

// reportLoaded makes a load that the step's poll saw complete eligible for a slot.
func (e *Engine) reportLoaded(l *Leg, now sim.Time) {
	e.watch--
	if l.Request.Outcome != Open { // aborted while loading: its blocks could not be freed before
		e.unload(l)
		return
	}
	l.ready, l.Loaded = true, now
	e.ready++
	l.last = l.then(l.last, "report load", e.loopTrack, now, 0)
}

// reportFailed ends a request whose load failed, as kv_load_failure_policy=fail does.
func (e *Engine) reportFailed(l *Leg) {
	e.watch--
	e.unload(l)
	e.c.fail(l.Request, "KV load failed")
}

// unload takes a leg out of the loading list and frees its blocks.
func (e *Engine) unload(l *Leg) {
	for i, x := range e.loading {
		if x == l {
			e.loading = append(e.loading[:i], e.loading[i+1:]...)
			break
		}
	}
	if l.ready {
		e.ready--
	}
	e.release(l)
	e.drop(l)
}

// drop ends a leg.
func (e *Engine) drop(l *Leg) {
	l.State = Over
	l.Request.drop()
}

// account brings the engine's figures up to date, before its lists change.
func (e *Engine) account() {
	st, now := &e.Stats, e.c.Sim.Now()
	st.RunningTime += int64(now.Sub(st.last)) * int64(len(e.running))
	st.WaitingTime += int64(now.Sub(st.last)) * int64(e.waiting.len()+len(e.loading))
	st.last = now
}
