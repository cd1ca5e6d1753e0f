package protocols

import (
	"slices"
	"testing"

	"pdsim/model/serving"
	"pdsim/model/workload"
	"pdsim/sim"
)

// This file holds what is claimed of vLLM's scheduler with KV from elsewhere: vllm/v1/core/sched/scheduler.py and the
// scheduler half of vllm/distributed/kv_transfer/kv_connector/v1/nixl. The clock that it goes by is that of scene.

const ms = sim.Millisecond

// ask is a request at a time, of a prompt of its own.
func ask(at sim.Duration, input, output int) workload.Arrival {
	return workload.Arrival{At: sim.Time(at), Input: input, Output: output, Prompt: workload.Prompt{ID: uint64(at) + 1}}
}

// play plays requests and returns them as they were when they ended, by their order of sending.
func (s *scene) play(t testing.TB, arrivals ...workload.Arrival) []serving.Request {
	t.Helper()
	s.requests = nil
	if err := s.c.Client.Play(&script{arrivals}); err != nil {
		t.Fatal(err)
	}
	if err := s.c.Check(); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(s.requests, func(a, b serving.Request) int { return int(a.ID - b.ID) })
	return s.requests
}

// holds fails with what was claimed.
func holds(t testing.TB, ok bool, claim string, have ...any) {
	t.Helper()
	if !ok {
		t.Errorf("%s: have %v", claim, have)
	}
}

func TestLoadingRequestsDoNotCountAsRunning(t *testing.T) {
	u := defaults("pull")
	u.seqs = 1
	r := u.start().play(t, ask(0, 10, 5), ask(0, 10, 5), ask(0, 10, 5))
	holds(t, r[0].D.Admitted == r[1].D.Admitted && r[1].D.Admitted == r[2].D.Admitted, "three load beside one slot", r[0].D.Admitted, r[1].D.Admitted, r[2].D.Admitted)
}

func TestNothingIsFetchedBehindAFullBatch(t *testing.T) {
	for _, p := range []string{"pull", "push", "pull-reader"} {
		u := defaults(p)
		u.seqs = 1
		s := u.start()
		r := s.play(t, ask(0, 10, 30), ask(30*ms, 10, 5))
		left := r[0].Last.Add(-ms) // when the scheduler had the last token
		holds(t, r[1].D.Queued < left && r[1].D.Admitted >= left, p+": no load begins at the cap", r[1].D.Queued, r[1].D.Admitted, left)
	}
}

func TestNothingIsPromotedAtTheCap(t *testing.T) {
	u := defaults("pull")
	u.seqs = 1
	r := u.start().play(t, ask(0, 10, 30), ask(0, 10, 5))
	left := r[0].Last.Add(-ms)
	holds(t, r[1].D.Loaded < left && r[1].First.Sub(left) == 12*ms, "its KV waits for the slot", r[1].D.Loaded, left, r[1].First)
}

// A waiting request that does not get its blocks stops the queue, and nothing is dropped.
func TestQueueIsBlockedByItsHead(t *testing.T) {
	u := defaults("pull")
	u.blocksD = 14
	s := u.start()
	r := s.play(t, ask(0, 100, 20), ask(2*ms, 60, 2), ask(4*ms, 5, 2))
	holds(t, r[2].D.Queued < r[0].Last && r[2].D.Admitted >= r[1].D.Admitted && r[1].D.Admitted >= r[0].Last.Add(-ms),
		"the small one waits behind the large one", r[0].Last, r[1].D.Admitted, r[2].D.Admitted)
	for _, q := range r {
		holds(t, q.Outcome == serving.Done, "all are served", q.Outcome)
	}
	holds(t, s.c.Decode[0].Stats.BlockedSteps > 0, "blocked steps are counted", s.c.Decode[0].Stats.BlockedSteps)
}

