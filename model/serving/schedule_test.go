package serving

import (
	"slices"
	"testing"

	"pdsim/model/workload"
	"pdsim/sim"

	"pgregory.net/rapid"
)

// leg makes a leg that waits in an engine for KV from elsewhere.
func (c *Cluster) leg(e *Engine, prompt int) *Leg {
	r := c.newRequest()
	*r = Request{Input: prompt, Output: 5, cluster: c, slot: r.slot, refs: 1, First: sim.Never, Prompt: workload.Prompt{ID: uint64(r.slot)}}
	r.P.choose(c.Prefill[0])
	r.D = Leg{Request: r, Engine: e, Prompt: prompt, Output: 5, Remote: true, State: Waiting}
	r.refs++
	e.waiting.push(&r.D)
	return &r.D
}

// run puts a leg among the running ones, with some of its prompt computed.
func (e *Engine) run(l *Leg, computed int) {
	e.waiting.remove(l)
	l.Remote, l.State, l.Computed = false, Running, computed
	l.Blocks, _ = e.Pool.Allocate(nil, blocksFor(computed, e.Pool.BlockSize()))
	e.running = append(e.running, l)
}

// A prompt whose chunks are being computed has a claim to the blocks of its rest: a load that took them could keep all
// of them from ever finishing. Source: github.com/vllm-project/vllm/pull/44560.
func TestLoadsLeaveRoomForRunningPrompts(t *testing.T) {
	c := newRig(1, 1, 10, 8)
	e := c.Decode[0]
	e.run(c.leg(e, 80), 20) // has 2 blocks, will want 6 more: 2 of 8 are anybody's
	large, small := c.leg(e, 30), c.leg(e, 20)
	if e.reserve(large) || e.Stats.BlockedSteps != 1 {
		t.Error("a load of 3 blocks takes one that was promised")
	}
	if !e.reserve(small) {
		t.Error("a load of 2 blocks does not get them")
	}
}

// A load takes no token of the budget and no slot, so that one step may begin any number of them.
func TestLoadsUseNoBudget(t *testing.T) {
	c := newRig(1, 1, 100, 1)
	e := c.Decode[0]
	for range 20 {
		c.leg(e, 50)
	}
	s := &e.steps[0]
	s.reset()
	e.admit(s, 1)
	if len(e.loading) != 20 || len(s.entries) != 0 || len(e.running) != 0 {
		t.Errorf("%d load, %d entries, %d run", len(e.loading), len(s.entries), len(e.running))
	}
	e.loading[3].ready, e.ready = true, 1
	c.leg(e, 50)
	e.admit(s, 1)
	if len(s.entries) != 1 || s.entries[0].tokens != 1 || e.waiting.len() != 1 {
		t.Errorf("a promotion takes a token and the slot: %d entries, %d wait", len(s.entries), e.waiting.len())
	}
}

// A step that had to preempt looks at no waiting request and promotes no finished load.
func TestNoAdmissionsInAPreemptingStep(t *testing.T) {
	c := newRig(1, 1, 4, 8)
	e := c.Decode[0]
	first, last := c.leg(e, 20), c.leg(e, 20)
	e.run(first, 20)
	e.run(last, 20)
	first.Generated, last.Generated = 1, 1
	load := c.leg(e, 1)
	e.waiting.remove(load)
	load.State, load.ready, e.loading, e.ready = Loading, true, []*Leg{load}, 1
	s := &e.steps[0]
	s.reset()
	e.schedule(s)
	if e.Stats.Preemptions != 1 || len(e.running) != 1 || e.running[0] != first || len(s.entries) != 1 {
		t.Fatalf("%d preempted, %d run, %d entries", e.Stats.Preemptions, len(e.running), len(s.entries))
	}
	if e.ready != 1 || e.waiting.front() != last || last.Remote || last.Computed != 0 || len(last.Blocks) != 0 {
		t.Errorf("ready %d; the preempted one: %+v", e.ready, *last)
	}
	s.reset()
	e.schedule(s)
	if e.ready != 0 {
		t.Error("the next step does not promote")
	}
}

// A preempted leg's output in flight is thrown away, and it goes first when there is room again.
func TestPreemptedOutputIsThrownAway(t *testing.T) {
	c := newRig(1, 1, 10, 8)
	e := c.Decode[0]
	l := c.leg(e, 20)
	e.run(l, 20)
	l.Generated = 1
	s := &e.steps[0]
	s.reset()
	s.index = 0
	e.schedule(s)
	c.leg(e, 10)
	e.preempt(l)
	e.first, e.inFlight = 0, 1
	e.update()
	if l.Generated != 1 || l.inFlight != 0 || l.known() != 21 {
		t.Errorf("%d generated, %d in flight", l.Generated, l.inFlight)
	}
	if e.waiting.front() != l {
		t.Error("it does not wait at the head")
	}
}

func TestQueueAgainstSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q legQueue
		var twin []*Leg
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			switch op := rapid.IntRange(0, 4).Draw(t, "op"); {
			case op == 0:
				l := &Leg{}
				q.pushFront(l)
				twin = append([]*Leg{l}, twin...)
			case op < 3 || len(twin) == 0:
				l := &Leg{}
				q.push(l)
				twin = append(twin, l)
			case op == 3:
				if l := q.pop(); l != twin[0] {
					t.Fatal("another head")
				}
				twin = twin[1:]
			default:
				i := rapid.IntRange(0, len(twin)-1).Draw(t, "which")
				q.remove(twin[i])
				twin = slices.Delete(slices.Clone(twin), i, i+1)
			}
			if q.len() != len(twin) || len(twin) > 0 && q.front() != twin[0] {
				t.Fatalf("%d in the queue, want %d", q.len(), len(twin))
			}
			for i, l := range twin {
				if q.at(i) != l {
					t.Fatalf("another one at %d", i)
				}
			}
		}
	})
}
