package nixl

import (
	"testing"

	"pdsim/model/kv"
	"pdsim/sim"
)

// bench is two agents with a thread to post from, and a clock to read.
type bench struct {
	*Net
	a, b   *Agent
	thread *sim.Thread
}

// efa are the reference's figures for p5en: 2.44 us a work request, 128 KiB for striping, queues of 4,096.
func efa() Costs {
	return Costs{
		PostFixed: 50 * sim.Microsecond, PostRead: 2_440_000, PostWrite: 1_750_000, WriteBatch: 16, StripeAt: 128 << 10, QueueDepth: 4096,
		ReadLatency: 25 * sim.Microsecond, WriteLatency: 16 * sim.Microsecond, Message: 18 * sim.Microsecond,
		ReadCeiling: 19e9, WriteCeiling: 22_500_000_000, NotifyWithWrite: true,
	}
}

func newBench(c Costs, rails int) *bench {
	n := NewNet(sim.New(1, nil))
	return &bench{Net: n, a: n.NewAgent("a", c, rails, 25e9, 400), b: n.NewAgent("b", c, rails, 25e9, 400), thread: n.Sim.NewThread("main")}
}

// transfer is a transfer from a to b of equal descriptors.
func (b *bench) transfer(write bool, descriptors int, size int64) *Transfer {
	x := b.New()
	x.Poster, x.Other, x.Write = b.a, b.b, write
	x.Extent = kv.Extent{Raw: descriptors, Descriptors: descriptors, Bytes: int64(descriptors) * size, Smallest: size, Largest: size}
	if at := b.a.Costs.StripeAt; at > 0 && size >= at {
		x.Extent.Large, x.Extent.LargeBytes = descriptors, x.Extent.Bytes
	}
	return x
}

// play posts a transfer alone and runs until nothing happens any more.
func (b *bench) play(t testing.TB, x *Transfer) *Transfer {
	t.Helper()
	b.Post(b.thread, x)
	b.run(t)
	return x
}

func (b *bench) run(t testing.TB) {
	t.Helper()
	if err := b.Sim.Run(sim.Never); err != nil {
		t.Fatal(err)
	}
}

// post is how long the post took by the library's clock.
func (x *Transfer) post() sim.Duration { return x.PostEnd.Sub(x.PostStart) }

// near fails unless have is want to within a part of it.
func near(t *testing.T, what string, have, want sim.Duration, part float64) {
	t.Helper()
	if d := float64(have - want); d > part*float64(want) || -d > part*float64(want) {
		t.Errorf("%s: want %v to %.0f %%, have %v", what, want, 100*part, have)
	}
}

// exactly fails unless have is want.
func exactly(t *testing.T, what string, have, want sim.Duration) {
	t.Helper()
	if have != want {
		t.Errorf("%s: want %v, have %v", what, want, have)
	}
}
