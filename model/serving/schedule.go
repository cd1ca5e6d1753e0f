package serving

import "pdsim/sim"

// schedule fills a step: first the running requests in order, then, if none of them had to be preempted, waiting ones.
// The rules are those of vLLM's scheduler, vllm/v1/core/sched/scheduler.py.
func (e *Engine) schedule(s *step) {
	budget := e.MaxTokens
	preempted := false
	for i := 0; i < len(e.running) && budget > 0; {
		l := e.running[i]
		n := min(l.need(), budget)
		if n <= 0 { // all that it may ask for is in flight
			i++
			continue
		}
		if !e.grow(l, n) {
			preempted = true
			e.preempt(e.running[len(e.running)-1])
			continue
		}
		e.take(s, l, n)
		budget -= n
		i++
	}
	if preempted {
		e.hinder(waitPreemption)
	} else {
		e.hinder(e.admit(s, budget))
	}
	if e.c.Sim.Now() >= e.heartbeat {
		e.beat()
	}
}

// grow gives a leg the blocks for n more tokens, or nothing if too few are free.
func (e *Engine) grow(l *Leg, n int) bool {
	want := blocksFor(l.Computed+n, e.Pool.BlockSize()) - len(l.Blocks)
	if want > 0 {
		blocks, ok := e.Pool.Allocate(l.Blocks, want)
		if !ok {
			return false
		}
		l.Blocks = blocks
	}
	e.publish(l, l.Computed+n)
	return true
}

// publish makes a leg's full blocks findable, up to a number of tokens. vLLM does so when it schedules them.
func (e *Engine) publish(l *Leg, tokens int) {
	if full := min(tokens, l.Prompt+l.Output) / e.Pool.BlockSize(); full > l.published {
		e.Pool.Publish(l.Blocks, &l.Request.Prompt, l.published, full)
		l.published = full
	}
}

// take puts n tokens of a leg into the step.
func (e *Engine) take(s *step, l *Leg, n int) {
	before := l.Computed
	l.Computed += n
	en := entry{leg: l, tokens: n, epoch: l.epoch, samples: l.Computed == l.known(), prompt: before < l.Prompt}
	if en.samples {
		l.inFlight++
	}
	s.entries = append(s.entries, en)
	b := &s.batch
	if n == 1 {
		b.Decodes++
		b.DecodeContext += int64(l.Computed)
		return
	}
	b.Prefills++
	b.PrefillTokens += n
	b.PrefillContext += int64(l.Computed)
	b.PrefillPairs += int64(n)*int64(before) + int64(n)*int64(n+1)/2
}

// preempt takes the blocks of a running leg, which has to compute all its tokens again, locally.
func (e *Engine) preempt(l *Leg) {
	e.remark(l, "preempt")
	e.running = e.running[:len(e.running)-1]
	e.release(l)
	l.Computed, l.inFlight, l.published, l.Hit = 0, 0, 0, 0
	l.Remote, l.ready, l.resumed = false, false, true
	l.scheduled, l.computed = mark{}, mark{}
	l.State = Waiting
	e.waiting.pushFront(l)
	e.Stats.Preemptions++
}

// release gives back a leg's blocks.
func (e *Engine) release(l *Leg) {
	e.Pool.Release(l.Blocks)
	l.Blocks = l.Blocks[:0]
}

// admit lets waiting requests in while there is a slot and budget: finished loads first, then the queue in order. The
// first that does not get its blocks stops the queue. It returns why whoever is left has to wait.
func (e *Engine) admit(s *step, budget int) (why string) {
	for budget > 0 {
		if len(e.running) >= e.MaxSeqs {
			return waitSlot
		}
		if e.ready > 0 {
			budget -= e.promote(s)
			continue
		}
		if e.waiting.len() == 0 {
			return ""
		}
		l := e.waiting.front()
		if l.Remote {
			if !e.reserve(l) {
				return waitBlocks
			}
			continue
		}
		n := e.begin(s, l, budget)
		if n == 0 {
			return waitBlocks
		}
		budget -= n
	}
	return waitBudget
}

