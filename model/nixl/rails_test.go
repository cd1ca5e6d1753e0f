package nixl

import (
	"testing"

	"pdsim/model/kv"
	"pdsim/sim"

	"pgregory.net/rapid"
)

func packed(layers int) kv.Geometry {
	return kv.Geometry{Layout: kv.Packed, Layers: layers, BytesPerTokenPerRank: 32 << 10, BlockSize: 16}
}

// From 128 KiB on a descriptor is cut into as many work requests as there are rails; below, it costs one.
// Source: src/utils/libfabric/libfabric_rail_manager.cpp.
func TestStripingCostsOneWorkRequestARail(t *testing.T) {
	for size, want := range map[int64]int{128<<10 - 1: 10, 128 << 10: 20} {
		x := newBench(efa(), 2).transfer(true, 10, size)
		if have := x.WorkRequests(); have != want {
			t.Errorf("10 descriptors of %d bytes: want %d work requests, have %d", size, want, have)
		}
	}
	if have := newBench(efa(), 1).transfer(true, 10, 1<<20).WorkRequests(); have != 10 {
		t.Errorf("one rail: want 10 work requests, have %d", have)
	}
}

// Small READs go round descriptor by descriptor, WRITEs in batches of 16 under one doorbell, and each transfer begins its
// round one rail further. Source: src/utils/libfabric/libfabric_rail_manager.cpp.
func TestSmallDescriptorsGoRound(t *testing.T) {
	for _, c := range []struct {
		write       bool
		turn, n     int
		first, last int64 // descriptors on the two rails
	}{
		{false, 0, 7, 4, 3}, {false, 1, 7, 3, 4},
		{true, 0, 7, 7, 0}, {true, 1, 7, 0, 7}, {true, 0, 16, 16, 0}, {true, 0, 17, 16, 1}, {true, 1, 49, 17, 32},
	} {
		x := newBench(efa(), 2).transfer(c.write, c.n, 1000)
		x.turn = c.turn
		if p, q := x.part(0), x.part(1); p != (part{c.first * 1000, c.first}) || q != (part{c.last * 1000, c.last}) {
			t.Errorf("write %v, turn %d, %d descriptors: have %v and %v", c.write, c.turn, c.n, p, q)
		}
	}
	b := newBench(efa(), 2)
	for want := range 3 {
		if x := b.play(t, b.transfer(true, 7, 1000)); x.turn != want {
			t.Errorf("transfer %d begins its round at %d", want, x.turn)
		}
	}
}

// drawTransfer is any transfer on any rails.
func drawTransfer(t *rapid.T) (*bench, *Transfer) {
	c := efa()
	c.WriteBatch = rapid.IntRange(0, 20).Draw(t, "batch")
	c.QueueDepth = rapid.SampledFrom([]int{0, 1, 50, 4096}).Draw(t, "depth")
	c.StripeAt = rapid.SampledFrom([]int64{0, 64 << 10, 128 << 10}).Draw(t, "stripe")
	if rapid.Bool().Draw(t, "ring") {
		c.RingPush, c.RingService = 500_000, 1_800_000
	}
	b := newBench(c, rapid.IntRange(1, 5).Draw(t, "rails"))
	x := b.New()
	x.Poster, x.Other, x.Write = b.a, b.b, rapid.Bool().Draw(t, "write")
	x.Handles = rapid.IntRange(1, 4).Draw(t, "handles")
	b.a.turn = rapid.IntRange(0, 7).Draw(t, "turn")
	var local, remote []kv.Block
	for range rapid.IntRange(1, 60).Draw(t, "runs") {
		next := kv.Block(1_000_000 - 1000*len(local))
		for i := range kv.Block(rapid.IntRange(1, 20).Draw(t, "run")) {
			local, remote = append(local, next+i), append(remote, next+i)
		}
	}
	x.Extent = packed(rapid.IntRange(1, 8).Draw(t, "layers")).Describe(local, remote, c.StripeAt, true)
	return b, x
}

func TestPartsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, x := drawTransfer(t)
		x.turn = x.Poster.turn
		var sum part
		for i := range x.Poster.Tx {
			p := x.part(i)
			if p.bytes < 0 || p.messages < 0 || (p.bytes > 0) != (p.messages > 0) {
				t.Fatalf("rail %d: %+v", i, p)
			}
			sum.bytes += p.bytes
			sum.messages += p.messages
		}
		if want := (part{int64(x.Handles) * x.Extent.Bytes, int64(x.WorkRequests())}); sum != want {
			t.Fatalf("want %+v, have %+v", want, sum)
		}
	})
}

