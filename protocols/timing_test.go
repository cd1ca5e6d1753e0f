package protocols

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pdsim/model/serving"
	"pdsim/model/workload"
	"pdsim/sim"
)

// This file holds what is claimed of the times that vLLM's NIXL connectors take: pull_worker.py, push_worker.py and the
// threads about them.

const (
	gpu  = 10 * ms
	step = 11 * ms // of a decode, with its launch
)

// busy plays request 1 against a D that decodes request 0 all the time, and returns both.
func busy(t testing.TB, u setup, at sim.Duration, input int) (*scene, []serving.Request) {
	t.Helper()
	s := u.start()
	return s, s.play(t, ask(0, 10, 60), ask(at, input, 3))
}

// landed is when a request's last byte arrived.
func (s *scene) landed(id int64) sim.Time { return s.last(id, "wire").End }

// last is the last span of a kind for a request.
func (s *scene) last(id int64, kind string) sim.Span {
	var found sim.Span
	for _, sp := range s.log.Spans {
		if sp.Owner == id && sp.Kind == kind && sp.End >= found.End {
			found = sp
		}
	}
	return found
}

// With synchronous scheduling and a decode step s, D takes
//
//	U(0,s) to the boundary + post + transfer + U(0,s) to the poll + s for the poll's step + s for the recomputation
//
// from the request's arrival to its first token, wherever in a step it arrives.
// Source: github.com/vllm-project/vllm/issues/50913, whose measured parts this form explains.
func TestDecodeTailHasTheClosedForm(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	var sum sim.Duration
	const n = 300
	for range n {
		at := sim.Duration(random.Int64N(int64(100 * ms)))
		u := defaults("pull")
		u.post = sim.Duration(random.Int64N(int64(990 * sim.Microsecond))) // all 10 within the GPU's time
		s, r := busy(t, u, at, 50)
		moving := s.landed(1).Sub(s.last(1, "post").Start)
		rest := r[1].First.Add(-ms).Sub(r[1].D.Queued) - moving
		holds(t, rest >= 2*step && rest < 4*step, "two steps, and two parts of one", rest)
		sum += rest
	}
	mean := sum / n
	holds(t, mean > 29*step/10 && mean < 31*step/10, "three steps on average", mean)
}

// D's main thread sees a read's end at the next poll, which is at a step's beginning, and knows of it when that step is
// over. What push's writer reads on one wake the main thread takes at the next: a step more.
func TestPushIsSeenAStepLaterThanPull(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	for p, later := range map[string]sim.Duration{"pull": 0, "push": step} {
		for range 100 {
			at := sim.Duration(random.Int64N(int64(100 * ms)))
			s, r := busy(t, defaults(p), at, 50)
			seen := r[1].D.Loaded.Sub(s.landed(1)) - later
			holds(t, seen >= gpu && seen < gpu+step, p+": known after the landing", seen)
		}
	}
}

// With asynchronous scheduling what a poll sees in one step is known with the step after that, and the promoted request
// runs in the one after the one that is scheduled.
func TestAsynchronousSchedulingCostsASteps(t *testing.T) {
	var sum [2]sim.Duration
	for i, async := range []bool{false, true} {
		random := rand.New(rand.NewPCG(3, 3))
		for range 100 {
			u := defaults("pull")
			u.async = async
			_, r := busy(t, u, sim.Duration(random.Int64N(int64(100*ms))), 50)
			sum[i] += r[1].First.Sub(r[1].D.Queued)
		}
	}
	more := (sum[1] - sum[0]) / 100
	holds(t, more > gpu && more < 3*gpu, "one to three steps", more)
}

// gap is the longest time between two tokens of request 0 in D.
func gap(t testing.TB, u setup) sim.Duration {
	t.Helper()
	_, r := busy(t, u, 20*ms, 50)
	return slices.Max(r[0].Gaps)
}

// A post on the main thread makes everybody wait who decodes: all of it before the forward's launch, what is longer than
// the forward after it. A background thread's makes nobody wait. Source: github.com/vllm-project/vllm/pull/53333, 45211.
func TestInlinePostLengthensTokens(t *testing.T) {
	for _, c := range []struct {
		protocol string
		before   bool
		post     sim.Duration // of 10 descriptors
		want     sim.Duration
	}{
		{"pull", true, 5 * ms, step + 5*ms}, {"pull", true, 20 * ms, step + 20*ms},
		{"pull", false, 5 * ms, step}, {"pull", false, 20 * ms, ms + 20*ms},
		{"pull-reader", false, 20 * ms, step}, {"push", false, 20 * ms, step}, {"push", true, 20 * ms, step},
	} {
		u := defaults(c.protocol)
		u.before, u.post = c.before, c.post/10
		holds(t, gap(t, u) == c.want, "longest gap", c, gap(t, u))
	}
}