// D takes the prompt as computed up to its last token, computes that one again, and so yields the first token itself.
func TestExactlyOnePromptTokenIsRecomputed(t *testing.T) {
	for _, p := range []string{"pull", "push", "pull-reader"} {
		s := defaults(p).start()
		r := s.play(t, ask(0, 100, 3))
		holds(t, len(s.stepsD.steps) == 3, p+": a step a token", s.stepsD.steps)
		for i, b := range s.stepsD.steps {
			holds(t, b.PrefillTokens == 0 && b.Decodes == 1 && b.DecodeContext == int64(100+i), p+": one token a step, over all before it", b)
		}
		holds(t, r[0].P.Generated == 1 && r[0].D.Generated == 3, p+": P's own token is thrown away", r[0].P.Generated, r[0].D.Generated)
	}
}

// Once there is a slot, a request whose KV is there goes before one that waits, even if that came earlier to wait.
func TestFinishedLoadsGoBeforeWaitingRequests(t *testing.T) {
	u := defaults("pull")
	u.seqs = 1
	r := u.start().play(t, ask(0, 10, 9), ask(0, 10, 3), ask(30*ms, 10, 3))
	holds(t, r[1].D.Loaded > r[0].D.Loaded && r[2].D.Queued < r[1].First && r[1].First < r[2].First && r[2].D.Admitted >= r[1].Last.Add(-ms),
		"promoted first", r[1].First, r[2].D.Admitted)
}

// What D has cached is not sent: both block lists lose their front.
func TestDecodePrefixHitShrinksTheTransfer(t *testing.T) {
	for _, p := range []string{"pull", "push"} {
		u := defaults(p)
		u.cachingD = true
		s := u.start()
		first := ask(0, 95, 1) // found later although D generates nothing more
		s.play(t, first)
		before := s.c.Stats.Bytes
		holds(t, before == 10_000_000, p+": the last block is sent whole", before)
		r := s.play(t, first)
		holds(t, r[0].D.Hit == 9 && s.c.Stats.Bytes-before == 1_000_000, p+": only the missing tail", r[0].D.Hit, s.c.Stats.Bytes-before)
	}
}

// P's cache serves a repeated prompt up to its last full block, and leaves at least one token to compute.
func TestPrefillHitLeavesAtMostABlock(t *testing.T) {
	for input, want := range map[int]int{91: 1, 95: 5, 99: 9, 100: 10, 101: 1, 7: 7} {
		u := defaults("pull")
		u.cachingP = true
		s := u.start()
		first := ask(0, input, 1)
		s.play(t, first)
		s.stepsP.steps = nil
		s.play(t, first)
		b := s.stepsP.steps[0]
		holds(t, len(s.stepsP.steps) == 1 && b.PrefillTokens+b.Decodes == want, "tokens left to compute", input, b)
	}
}

// A preempted request lost its KV and its place at P: it computes all its tokens again on D. Nothing crosses the wire
// twice, and its client misses no token.
func TestPreemptedRequestRecomputesLocally(t *testing.T) {
	for _, async := range []bool{false, true} {
		u := defaults("pull")
		u.blocksD, u.async = 8, async
		s := u.start()
		r := s.play(t, ask(0, 38, 12), ask(0, 38, 12))
		holds(t, s.c.Decode[0].Stats.Preemptions > 0 && s.c.Stats.Transfers == 2, "no second transfer", s.c.Decode[0].Stats.Preemptions, s.c.Stats.Transfers)
		again := 0
		for _, b := range s.stepsD.steps {
			again = max(again, b.PrefillTokens)
		}
		holds(t, again >= 38, "prompt and tokens are computed again", again)
		for _, q := range r {
			holds(t, q.D.Generated == 12 && len(q.Gaps) == 11, "every token comes once", q.D.Generated, len(q.Gaps))
		}
	}
}

// The KV moves when the last chunk is done. (Progressive transfer is a proposal.)
func TestChunkedPromptMovesAtTheEnd(t *testing.T) {
	for _, p := range []string{"pull", "push"} {
		u := defaults(p)
		u.tokens = 30
		s := u.start()
		s.play(t, ask(0, 100, 1))
		holds(t, len(s.stepsP.steps) == 4, p+": four chunks", s.stepsP.steps)
		for _, sp := range s.log.Spans {
			holds(t, sp.Kind != "post" || sp.Start >= sim.Time(105*ms), p+": no post before the fourth chunk is through", sp)
		}
	}
}

