package serving

import (
	"pdsim/model/compute"
	"pdsim/sim"
)

// step is one iteration of the engine's loop on its way from schedule to output.
type step struct {
	entries  []entry
	batch    compute.Batch
	loads    []*Request // connector work that goes out with this step
	loaded   []*Leg     // loads that the poll saw complete
	freed    []*Leg     // held blocks that the poll saw released
	failed   []*Leg     // loads that the poll saw fail
	start    sim.Time   // schedule began
	ready    sim.Time   // the worker has the step
	gpuEnd   sim.Time
	launched sim.Time // the forward is enqueued
	gpuStart sim.Time
	mainDone sim.Time // the main thread is through with the step
	pollAt   sim.Time // when the poll looks, if that is known beforehand; otherwise Never
	output   sim.Time // when the scheduler has the output, once that is known; otherwise Never
	index    uint32
	// for spans: the output before its schedule, its forward, what that and the launch waited behind, and its poll
	after, forward, gpuBehind, launchBehind, polled sim.SpanID
	working                                         bool // it is on its way to the main thread, or its launch is
	waits                                           bool // it goes to the main thread when the step before has put all its work in line there
}

// entry is one leg's part in a step.
type entry struct {
	leg     *Leg
	tokens  int
	epoch   uint32 // of the leg: its place may have been taken by another request since
	samples bool   // the step yields a token
	prompt  bool   // the tokens belong to the prompt
}

func (s *step) reset() {
	s.entries, s.loads = s.entries[:0], s.loads[:0]
	s.loaded, s.freed, s.failed = s.loaded[:0], s.freed[:0], s.failed[:0]
	s.batch = compute.Batch{}
	s.pollAt, s.output = sim.Never, sim.Never
	s.working, s.waits = false, false
	s.after, s.forward, s.gpuBehind, s.launchBehind, s.polled = 0, 0, 0, 0, 0
}

// loop schedules a step. Called when the loop is free and the pipeline not full.
func (e *Engine) loop() {
	k := (e.first + e.inFlight) % 2
	s := &e.steps[k]
	s.reset()
	s.index, s.start, s.after = uint32(k), e.c.Sim.Now(), e.output
	e.account()
	e.scheduling, e.unread = true, 0
	e.schedule(s)
	e.scheduling = false
	e.count()
	s.loads = append(s.loads, e.loads...)
	e.loads = e.loads[:0]
	e.dry = len(s.entries) == 0
	if e.dry {
		e.loopEmpty(s)
		return
	}
	e.dispatch(s)
}

// loopEmpty is an iteration that scheduled no tokens. With a step in flight the loop waits for its output; with
// requests that wait for their KV, or when a protocol wants it, it steps without a forward; otherwise it parks until
// there is input.
func (e *Engine) loopEmpty(s *step) {
	switch {
	case len(s.loads) > 0 || e.watch > 0 && e.inFlight > 0:
		e.dispatch(s)
	case e.inFlight > 0:
	case e.Unfinished() > 0 || e.keep > 0:
		e.dispatch(s)
	}
}

// dispatch sends a scheduled step to the worker.
func (e *Engine) dispatch(s *step) {
	c := &e.Costs
	forward := len(s.entries) > 0
	s.ready = s.start.Add(c.Schedule + sim.Duration(len(s.entries))*c.SchedulePer)
	e.inFlight++
	if forward && e.inFlight < e.depth() { // after a step without one, the loop waits for the oldest output
		e.loopAt = s.ready
	}
	if len(s.loads) > 0 || e.chained > 0 {
		e.chained++
		if s.waits = e.before(s).working; !s.waits {
			e.toWorker(s)
		}
		return
	}
	e.launched = max(s.ready, e.launched).Add(e.launchTime(s))
	if forward {
		e.runGPU(s, e.launched)
	} else {
		s.gpuEnd = s.start.Add(c.EmptyStep)
	}
	if e.watch == 0 {
		e.complete(s, e.launched)
		return
	}
	if e.PollLast {
		s.pollAt = max(e.launched, s.gpuEnd).Add(e.pollTime())
		return
	}
	e.launched = e.launched.Add(e.pollTime())
	s.pollAt = e.launched
}

// before is the step scheduled before s, which may be over.
func (e *Engine) before(s *step) *step { return &e.steps[1-s.index] }

// toWorker lets a step begin on the main thread once that has it and is through with what it knew beforehand.
func (e *Engine) toWorker(s *step) {
	s.working = true
	cause := e.c.Sim.Cause()
	e.c.Sim.SetCause(s.after)
	e.c.Sim.At(max(s.ready, e.launched), sim.Boundary, sim.Call{To: e.id, Op: opWorker, Arg: s.index})
	e.c.Sim.SetCause(cause)
}

