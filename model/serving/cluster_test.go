package serving

import (
	"testing"

	"pdsim/model/workload"
	"pdsim/sim"

	"pgregory.net/rapid"
)

// Whatever becomes of requests, in the end nothing points to them any more and they are used again.
func TestEveryRequestIsUsedAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newRig(rapid.IntRange(1, 2).Draw(t, "prefills"), rapid.IntRange(1, 2).Draw(t, "decodes"), rapid.IntRange(12, 60).Draw(t, "blocks"), rapid.IntRange(1, 4).Draw(t, "seqs"))
		for _, e := range append(append([]*Engine{}, c.Prefill...), c.Decode...) {
			e.Async = rapid.Bool().Draw(t, "async")
			if rapid.IntRange(0, 3).Draw(t, "dies") == 0 {
				c.KillAt(e, sim.Time(rapid.Int64Range(1, 500e6).Draw(t, "at")))
			}
		}
		c.FailHandshakes = rapid.IntRange(0, 2).Draw(t, "failing handshakes")
		c.Client.Timeout = sim.Duration(rapid.SampledFrom([]int64{30e6, 120e6, 5e9}).Draw(t, "timeout"))
		for range 2 {
			n := 0
			c.Client.Ended = func(*Request) { n++ }
			if err := c.Client.Play(some(10, sim.Duration(rapid.Int64Range(0, 20e6).Draw(t, "apart")), 40, 12)); err != nil {
				t.Fatal(err)
			}
			if n != 10 {
				t.Fatalf("%d of 10 ended", n)
			}
		}
		c.Client.Ended = nil
		if held := settle(t, c); len(held) > 0 {
			t.Fatalf("requests %v are held on to", held)
		}
		for _, e := range append(append([]*Engine{}, c.Prefill...), c.Decode...) {
			if e.coming != 0 {
				t.Fatalf("%s expects %d requests", e.Name, e.coming)
			}
		}
	})
}

// A request that ends on its way to an engine is not taken up there.
func TestAbortedOnTheWay(t *testing.T) {
	c := newRig(1, 1, 100, 4)
	c.Client.Timeout = 500 * sim.Microsecond // the hop takes a millisecond
	play(t, c, some(1, 0, 50, 1))
	c.Client.Timeout = 0
	play(t, c, some(1, 0, 50, 1))
	if n := c.Prefill[0].Stats.SlotWait.N; n != 1 {
		t.Errorf("%d requests were taken up", n)
	}
}

// turns is a source of conversations: each request is followed by another of its session.
type turns struct {
	list
	left []int
}

func (s *turns) Done(session uint64, at sim.Time) (workload.Arrival, bool) {
	if s.left[session] == 0 {
		return workload.Arrival{}, false
	}
	s.left[session]--
	return workload.Arrival{At: at, Input: 10, Output: 2, Session: session}, true
}

// A conversation's next turn waits for a slot of max_concurrency like any other request.
func TestTurnsCountTowardsConcurrency(t *testing.T) {
	c := newRig(1, 1, 100, 8)
	c.Client.MaxConcurrency = 2
	src := &turns{list: *some(5, 0, 10, 2), left: []int{3, 3, 3, 3, 3}}
	for i := range src.list {
		src.list[i].Session = uint64(i)
	}
	most, done := 0, 0
	c.Client.Ended = func(r *Request) {
		out := 0
		for _, other := range c.requests {
			if other.Outcome == Open && other.P.Engine != nil {
				out++
			}
		}
		most = max(most, out+1)
		done++
	}
	play(t, c, src)
	if done != 20 || most != 2 {
		t.Errorf("%d requests, %d at once", done, most)
	}
}

// The least loaded engine is the one with the fewest requests on it and on their way to it; equals take turns.
func TestLeastLoaded(t *testing.T) {
	c := newRig(1, 3, 100, 8)
	c.Router.Policy = LeastLoaded
	var legs [6]Request
	for i := range legs {
		legs[i].cluster = c
		legs[i].ChooseDecode()
	}
	for i, e := range c.Decode {
		if e.load() != 2 {
			t.Errorf("engine %d has %d requests", i, e.load())
		}
	}
	legs[1].D.arrive()
	legs[1].D.arrive() // once only
	var next Request
	next.cluster = c
	next.ChooseDecode()
	if next.D.Engine != legs[1].D.Engine {
		t.Errorf("want the engine with a request less, have loads %d, %d, %d", c.Decode[0].load(), c.Decode[1].load(), c.Decode[2].load())
	}
}

// What can never be served fails at once, with the reason.
func TestImpossibleRequestsFail(t *testing.T) {
	c := newRig(1, 1, 10, 8)
	var reasons []string
	c.Client.Ended = func(r *Request) { reasons = append(reasons, r.Reason) }
	play(t, c, &list{{Input: 101, Output: 1}, {Input: 95, Output: 7}, {Input: 0, Output: 1}, {Input: 95, Output: 6}})
	want := []string{
		"101 tokens do not fit the KV memory of P: 10 blocks of 10 tokens", "101 tokens do not fit the KV memory of D: 10 blocks of 10 tokens",
		"0 prompt and 1 output tokens: want 1 or more of each", "",
	}
	for i, w := range want {
		if reasons[i] != w {
			t.Errorf("want %q, have %q", w, reasons[i])
		}
	}
}

// A step in flight may hold a part for a request that has been aborted and whose place another one has taken since.
// What comes of that part is not the new request's.
func TestReusedRequestIgnoresOldSteps(t *testing.T) {
	c := newRig(1, 1, 100, 8)
	p := c.Prefill[0]
	p.Async, c.Client.Timeout = true, 150*sim.Millisecond
	// Three chunks of 100 ms, aborted in the second one when the third one is scheduled already.
	play(t, c, &list{{Input: 300, Output: 1}})
	old := c.requests[0]
	c.Client.Timeout = 0
	var computed sim.Time
	c.Client.Ended = func(r *Request) {
		if r != old {
			t.Error("want the aborted request's place taken")
		}
		computed = r.P.token
	}
	play(t, c, &list{{Input: 10, Output: 1}})
	if steps, want := p.Stats.Steps, sim.Time(311*sim.Millisecond); steps != 4 || computed != want {
		t.Errorf("%d steps; want its prompt computed at %v, have %v", steps, want, computed)
	}
}

// Requests times the time that they run or wait, by which mean numbers and Little's law are worked out.
func TestTimeInQueues(t *testing.T) {
	c := newRig(1, 1, 100, 1)
	play(t, c, some(2, 0, 10, 5))
	d := c.Decode[0]
	if want := int64(2 * 5 * 11 * sim.Millisecond); d.Stats.RunningTime != want { // each runs for five steps
		t.Errorf("running: want %d, have %d", want, d.Stats.RunningTime)
	}
	var waited int64
	for _, total := range []Total{d.Stats.SlotWait, d.Stats.PromoteWait} {
		waited += int64(total.Sum)
	}
	if d.Stats.WaitingTime < waited {
		t.Errorf("waiting: %d, of which %d for slots", d.Stats.WaitingTime, waited)
	}
}
