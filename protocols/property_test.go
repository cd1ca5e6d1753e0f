package protocols

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pdsim/model/nixl"
	"pdsim/model/serving"
	"pdsim/sim"

	"pgregory.net/rapid"
)

// ending is how one request ended, for comparing runs.
type ending struct {
	id                int64
	outcome           serving.Outcome
	sent, first, last sim.Time
}

// history is a world that was played, with what was seen of it.
type history struct {
	world    *world
	cluster  *serving.Cluster
	log      *sim.Log // nil when nothing was recorded
	endings  []ending
	requests []serving.Request // as they were when they ended
	missing  map[int64]int64   // by request: bytes that D lacked when it reserved its blocks
	moved    map[int64]int64   // by request: bytes of its transfers that were seen complete
	books    error             // the first time that the cluster's did not balance
}

// spy is a protocol that is watched.
type spy struct {
	serving.Protocol
	h *history
}

// Allocated notes what has to be moved, in pieces of prefill's blocks of 16 tokens.
func (s spy) Allocated(r *serving.Request) {
	s.h.missing[r.ID] = int64((r.Input+15)/16-r.D.Hit*s.h.world.ratio) * 16 * bytesPerToken
	s.Protocol.Allocated(r)
}

// play plays a world to its end.
func (w *world) play(t *rapid.T, log *sim.Log, stepwise bool) *history {
	var rec sim.Recorder
	if log != nil {
		rec = log
	}
	c := w.build(rec)
	if stepwise {
		c.Sim.Stepwise()
	}
	c.Sim.SetBudget(20e6)
	h := &history{world: w, cluster: c, log: log, missing: map[int64]int64{}, moved: map[int64]int64{}}
	c.Protocol = spy{c.Protocol, h}
	c.Client.KeepGaps = true
	c.Client.Ended = h.ended
	c.Stats.Seen = func(x *nixl.Transfer, _ sim.Time, ranks int) {
		h.moved[x.Owner] += int64(ranks*x.Handles) * x.Extent.Bytes
	}
	if err := c.Client.Play(&script{slices.Clone(w.arrivals)}); err != nil {
		t.Fatal(err)
	}
	return h
}

func (h *history) ended(r *serving.Request) {
	h.endings = append(h.endings, ending{r.ID, r.Outcome, r.Sent, r.First, r.Last})
	kept := *r
	kept.Gaps = slices.Clone(r.Gaps)
	h.requests = append(h.requests, kept)
	h.check()
}

func (h *history) check() {
	if err := h.cluster.Check(); h.books == nil {
		h.books = err
	}
}

// invariants are what holds of every history, whatever goes wrong in it.
var invariants = []struct {
	name  string
	holds func(h *history) error
}{
	{"each request ends once", (*history).eachEndsOnce},
	{"nothing fails without a fault", (*history).nothingFails},
	{"tokens conserved", (*history).tokensConserved},
	{"bytes conserved", (*history).bytesConserved},
	{"blocks conserved", (*history).blocksConserved},
	{"no token before its KV", (*history).noTokenBeforeItsKV},
	{"first come, first served", (*history).firstComeFirstServed},
	{"no effect before its cause", (*history).noEffectBeforeItsCause},
	{"paths add up", (*history).pathsAddUp},
	{"released by the last dependency", (*history).releasedByTheLast},
}

func (h *history) eachEndsOnce() error {
	times := make([]int, len(h.world.arrivals))
	for _, e := range h.endings {
		times[e.id]++
		if e.outcome == serving.Open {
			return fmt.Errorf("request %d ended open", e.id)
		}
	}
	for id, n := range times {
		if n != 1 {
			return fmt.Errorf("request %d ended %d times", id, n)
		}
	}
	return nil
}

func (h *history) nothingFails() error {
	for _, r := range h.requests {
		if r.Outcome == serving.Failed && !h.world.faulty() && h.world.fits(r.ID) {
			return fmt.Errorf("request %d failed: %s", r.ID, r.Reason)
		}
	}
	return nil
}

func (h *history) tokensConserved() error {
	for _, r := range h.requests {
		var sum sim.Duration
		for _, g := range r.Gaps {
			sum += g
		}
		switch {
		case r.Outcome != serving.Done:
		case r.D.Generated != r.Output || len(r.Gaps) != r.Output-1:
			return fmt.Errorf("request %d has %d tokens with %d gaps, want %d", r.ID, r.D.Generated, len(r.Gaps), r.Output)
		case sum != r.Last.Sub(r.First) || r.First < r.Sent:
			return fmt.Errorf("request %d: sent %v, first %v, last %v, gaps of %v", r.ID, r.Sent, r.First, r.Last, sum)
		}
	}
	return nil
}

