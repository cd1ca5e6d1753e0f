package sim_test

import (
	"fmt"

	"pdsim/sim"
)

// teller is an actor with two operations. It is called by number, so it is registered before it can be.
type teller struct {
	world *sim.Sim
	id    sim.HandlerID
}

const (
	opArrives sim.Op = iota
	opLeaves
)

func (t *teller) Handle(op sim.Op, customer uint32) {
	switch op {
	case opArrives:
		fmt.Printf("%v: customer %d arrives\n", t.world.Now(), customer)
		t.world.After(30*sim.Second, sim.Completion, sim.Call{To: t.id, Op: opLeaves, Arg: customer})
	case opLeaves:
		fmt.Printf("%v: customer %d leaves\n", t.world.Now(), customer)
	}
}

// Events are planted for a time and handled in the order of their times. At one instant completions come before
// arrivals, so the second customer meets nobody.
func Example() {
	world := sim.New(1, nil)
	t := &teller{world: world}
	t.id = world.Register(t)
	world.At(0, sim.Arrival, sim.Call{To: t.id, Op: opArrives, Arg: 1})
	world.At(sim.Time(30*sim.Second), sim.Arrival, sim.Call{To: t.id, Op: opArrives, Arg: 2})
	if err := world.Run(sim.Never); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 0ns: customer 1 arrives
	// 30s: customer 1 leaves
	// 30s: customer 2 arrives
	// 60s: customer 2 leaves
}

// when makes a function an actor, which is all that the smaller examples need, and returns the call that reaches it.
func when(world *sim.Sim, f func(arg uint32)) sim.Call {
	return sim.Call{To: world.Register(handler(f))}
}

type handler func(arg uint32)

func (h handler) Handle(_ sim.Op, arg uint32) { h(arg) }

// A model that makes no headway in virtual time is stopped by a budget of events.
func ExampleSim_SetBudget() {
	world := sim.New(1, nil)
	var again sim.Call
	again = when(world, func(uint32) { world.After(0, sim.Completion, again) })
	world.After(sim.Second, sim.Completion, again)
	world.SetBudget(1000)
	fmt.Println(world.Run(sim.Never))
	// Output: event budget used up: 1000 events by 1s
}

// A loop that nothing disturbs moves the clock by itself. The history is the same as with an event for each step.
func ExampleSim_Skip() {
	world := sim.New(1, nil)
	steps := 0
	var step sim.Call
	step = when(world, func(uint32) {
		for {
			steps++
			next := world.Now().Add(10 * sim.Millisecond)
			if steps == 100 {
				return
			}
			if !world.Skip(next) { // somebody else comes first
				world.At(next, sim.Boundary, step)
				return
			}
		}
	})
	world.At(0, sim.Boundary, step)
	world.At(sim.Time(505*sim.Millisecond), sim.Arrival, when(world, func(uint32) {
		fmt.Printf("%v: disturbed after %d steps\n", world.Now(), steps)
	}))
	if err := world.Run(sim.Never); err != nil {
		fmt.Println(err)
	}
	handled, skipped := world.Events()
	fmt.Printf("%v: %d steps, %d events, %d skipped\n", world.Now(), steps, handled, skipped)
	// Output:
	// 505ms: disturbed after 51 steps
	// 990ms: 100 steps, 3 events, 98 skipped
}

// Two purposes draw from streams of their own: however often one draws, the other's numbers stay.
func ExampleSim_Stream() {
	world := sim.New(42, nil)
	arrivals, sizes := world.Stream("arrivals"), world.Stream("sizes")
	fmt.Println(arrivals.IntN(100), arrivals.IntN(100), sizes.IntN(100))

	world = sim.New(42, nil)
	fmt.Println(world.Stream("sizes").IntN(100))
	// Output:
	// 24 12 47
	// 47
}

// A thread does one piece of work after the other. The second waits for the first.
func ExampleThread() {
	world := sim.New(1, nil)
	oven := world.NewThread("oven")
	done := when(world, func(n uint32) { fmt.Printf("%v: loaf %d is done\n", world.Now(), n) })
	for n := range uint32(2) {
		done.Arg = n + 1
		oven.Do(sim.Work{Kind: "bake", Busy: 40 * sim.Second, Then: done})
	}
	if err := world.Run(sim.Never); err != nil {
		fmt.Println(err)
	}
	fmt.Println("busy", oven.Busy(), "waited", oven.Waited())
	// Output:
	// 40s: loaf 1 is done
	// 80s: loaf 2 is done
	// busy 80s waited 40s
}