// promote lets the first finished load run: it computes the last prompt token again, which yields the first token.
func (e *Engine) promote(s *step) int {
	for i, l := range e.loading {
		if !l.ready {
			continue
		}
		e.loading = append(e.loading[:i], e.loading[i+1:]...)
		e.ready--
		l.State, l.started = Running, e.c.Sim.Now()
		e.running = append(e.running, l)
		l.Computed = l.Prompt - 1
		e.publish(l, l.Prompt)
		e.Stats.PromoteWait.Add(e.c.Sim.Now().Sub(l.Loaded))
		e.admitted(l, toPromote)
		e.take(s, l, 1)
		return 1
	}
	panic("serving: a load counted as ready is not in the queue")
}

// reserve takes all blocks of a prompt whose KV will be loaded, and tells the protocol. It uses no token budget.
func (e *Engine) reserve(l *Leg) bool {
	e.hit(l)
	want := blocksFor(l.Prompt, e.Pool.BlockSize()) - len(l.Blocks)
	if want+e.promised() > e.Pool.FreeWithout(l.Blocks) {
		l.Blocks = l.Blocks[:0]
		e.Stats.BlockedSteps++
		return false
	}
	e.waiting.pop()
	e.Pool.Touch(l.Blocks)
	l.Blocks, _ = e.Pool.Allocate(l.Blocks, want)
	l.State, l.Admitted = Loading, e.c.Sim.Now()
	e.loading = append(e.loading, l)
	e.watch++
	e.admitted(l, toReserve)
	e.Stats.SlotWait.Add(l.Admitted.Sub(l.Queued))
	cause := e.c.Sim.Cause()
	e.c.Sim.SetCause(l.last.span)
	e.c.Protocol.Allocated(l.Request)
	e.c.Sim.SetCause(cause)
	return true
}

// promised is the number of blocks that running prompts have yet to ask for: a load must not take them, or none of
// them could finish.
func (e *Engine) promised() int {
	n := 0
	for _, l := range e.running {
		if l.Computed < l.Prompt {
			n += blocksFor(l.Prompt, e.Pool.BlockSize()) - len(l.Blocks)
		}
	}
	return n
}

// hit looks up a leg's prompt in the prefix cache. At least the last token is left to compute.
func (e *Engine) hit(l *Leg) {
	l.Blocks = e.Pool.Lookup(l.Blocks[:0], &l.Request.Prompt, (l.known()-1)/e.Pool.BlockSize())
	l.Hit = len(l.Blocks)
}

// begin starts a waiting request's prompt in this engine and returns the tokens that it takes of the budget.
func (e *Engine) begin(s *step, l *Leg, budget int) int {
	size := e.Pool.BlockSize()
	e.hit(l)
	computed := l.Hit * size
	n := min(l.known()-computed, budget)
	want := blocksFor(computed+n, size) - len(l.Blocks)
	if want > e.Pool.FreeWithout(l.Blocks) {
		l.Blocks = l.Blocks[:0]
		e.Stats.BlockedSteps++
		return 0
	}
	e.waiting.pop()
	e.Pool.Touch(l.Blocks)
	l.Computed, l.published = computed, l.Hit
	e.grow(l, n)
	l.State = Running
	e.running = append(e.running, l)
	if l.resumed {
		l.waits("lost to a preemption", 0)
	} else {
		l.Admitted = e.c.Sim.Now()
		l.started = l.Admitted
		e.admitted(l, toSchedule)
		e.Stats.SlotWait.Add(l.Admitted.Sub(l.Queued))
	}
	e.take(s, l, n)
	return n
}

// remark records that something happens to a leg at this instant.
func (e *Engine) remark(l *Leg, kind string) {
	s := e.c.Sim
	if !s.Recording() {
		return
	}
	now, cause := s.Now(), s.Cause()
	s.Record(sim.Span{Cause: cause, Track: e.loopTrack, Kind: kind, Owner: l.Request.ID, Ready: now, Start: now, End: now})
	s.SetCause(cause)
}