func (e *Engine) launchTime(s *step) sim.Duration {
	switch {
	case len(s.entries) == 0:
		return 0
	case s.batch.PrefillTokens > 0:
		return e.Costs.LaunchPrefill
	default:
		return e.Costs.Launch
	}
}

// runGPU puts a step's forward in line behind the one before.
func (e *Engine) runGPU(s *step, launched sim.Time) {
	start := max(launched, e.gpuFree)
	s.launched, s.gpuStart = launched, start
	s.gpuEnd = start.Add(e.Compute.StepTime(&s.batch))
	e.gpuFree = s.gpuEnd
	e.Stats.GPUBusy += s.gpuEnd.Sub(start)
	e.Stats.Steps++
	if e.c.Sim.Recording() {
		if start > launched {
			s.gpuBehind = e.forward
		}
		cause := e.c.Sim.Cause()
		s.forward = e.c.Sim.Record(sim.Span{Behind: s.gpuBehind, Track: e.gpuTrack, Kind: "forward", Owner: -1, Ready: launched, Start: start, End: s.gpuEnd})
		e.c.Sim.SetCause(cause)
		e.forward = s.forward
	}
}

// complete fixes when the scheduler has the step's output: both the GPU and the worker's main thread are through.
func (e *Engine) complete(s *step, mainDone sim.Time) {
	s.mainDone = mainDone
	s.output = max(s.gpuEnd, mainDone)
	if len(s.entries) > 0 {
		s.output = s.output.Add(e.Costs.Sample)
	}
	e.arm()
}

// work begins a step on the worker's main thread, where connector work is part of it.
func (e *Engine) work(s *step) {
	if !e.LoadAfterLaunch {
		e.connect(s)
	}
	e.Main.Do(sim.Work{Kind: "launch", Owner: -1, Busy: e.launchTime(s), Begin: sim.Call{To: e.id, Op: opLaunching, Arg: s.index}, Then: sim.Call{To: e.id, Op: opLaunched, Arg: s.index}})
}

// launchedStep goes on when the forward has been enqueued.
func (e *Engine) launchedStep(s *step) {
	now := e.c.Sim.Now()
	if len(s.entries) > 0 {
		e.runGPU(s, now)
	} else {
		s.gpuEnd = s.start.Add(e.Costs.EmptyStep)
	}
	if e.LoadAfterLaunch {
		e.connect(s)
	}
	if e.PollLast {
		e.c.Sim.At(s.gpuEnd, sim.Boundary, sim.Call{To: e.id, Op: opPoll, Arg: s.index})
	} else {
		e.poll(s)
	}
	s.working = false
	if next := e.before(s); next.waits {
		next.waits = false
		e.toWorker(next)
	}
}

// poll puts the step's look for completions in line on the main thread.
func (e *Engine) poll(s *step) {
	e.Main.Do(sim.Work{Kind: "poll", Owner: -1, Busy: e.pollTime(), Then: sim.Call{To: e.id, Op: opPolled, Arg: s.index}})
}

// connect hands the step's connector work to the protocol, request by request.
func (e *Engine) connect(s *step) {
	cause := e.c.Sim.Cause()
	for _, r := range s.loads {
		l := r.leg(e)
		l.last = l.then(l.last, waitBoundary, e.waitTrack, s.start, s.after)
		l.waits("schedule and launch", cause)
		e.c.Sim.SetCause(l.last.span)
		e.c.Protocol.Load(e, r)
		r.drop()
	}
	e.c.Sim.SetCause(cause)
	s.loads = s.loads[:0]
}

func (e *Engine) pollTime() sim.Duration {
	a := &e.Agent.Costs
	return a.PollFixed + sim.Duration(e.watch)*a.PollPerHandle
}

// pollDue says whether a poll whose time was known beforehand is due.
func (e *Engine) pollDue(now sim.Time) bool {
	for k := range e.inFlight {
		if e.steps[(e.first+k)%2].pollAt <= now {
			return true
		}
	}
	return false
}

// pollStep is the step whose poll is due.
func (e *Engine) pollStep() *step {
	s := &e.steps[e.first]
	if s.pollAt > e.c.Sim.Now() {
		s = &e.steps[(e.first+1)%2]
	}
	return s
}

// polled lets the protocol look for completions and notifications; what it finds goes back with the step's output.
func (e *Engine) polled(s *step) {
	now := e.c.Sim.Now()
	s.pollAt = sim.Never
	e.launched = max(e.launched, now)
	e.polling = s
	e.c.Protocol.Poll(e)
	e.expire(now)
	e.polling = nil
	e.complete(s, now)
}