// A call that blocks keeps its thread until somebody closes it.
func ExampleThread_Close() {
	world := sim.New(1, nil)
	caller := world.NewThread("caller")
	answer := when(world, func(uint32) { caller.Close() })
	caller.Do(sim.Work{
		Kind: "ask", Busy: 2 * sim.Millisecond, Open: true,
		Begin: when(world, func(uint32) { world.After(5*sim.Millisecond, sim.Completion, answer) }),
	})
	caller.Do(sim.Work{
		Kind: "use the answer", Busy: sim.Millisecond,
		Then: when(world, func(uint32) { fmt.Println("done at", world.Now()) }),
	})
	if err := world.Run(sim.Never); err != nil {
		fmt.Println(err)
	}
	// Output: done at 6ms
}

// Two senders share a receiver. When the shorter transfer has ended, the longer one has the link to itself.
func ExampleFabric() {
	world := sim.New(1, nil)
	fabric := world.NewFabric()
	const rate = 1e9 // bytes a second
	a, b := fabric.Link("a", rate, 0), fabric.Link("b", rate, 0)
	receiver := fabric.Link("receiver", rate, 0)
	there := when(world, func(mb uint32) { fmt.Printf("%v: %d MB are there\n", world.Now(), mb) })
	there.Arg = 1
	fabric.Send(sim.Flow{From: a, To: receiver, Bytes: 1e6, Then: there})
	there.Arg = 3
	fabric.Send(sim.Flow{From: b, To: receiver, Bytes: 3e6, Then: there})
	if err := world.Run(sim.Never); err != nil {
		fmt.Println(err)
	}
	fmt.Println("received", fabric.Moved(receiver))
	// Output:
	// 2ms: 1 MB are there
	// 4ms: 3 MB are there
	// received 4000000
}

// Three guests want one of two tables for an hour each.
func ExamplePool() {
	world := sim.New(1, nil)
	tables := world.NewPool(2)
	leave := when(world, func(guest uint32) {
		fmt.Printf("%v: guest %d leaves\n", world.Now(), guest)
		tables.Release(1)
	})
	sit := when(world, func(guest uint32) {
		fmt.Printf("%v: guest %d sits down\n", world.Now(), guest)
		leave.Arg = guest
		world.After(3600*sim.Second, sim.Completion, leave)
	})
	for guest := range uint32(3) {
		sit.Arg = guest + 1
		tables.Acquire(1, sit)
	}
	if err := world.Run(sim.Time(4000 * sim.Second)); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 0ns: guest 1 sits down
	// 0ns: guest 2 sits down
	// 3600s: guest 1 leaves
	// 3600s: guest 2 leaves
	// 3600s: guest 3 sits down
}

// The meal is served when both cooks are through.
func ExampleGate() {
	world := sim.New(1, nil)
	var meal sim.Gate
	meal.Close(2, when(world, func(uint32) { fmt.Println("served at", world.Now()) }))
	ready := when(world, func(uint32) { meal.Arrive(world) })
	world.NewThread("meat").Do(sim.Work{Busy: 20 * sim.Second, Then: ready})
	world.NewThread("salad").Do(sim.Work{Busy: 5 * sim.Second, Then: ready})
	if err := world.Run(sim.Never); err != nil {
		fmt.Println(err)
	}
	// Output: served at 20s
}

// A heartbeat puts off the alarm. When the heart stops, the alarm goes off.
func ExampleTimer() {
	world := sim.New(1, nil)
	alarm := world.NewTimer(sim.Timeout, when(world, func(uint32) { fmt.Println("alarm at", world.Now()) }))
	beat := when(world, func(uint32) { alarm.Set(world.Now().Add(3 * sim.Second)) })
	for second := range sim.Duration(10) {
		world.After(second*sim.Second, sim.Arrival, beat)
	}
	if err := world.Run(sim.Never); err != nil {
		fmt.Println(err)
	}
	// Output: alarm at 12s
}

// A letter is typed and then posted. The path back from its arrival says where the time went: the typist was at
// another letter at first.
func ExampleLog_Path() {
	log := &sim.Log{}
	world := sim.New(1, log)
	typist := world.NewThread("typist")
	fabric := world.NewFabric()
	mail := fabric.Link("mail", 1000, 0)

	post := when(world, func(uint32) { fabric.Send(sim.Flow{Kind: "carry", From: mail, To: mail, Bytes: 7000}) })
	typist.Do(sim.Work{Kind: "type another", Busy: 2 * sim.Second})
	typist.Do(sim.Work{Kind: "type", Busy: 5 * sim.Second, Then: post})
	if err := world.Run(sim.Never); err != nil {
		fmt.Println(err)
	}
	last := log.Spans[len(log.Spans)-1]
	for _, step := range log.Path(last.ID) {
		fmt.Printf("%s on %s: waited %v, took %v\n", step.Kind, world.Tracks()[step.Track], step.Wait, step.Work)
	}
	fmt.Println("in all", last.End)
	// Output:
	// type on typist: waited 2s, took 5s
	// carry on mail: waited 0ns, took 7s
	// in all 14s
}
