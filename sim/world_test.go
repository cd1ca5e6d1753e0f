package sim

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// world is a small random model of everything that the kernel has: actors that, whenever something happens to them,
// put work on threads, send transfers, move timers, take from pools, arrive at gates, or go on by themselves a while
// later. What they do depends on the seed and on the order of what happened to them, so that two histories that once
// differ stay different.
type world struct {
	s       *Sim
	log     Log
	actors  []*actor
	threads []*Thread
	fabric  *Fabric
	links   []LinkID
	pool    *Pool
	gates   []Gate
	timers  []*Timer
	longest int64
	lazy    int
	left    int // things that actors may still start
	history []handled
}

// handled is an entry of a history.
type handled struct {
	at    Time
	actor int
	op    Op
	arg   uint32
	cause SpanID
}

// worldConfig is what a property draws.
type worldConfig struct {
	Seed                                    uint64
	Actors, Threads, Links, Timers, Actions int
	Longest                                 int64 // the longest delay: small ones make ties, large ones make room to skip
	Lazy                                    int   // per cent of times at which actors do nothing
	Stops                                   []Time
}

func drawWorld(t *rapid.T) worldConfig {
	n := func(name string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, name) }
	c := worldConfig{
		Seed: rapid.Uint64().Draw(t, "seed"), Actors: n("actors", 1, 4), Threads: n("threads", 1, 3), Links: n("links", 1, 4),
		Timers: n("timers", 1, 3), Actions: n("actions", 20, 1000), Longest: rapid.SampledFrom([]int64{1, 5, 100, 10_000}).Draw(t, "longest"),
		Lazy: rapid.SampledFrom([]int{0, 50, 95}).Draw(t, "lazy"),
	}
	for range n("stops", 0, 3) {
		c.Stops = append(c.Stops, Time(n("stop", 0, 20_000)))
	}
	return c
}

type actor struct {
	w      *world
	number int
	id     HandlerID
	r      *rand.Rand
}

const (
	opGoOn Op = iota // the actor's own next step
	opDone           // something that it started has ended
	opBegun
	opCloseWork
	opGiveBack
)

func newWorld(c worldConfig) *world {
	w := &world{longest: c.Longest, lazy: c.Lazy, left: c.Actions, gates: make([]Gate, 2)}
	w.s = New(c.Seed, &w.log)
	w.fabric = w.s.NewFabric()
	w.pool = w.s.NewPool(2)
	for i := range c.Threads {
		w.threads = append(w.threads, w.s.NewThread(fmt.Sprint("thread", i)))
	}
	for i := range c.Links {
		w.links = append(w.links, w.fabric.Link(fmt.Sprint("link", i), gigabyte*int64(i+1), Duration(i)))
	}
	for i := range c.Actors {
		a := &actor{w: w, number: i, r: w.s.Stream(fmt.Sprint("actor", i))}
		a.id = w.s.Register(a)
		w.actors = append(w.actors, a)
		w.s.At(Time(i), Arrival, Call{To: a.id})
	}
	for i := range c.Timers {
		w.timers = append(w.timers, w.s.NewTimer(Class(i), Call{To: w.actors[i%c.Actors].id, Op: opDone, Arg: uint32(i)}))
	}
	return w
}

// run plays the world, in as many goes as the config has stops and one to the end.
func (w *world) run(c worldConfig) error {
	for _, stop := range c.Stops {
		if err := w.s.Run(stop); err != nil {
			return err
		}
	}
	return w.s.Run(Never)
}

// Handle does something random, and again after a while if the actor goes on by itself. The clock is skipped where the
// kernel lets it.
func (a *actor) Handle(op Op, arg uint32) {
	w := a.w
	for {
		w.history = append(w.history, handled{w.s.now, a.number, op, arg, w.s.cause})
		switch op {
		case opBegun:
			w.s.After(a.delay(), Completion, Call{To: a.id, Op: opCloseWork, Arg: arg})
		case opCloseWork:
			w.threads[arg].Close()
		case opGiveBack:
			w.pool.Release(int(arg))
		}
		starts := a.r.IntN(2)
		if op != opGoOn {
			starts++ // so that chains of causes grow long
		}
		if a.r.IntN(100) < w.lazy {
			starts = 0 // so that there is room to skip
		}
		for range starts {
			if w.left > 0 {
				w.left--
				a.start()
			}
		}
		if w.left == 0 || op != opGoOn && a.r.IntN(10) > 0 {
			return
		}
		w.left--
		step := min(op, opDone) // whoever was called goes on too, now and then, for a step or two
		next := w.s.now.Add(a.delay())
		if !w.s.Skip(next) {
			w.s.At(next, Boundary, Call{To: a.id, Op: step})
			return
		}
		op, arg = step, 0
	}
}

// someone is a random actor's call.
func (a *actor) someone() Call {
	b := a.w.actors[a.r.IntN(len(a.w.actors))]
	return Call{To: b.id, Op: opDone, Arg: uint32(a.r.IntN(9))}
}

func (a *actor) delay() Duration { return Duration(a.r.Int64N(a.w.longest + 1)) }

func (a *actor) link() LinkID { return a.w.links[a.r.IntN(len(a.w.links))] }