// Reads of one step are posted one after the other: a later request's waits for those before it.
func TestPostsOfAStepAreSerial(t *testing.T) {
	s := defaults("pull").start()
	s.play(t, ask(0, 10, 2), ask(0, 10, 2), ask(0, 10, 2))
	for id := int64(1); id < 3; id++ {
		holds(t, s.last(id, "post").Start == s.last(id-1, "post").End, "one after the other", s.last(id, "post"))
	}
}

// With UCX a WRITE is over for D when P's main thread has polled, however long P's step is; with libfabric when the data
// is there. Source: src/plugins/ucx/ucx_backend.cpp, checkXfer; src/plugins/libfabric.
func TestUCXWritesWaitForTheProducersStep(t *testing.T) {
	for _, ucx := range []bool{false, true} {
		u := defaults("push")
		u.ucx = ucx
		s := u.start()
		r := s.play(t, ask(0, 100, 2), ask(50*ms, 300, 1))
		long := s.last(1, "prefill")
		holds(t, s.landed(0) < long.End, "the write is over early", s.landed(0), long)
		holds(t, ucx == (r[0].D.Loaded > long.End), "D waits for P's step only with UCX", ucx, r[0].D.Loaded, long.End)
	}
}

// The passive side of a READ is told by the reader's poll on every backend.
func TestReadIsNotifiedFromThePoll(t *testing.T) {
	for _, ucx := range []bool{false, true} {
		u := defaults("pull")
		u.ucx = ucx
		s, _ := busy(t, u, 20*ms, 50)
		seen := s.last(1, "seen by poll")
		holds(t, seen.Start > s.landed(1) && s.last(1, "KVRead").Start == seen.Start, "told when seen", seen, s.last(1, "KVRead"))
	}
}

// P frees what was read at its next poll, with that step's output; a long prefill step keeps the blocks.
func TestProducerFreesAtItsStep(t *testing.T) {
	u := defaults("pull")
	u.tokens = 300
	s := u.start()
	s.play(t, ask(0, 100, 2), ask(50*ms, 300, 1), ask(60*ms, 10, 1))
	holds(t, s.last(0, "KVRead").End < s.last(1, "prefill").End && s.last(0, "free").Start > s.last(1, "prefill").End.Add(-1),
		"freed after the long step", s.last(0, "free"))
}

// Who dispatches one leg after the other lands in push's second order, where the registration is on the critical path.
func TestSequentialRouterMakesPushSlower(t *testing.T) {
	ttft := func(p string, sequential bool) sim.Duration {
		u := defaults(p)
		u.sequential = sequential
		r := u.start().play(t, ask(0, 100, 2))
		return r[0].First.Sub(r[0].Sent)
	}
	holds(t, ttft("push", true) > ttft("pull", true) && ttft("push", false) < ttft("pull", true), "push and pull, sequential, and push, concurrent",
		ttft("push", true), ttft("pull", true), ttft("push", false))
}

// A loop with unfinished requests and nothing to compute rests for a millisecond after each step.
func TestIdleLoopRestsAMillisecond(t *testing.T) {
	u := defaults("pull")
	u.post = 10 * ms // D has nothing but this read for 100 ms; in the step of the post it does not rest meanwhile
	s := u.start()
	r := s.play(t, ask(0, 100, 1))
	posted := s.last(0, "post").End
	holds(t, r[0].D.Loaded.Sub(posted) == ms+100*sim.Microsecond, "a rest, and an empty step", r[0].D.Loaded, posted)
	u = defaults("push") // D polls every 1.1 ms from its registration on
	r = u.start().play(t, ask(0, 100, 1))
	rounds := r[0].D.Loaded.Sub(r[0].D.Admitted) - 100*sim.Microsecond
	holds(t, rounds%(1100*sim.Microsecond) == 0, "whole rounds of 1.1 ms", rounds)
}