// Pull lets the router choose D when the prompt is done; push has to name D beforehand.
func TestWhenDecodeIsChosen(t *testing.T) {
	for p, early := range map[string]bool{"pull": false, "push": true} {
		s := defaults(p).start()
		s.play(t, ask(0, 100, 1))
		for _, sp := range s.log.Spans {
			if sp.Kind == "hop to decode" {
				holds(t, early == (sp.Start == 0), p+": D is chosen", sp.Start)
			}
		}
	}
}

// With push D's blocks are reserved during the whole prefill; with pull only once the KV exists.
func TestWhenDecodeReservesItsBlocks(t *testing.T) {
	for p, early := range map[string]bool{"pull": false, "push": true} {
		r := defaults(p).start().play(t, ask(0, 100, 1))
		holds(t, early == (r[0].D.Admitted < r[0].P.Admitted.Add(101*ms)), p+": reserved", r[0].D.Admitted)
	}
}

// TTFT is from the client's sending to its first chunk, whatever lies between; a request that waits for its turn under
// max_concurrency has not been sent. TPOT is (last - first) / (tokens - 1). Source: vllm/benchmarks/serve.py.
func TestClientMeasuresWhatTheToolMeasures(t *testing.T) {
	s := defaults("pull").start()
	s.c.Client.MaxConcurrency = 1
	r := s.play(t, ask(0, 100, 3), ask(0, 100, 3))
	holds(t, r[1].Sent == r[0].Last, "the second is sent when the first has ended", r[0].Last, r[1].Sent)
	first, second := r[0].First.Sub(r[0].Sent), r[1].First.Sub(r[1].Sent)
	holds(t, second >= first && second < first+2*ms, "its TTFT has no waiting in it", first, second)
	var sum sim.Duration
	for _, g := range r[0].Gaps {
		sum += g
	}
	holds(t, len(r[0].Gaps) == 2 && sum == r[0].Last.Sub(r[0].First) && sum == 22*ms, "gaps are decode steps", r[0].Gaps)
	log := s.log.Path(r[0].Tail)
	holds(t, log[0].Start == r[0].Sent && log[len(log)-1].End == r[0].First, "the path spans TTFT", log)
}

// Connector work stays between the launch of its step and that of the next one, also with two steps in flight. Here the
// first step promotes request 0 and reads request 1, and the second is scheduled at the same instant.
func TestConnectorWorkStaysWithItsStep(t *testing.T) {
	u := defaults("pull")
	u.async = true
	s := u.start()
	s.play(t, ask(0, 100, 3), ask(50*ms, 2, 1))
	post := s.last(1, "post").Start
	holds(t, post == s.last(0, "promote").End.Add(ms), "request 1 is read in the step that promotes request 0", post, s.last(0, "promote"))
	for _, sp := range s.log.Spans {
		if sp.Kind == "launch" && sp.End == post {
			return
		}
	}
	t.Errorf("the read at %v does not follow its step's launch", post)
}

// A request whose lease has run out before P's writer knew of its blocks is not written.
func TestNothingIsWrittenAfterTheLease(t *testing.T) {
	u := defaults("push")
	u.lease, u.timeout = 0, sim.Second
	s := u.start()
	r := s.play(t, ask(0, 100, 1))
	holds(t, s.last(0, "post").End == 0 && s.c.Stats.Expired == 1 && r[0].Outcome == serving.Aborted, "no write", s.last(0, "post"), r[0].Outcome)
}

// A heartbeat moves a lease's end to 20 s from now, unless that is later already. Here D dies, so that no more come.
func TestHeartbeatDoesNotShortenALease(t *testing.T) {
	u := defaults("pull")
	u.lease, u.extension = 500*ms, 10*ms
	s := u.start()
	s.c.KillAt(s.c.Decode[0], sim.Time(24500*sim.Microsecond))
	s.play(t, ask(0, 20, 1), ask(50*ms, 10, 1), ask(100*ms, 10, 1))
	holds(t, s.last(0, "Heartbeat").End > 0 && s.c.Stats.Expired == 0, "the lease of 500 ms stands", s.last(0, "Heartbeat"), s.c.Stats.Expired)
}