// Nothing is faster than either end's rails, than the way of sending allows, or than it is posted, and every byte crosses
// both ends.
func TestNoTransferBeatsTheLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, x := drawTransfer(t)
		b.Fabric.SetRate(b.b.Tx[0], 10e9)
		b.Fabric.SetRate(b.b.Rx[0], 10e9)
		b.Post(b.thread, x)
		if err := b.Sim.Run(sim.Never); err != nil {
			t.Fatal(err)
		}
		from, to, ceiling := b.b.Tx, b.a.Rx, 19e9
		if x.Write {
			from, to, ceiling = b.a.Tx, b.b.Rx, 22.5e9
		}
		var sent, received int64
		took := x.Landed.Sub(x.PostStart) - x.latency()
		for i := range from {
			sent += b.Fabric.Moved(from[i])
			received += b.Fabric.Moved(to[i])
			if rate := float64(b.Fabric.Moved(from[i])) / took.Seconds(); rate > ceiling*1.0001 || i == 0 && rate > 10.001e9 {
				t.Fatalf("rail %d carries %.3g bytes a second", i, rate)
			}
		}
		if want := int64(x.Handles) * x.Extent.Bytes; sent != want || received != want {
			t.Fatalf("want %d bytes to cross both ends, have %d and %d", want, sent, received)
		}
		if least := x.Poster.Costs.RingService.Times(x.WorkRequests()); took < least || x.PostEnd < x.PostStart.Add(x.PostTime()) || x.Landed < x.PostEnd && x.Poster.Costs.RingPush == 0 {
			t.Fatalf("post of %v ends at %v, landed at %v", x.PostTime(), x.PostEnd, x.Landed)
		}
	})
}

// Two writers into one reader share its rails.
func TestIncastSharesTheReceiver(t *testing.T) {
	b := newBench(efa(), 2)
	c := b.NewAgent("c", b.a.Costs, 2, 25e9, 400)
	x, y := b.transfer(true, 1000, 1<<20), b.transfer(true, 1000, 1<<20)
	y.Poster = c
	b.Post(b.thread, x)
	b.Post(b.Sim.NewThread("other"), y)
	b.run(t)
	// Each rail of b carries both parts at the ceiling of the link.
	want := sim.Duration(2 * (500 << 20) * 10 / 225)
	near(t, "first", x.Landed.Sub(x.PostStart), want, 0.01)
	near(t, "second", y.Landed.Sub(y.PostStart), want, 0.01)
}

// A medium that all agents share is shared by both directions.
func TestSharedMedium(t *testing.T) {
	c := efa()
	c.ReadCeiling, c.WriteCeiling, c.StripeAt = 0, 0, 0
	n := NewNet(sim.New(1, nil))
	medium := n.Fabric.Link("nvlink", 25e9, 0)
	b := &bench{Net: n, a: n.NewSharedAgent("a", c, medium), b: n.NewSharedAgent("b", c, medium), thread: n.Sim.NewThread("main")}
	x, y := b.transfer(true, 1000, 1<<20), b.transfer(false, 1000, 1<<20)
	b.Post(b.thread, x)
	b.Post(b.Sim.NewThread("other"), y)
	b.run(t)
	near(t, "both", max(x.Landed, y.Landed).Sub(0), sim.Duration(2*(1000<<20)/25), 0.01)
}

func TestRailsAreNamedApart(t *testing.T) {
	names := map[string]bool{}
	b := newBench(efa(), 16)
	for _, name := range b.Sim.Tracks() {
		if names[name] {
			t.Errorf("two tracks called %s", name)
		}
		names[name] = true
	}
	if !names["a/rail15/tx"] {
		t.Errorf("no rail15 in %v", b.Sim.Tracks())
	}
}

// A transfer that costs nothing to post is fed without limit.
func TestPace(t *testing.T) {
	for _, c := range []struct {
		bytes int64
		over  sim.Duration
		want  int64
	}{{1000, sim.Second, 1000}, {1000, 0, 0}, {1 << 62, 1, 0}, {1, 10 * sim.Second, 1}, {25, sim.Nanosecond, 25e9}} {
		if have := pace(c.bytes, c.over); have != c.want {
			t.Errorf("%d bytes over %v: want %d, have %d", c.bytes, c.over, c.want, have)
		}
	}
}