// bytesConserved: what D lacked crosses the wire exactly once. A writer may not have seen the end of it yet.
func (h *history) bytesConserved() error {
	var sum int64
	for _, b := range h.moved {
		sum += b
	}
	if sum != h.cluster.Stats.Bytes {
		return fmt.Errorf("%d bytes counted, transfers have %d", h.cluster.Stats.Bytes, sum)
	}
	for _, r := range h.requests {
		moved, seen := h.moved[r.ID]
		must := r.Outcome == serving.Done && r.P.Engine != nil && !h.cluster.Protocol.Writes()
		if (seen || must) && moved != h.missing[r.ID] {
			return fmt.Errorf("request %d: %d bytes moved, %d were missing", r.ID, moved, h.missing[r.ID])
		}
	}
	return nil
}

// blocksConserved: the cluster's books balance whenever a request ends, and some time after the last one.
func (h *history) blocksConserved() error {
	if err := h.cluster.Sim.Run(h.cluster.Sim.Now().Add(3 * sim.Second)); err != nil {
		return err
	}
	h.check()
	for _, e := range h.cluster.Decode { // a reader gets all its blocks back; a writer's destination may wait for ever
		if !h.cluster.Protocol.Writes() && !e.Agent.Down && e.Pool.Used() > 0 {
			return fmt.Errorf("%s keeps %d blocks with no request left", e.Name, e.Pool.Used())
		}
	}
	return h.books
}

func (h *history) noTokenBeforeItsKV() error {
	if h.log == nil {
		return nil
	}
	there := map[int64]sim.Time{}
	for _, sp := range h.log.Spans {
		if sp.Kind == "wire" {
			there[sp.Owner] = max(there[sp.Owner], sp.End)
		}
	}
	for _, sp := range h.log.Spans {
		if sp.Kind == "first decode" && sp.Start < there[sp.Owner] {
			return fmt.Errorf("request %d is computed at %v, its KV is there at %v", sp.Owner, sp.Start, there[sp.Owner])
		}
	}
	return nil
}

// firstComeFirstServed: an engine's waiting queue is served in order.
func (h *history) firstComeFirstServed() error {
	queues := map[*serving.Engine][]serving.Leg{}
	for _, r := range h.requests {
		for _, l := range []serving.Leg{r.P, r.D} {
			if l.Admitted > 0 {
				queues[l.Engine] = append(queues[l.Engine], l)
			}
		}
	}
	for e, q := range queues {
		slices.SortFunc(q, func(a, b serving.Leg) int {
			return cmp.Or(cmp.Compare(a.Admitted, b.Admitted), cmp.Compare(a.Queued, b.Queued))
		})
		for i := range len(q) - 1 {
			if q[i].Queued > q[i+1].Queued {
				return fmt.Errorf("%s admits one that came at %v before one that came at %v", e.Name, q[i].Queued, q[i+1].Queued)
			}
		}
	}
	return nil
}

func (h *history) noEffectBeforeItsCause() error {
	if h.log == nil {
		return nil
	}
	for _, sp := range h.log.Spans {
		if sp.Cause != 0 && h.log.At(sp.Cause).End > sp.Start || sp.Ready > sp.Start || sp.End < sp.Start {
			return fmt.Errorf("%+v is caused by %+v", sp, *h.log.At(max(1, sp.Cause)))
		}
	}
	return nil
}

// pathsAddUp: walking back from a first token, waits and works add up to its TTFT.
func (h *history) pathsAddUp() error {
	for _, r := range h.requests {
		if h.log == nil || r.Tail == 0 {
			continue
		}
		var sum sim.Duration
		path := h.log.Path(r.Tail)
		for _, seg := range path {
			sum += seg.Wait + seg.Work
		}
		if sum != r.First.Sub(r.Sent) || path[0].Kind != "send" {
			return fmt.Errorf("request %d: the path from %q adds up to %v, TTFT is %v", r.ID, path[0].Kind, sum, r.First.Sub(r.Sent))
		}
	}
	return nil
}

// hold fails for the invariants that a world's history breaks, and unless the world has the same history without a
// recorder, and with every event taken through the queue.
func (w *world) hold(t *rapid.T) {
	h := w.play(t, &sim.Log{}, false)
	stats := h.cluster.Stats
	for _, stepwise := range []bool{false, true} {
		again := w.play(t, nil, stepwise)
		again.cluster.Stats.Seen, stats.Seen = nil, nil
		if !slices.Equal(h.endings, again.endings) || !reflect.DeepEqual(stats, again.cluster.Stats) {
			t.Fatalf("deterministic: another history, stepwise %v:\n%v\n%v\n%+v\n%+v", stepwise, h.endings, again.endings, stats, again.cluster.Stats)
		}
	}
	for _, inv := range invariants {
		if err := inv.holds(h); err != nil {
			t.Fatalf("%s: %v", inv.name, err)
		}
	}
}

func TestRandomWorlds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		w.hold(t)
	})
}

func TestRandomFaults(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		w.drawFaults(t)
		w.hold(t)
	})
}

func (w *world) fits(id int64) bool {
	a := w.arrivals[id]
	size := 16 * w.ratio
	return a.Input <= w.blocks*16 && a.Input+a.Output-1 <= w.blocks*16/size*size
}