// start starts one random thing.
func (a *actor) start() {
	w, s := a.w, a.w.s
	switch a.r.IntN(9) {
	case 0:
		w.threads[a.r.IntN(len(w.threads))].Do(Work{Kind: "work", Owner: int64(a.number), Busy: a.delay(), Then: a.someone()})
	case 1:
		i := a.r.IntN(len(w.threads))
		w.threads[i].Do(Work{Kind: "open", Busy: a.delay(), Open: true, Begin: Call{To: a.id, Op: opBegun, Arg: uint32(i)}, Then: a.someone()})
	case 2, 3:
		fl := Flow{Kind: "flow", From: a.link(), To: a.link(), Bytes: int64(a.delay()), Messages: a.r.Int64N(3), Then: a.someone()}
		fl.Latency = Duration(a.r.IntN(2)) * a.delay()
		fl.Limit = int64(a.r.IntN(2)) * 1e8
		w.fabric.Send(fl)
	case 4:
		w.timers[a.r.IntN(len(w.timers))].Set(s.now.Add(a.delay()))
	case 5:
		n := 1 + a.r.IntN(2)
		w.pool.Acquire(n, Call{To: a.id, Op: opGiveBack, Arg: uint32(n)})
	case 6:
		g := &w.gates[a.r.IntN(len(w.gates))]
		if g.Open() {
			g.Close(1+a.r.IntN(3), a.someone())
		} else {
			g.Arrive(s)
		}
	case 7:
		s.After(a.delay(), Arrival, a.someone())
	case 8:
		l := a.link()
		w.fabric.SetRate(l, gigabyte*(1+a.r.Int64N(4)))
	}
}

// digest is a number that two histories share only if they are the same.
func (w *world) digest() uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, w.history, w.log.Spans, w.s.now)
	return h.Sum64()
}

func TestSkippingChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawWorld(t)
		fast, slow := newWorld(c), newWorld(c)
		slow.s.Stepwise()
		for _, w := range []*world{fast, slow} {
			if err := w.run(c); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(fast.history, slow.history) {
			t.Fatalf("histories differ:\n%v\n%v", fast.history, slow.history)
		}
		if !reflect.DeepEqual(fast.log.Spans, slow.log.Spans) {
			t.Fatalf("spans differ:\n%v\n%v", fast.log.Spans, slow.log.Spans)
		}
		handled, skipped := fast.s.Events()
		stepped, none := slow.s.Events()
		if handled+skipped != stepped || none != 0 || fast.s.now != slow.s.now {
			t.Fatalf("%d events and %d skipped by %v, stepwise %d by %v", handled, skipped, fast.s.now, stepped, slow.s.now)
		}
	})
}

func TestTwoRunsAreOneHistory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawWorld(t)
		var digests [2]uint64
		for i := range digests {
			w := newWorld(c)
			if err := w.run(c); err != nil {
				t.Fatal(err)
			}
			digests[i] = w.digest()
			c.Stops = nil // whether a run is made in one go or in several does not matter either
		}
		if digests[0] != digests[1] {
			t.Fatalf("two runs of one world differ: %x, %x", digests[0], digests[1])
		}
	})
}

func TestSpansAndPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawWorld(t)
		w := newWorld(c)
		if err := w.run(c); err != nil {
			t.Fatal(err)
		}
		for i, sp := range w.log.Spans {
			if sp.ID != SpanID(i+1) || sp.Cause >= sp.ID {
				t.Fatalf("span %d has number %d and cause %d", i+1, sp.ID, sp.Cause)
			}
			if sp.Ready > sp.Start || sp.Start > sp.End {
				t.Fatalf("span out of order: %+v", sp)
			}
			if sp.Cause != 0 && w.log.At(sp.Cause).End > sp.Ready {
				t.Fatalf("%+v was ready before its cause %+v had ended", sp, *w.log.At(sp.Cause))
			}
			checkPath(t, &w.log, sp)
		}
	})
}

// checkPath checks that the path to a span tiles its time.
func checkPath(t *rapid.T, log *Log, sp Span) {
	path := log.Path(sp.ID)
	if last := path[len(path)-1].Span; last != sp {
		t.Fatalf("the path to %+v ends with %+v", sp, last)
	}
	released := path[0].Ready
	var sum Duration
	for _, seg := range path {
		if seg.Wait < 0 || seg.Work < 0 || seg.Start != released.Add(seg.Wait) || seg.End != seg.Start.Add(seg.Work) {
			t.Fatalf("segment %+v does not follow its release at %v", seg, released)
		}
		sum += seg.Wait + seg.Work
		released = seg.End
	}
	if want := sp.End.Sub(path[0].Ready); sum != want {
		t.Fatalf("the path's steps add up to %v of %v", sum, want)
	}
}

// TestWorldsAreEventful makes sure that the properties above have something to hold on.
func TestWorldsAreEventful(t *testing.T) {
	c := worldConfig{Seed: 1, Actors: 2, Threads: 3, Links: 3, Timers: 3, Actions: 2000, Longest: 100}
	busy := newWorld(c)
	c.Lazy = 95
	idle := newWorld(c)
	for _, w := range []*world{busy, idle} {
		if err := w.run(c); err != nil {
			t.Fatal(err)
		}
	}
	steps := 0
	for _, sp := range busy.log.Spans {
		steps = max(steps, len(busy.log.Path(sp.ID)))
	}
	if _, skipped := idle.s.Events(); skipped < 300 || len(busy.log.Spans) < 300 || steps < 8 {
		t.Errorf("%d skips; %d spans, the longest path of %d steps", skipped, len(busy.log.Spans), steps)
	}
}
