// Package sim is a discrete-event kernel: a virtual clock and the few things that models are built of.
//
// A model is a set of actors. Each implements [Handler], is registered once with [Sim.Register], and from then on is
// known by a small number. An event is a time, a handler's number, an operation and an argument; nothing is allocated
// for it. [Sim.At] plants one, [Sim.Run] works them off in the order (time, class, sequence), so that one seed and one
// model give one history, bit for bit.
//
//	type teller struct {
//		world *sim.Sim
//		id    sim.HandlerID
//	}
//
//	func (t *teller) Handle(op sim.Op, customer uint32) {
//		switch op {
//		case opArrives:
//			t.world.After(30*sim.Second, sim.Completion, sim.Call{To: t.id, Op: opLeaves, Arg: customer})
//		case opLeaves:
//			fmt.Println(customer, "leaves at", t.world.Now())
//		}
//	}
//
//	world := sim.New(seed, nil)
//	t := &teller{world: world}
//	t.id = world.Register(t)
//	world.At(0, sim.Arrival, sim.Call{To: t.id, Op: opArrives, Arg: 1})
//	err := world.Run(sim.Never)
//
// What a model is made of:
//
//   - [Thread] does work one piece after the other, each for a given time: a CPU thread, a GPU stream, a server.
//   - [Fabric] is links that transfers in flight share fairly at both ends (max-min), byte for byte.
//   - [Pool] lends a counted resource and lets takers wait in line, first come first served.
//   - [Gate] opens after n arrivals and remembers who came last.
//   - [Timer] is one pending event that can be moved.
//   - [Sim.Stream] gives a random stream of its own to each purpose, so that one more consumer shifts no other.
//
// # Causes
//
// While an event is handled, [Sim.Cause] is the span that led to it. Whatever the handler starts inherits that cause,
// and when a piece of work ends it becomes the cause of what follows. With a [Recorder] attached each piece of work is
// kept as a [Span] that names what released it. [Log.Path] walks those causes back from any span: since a span starts when
// its last dependency is met, the steps and the waits between them tile the time exactly. Without a recorder all this
// costs one branch.
//
// What is not on a path has slack. To say how much, a span that several things had to come together for is recorded with
// the others besides its cause ([Log.Others]); a [Gate] remembers them. And a span that was released and then waited for
// its thread says what the thread was at until then: it was Behind that. A cause is what the work needed, whoever did it; what
// it was behind is only in the way, and belongs to somebody else.
//
// # Skipping
//
// A steady model schedules thousands of events that nothing can disturb. [Sim.Skip] lets a handler move the clock by
// itself while no other event is pending, which gives the same history as one event a step at a fraction of the cost.
//
// # Limits
//
// Time is whole nanoseconds up to [Never], some 292 years. A transfer flows like a fluid at whole bytes a second: there
// are no packets, and a link shared by more transfers than it has bytes a second stands still. A transfer's messages
// weigh alike on both its ends, by the dearer one. An event cannot be taken back: a [Timer] can, and a handler may
// ignore what no longer concerns it. Negative lengths, sizes and counts are mistakes of the program, and panic.
//
// The examples below take one thing after the other.
package sim