// The first request between two engines waits for the handshake and for the step after it; the next ones do not.
func TestHandshakeDelaysTheFirstRequest(t *testing.T) {
	u := defaults("pull")
	u.strangers, u.handshake = true, 50*ms
	s := u.start()
	r := s.play(t, ask(0, 50, 1), ask(300*ms, 50, 1))
	more := r[0].First.Sub(r[0].Sent) - r[1].First.Sub(r[1].Sent)
	holds(t, more >= 50*ms && more < 53*ms, "one handshake", more)
}

// leases plays a request that waits for D's only slot for as long as request 0 runs, and a P that steps every second.
func leases(t testing.TB, protocol string, seconds int) (*scene, []serving.Request) {
	t.Helper()
	u := defaults(protocol)
	u.seqs = 1
	s := u.start()
	arrivals := []workload.Arrival{ask(0, 10, seconds*1000/11), ask(40*ms, 50, 1)}
	s.c.Client.Timeout = sim.Duration(seconds+60) * sim.Second
	for i := range seconds {
		arrivals = append(arrivals, ask(sim.Duration(i+1)*sim.Second, 1, 1))
	}
	return s, s.play(t, arrivals...)
}

// A lease is 30 s from the end of the prefill. Every 5 s D's heartbeats move its end to 20 s from then, from the request's
// arrival at D on: pulled requests keep their blocks for as long as D has them in its queue.
// Source: docs/design/nixl_kv_cache_lease.md.
func TestHeartbeatsKeepPulledBlocks(t *testing.T) {
	s, r := leases(t, "pull", 90)
	holds(t, s.c.Stats.Expired == 0 && s.c.Stats.StaleReads == 0 && r[1].Outcome == serving.Done, "nothing expires", s.c.Stats.Expired)
	var beats []sim.Time
	for _, sp := range s.log.Spans {
		if sp.Kind == "Heartbeat" && sp.Owner == 1 {
			beats = append(beats, sp.Start)
		}
	}
	holds(t, len(beats) > 10, "there are heartbeats", len(beats))
	for i := range len(beats) - 1 {
		d := beats[i+1].Sub(beats[i])
		holds(t, d >= 5*sim.Second && d < 5*sim.Second+step, "a heartbeat every 5 s, at a step", d)
	}
}

// Push's heartbeats carry a name that P does not know: the lease stays 30 s from the end of the prefill, and D never
// gets the KV. Source: github.com/vllm-project/vllm/issues/53095.
func TestPushedBlocksAreKeptFor30Seconds(t *testing.T) {
	s, r := leases(t, "push", 40)
	ends := s.last(1, "lease ends")
	since := ends.Start.Sub(r[1].P.Admitted) - 51*ms
	holds(t, since >= 30*sim.Second && since < 30*sim.Second+ms, "the lease ends", since)
	holds(t, r[1].Outcome == serving.Aborted && s.c.Stats.StaleReads == 0, "D waits until its client gives up", r[1].Outcome)
}

// Transfers are counted by whoever posted them, when its poll sees the end: xfer time contains the wait for that poll,
// post time does not. Source: vllm's nixl/stats.py; nixl_agent.cpp.
func TestTransferTimeEndsWithThePoll(t *testing.T) {
	s, _ := busy(t, defaults("pull"), 20*ms, 50)
	seen, post := s.last(1, "seen by poll").Start, s.last(1, "post")
	first := s.last(0, "seen by poll").Start.Sub(s.last(0, "post").Start)
	holds(t, s.c.Stats.Wire.Sum == first+seen.Sub(post.Start) && s.c.Stats.Post.Sum == 2*ms, "xfer and post", s.c.Stats.Wire, s.c.Stats.Post)
	holds(t, seen > s.landed(1), "seen later than landed", seen, s.landed(1))
}

// A worker that polls when its GPU is done sees what ended during the forward, and reports it with that step's output.
// Source: github.com/vllm-project/vllm/pull/56817, the order of the newer model runner.
func TestPollAfterTheForward(t *testing.T) {
	for _, latency := range []sim.Duration{100 * sim.Microsecond, 25 * ms} { // within the step of the post, and later
		u := defaults("pull")
		u.pollLast = true
		s := u.start()
		s.c.Decode[0].Agent.Costs.ReadLatency = latency
		r := s.play(t, ask(0, 10, 60), ask(20*ms, 50, 3))
		late := r[1].D.Loaded.Sub(s.landed(1))
		holds(t, late >= 0 && late < step && r[1].D.Loaded == s.last(1, "seen by poll").End, "seen when the step's forward is over", latency, late)
	}
}
