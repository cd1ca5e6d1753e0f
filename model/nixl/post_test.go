package nixl

import (
	"testing"

	"pdsim/sim"
)

// Llama-3.3-70B with TP8 on EFA: 18,880 descriptors took 46 ms to post and 160 took 0.46 ms.
// Source: github.com/ai-dynamo/nixl/issues/1514.
func TestPostCostsByTheDescriptor(t *testing.T) {
	b := newBench(efa(), 2)
	near(t, "18,880 descriptors", b.play(t, b.transfer(false, 18880, 8<<10)).post(), 46*sim.Millisecond, 0.01)
	b = newBench(efa(), 2)
	near(t, "160 descriptors", b.play(t, b.transfer(false, 160, 8<<10)).post(), 460*sim.Microsecond, 0.05)
}

// Below the size at which two rails are busy, posting decides: what is left after the post is one way over the wire.
// The 0.25-0.3 ms measured on p5 contain the poll that saw the end.
func TestAfterThePostOnlyTheWayIsLeft(t *testing.T) {
	for _, write := range []bool{false, true} {
		b := newBench(efa(), 2)
		x := b.play(t, b.transfer(write, 5000, 8<<10))
		exactly(t, "landed after the post", x.Landed.Sub(x.PostEnd), x.latency())
	}
}

// A thread busy posting large descriptors on two rails waits for the wire at the end.
func TestLargeDescriptorsAreBoundByTheWire(t *testing.T) {
	b := newBench(efa(), 2)
	x := b.play(t, b.transfer(false, 1000, 1<<20))
	exactly(t, "1,000 MiB over two rails at 19 GB/s each and the way", x.Landed.Sub(x.PostStart),
		sim.Duration((500<<20)/19)+1+x.latency())
}

// Preparation is on the poster's thread but before the library's clock starts, and goes by blocks and regions before
// merging.
func TestPreparationIsNotInThePostTime(t *testing.T) {
	c := efa()
	c.PrepareFixed, c.PreparePerIndex = 200*sim.Microsecond, 40_000
	b := newBench(c, 2)
	x := b.transfer(false, 64, 64<<10)
	x.Extent.Raw = 10_000
	b.play(t, x)
	exactly(t, "start of the post", sim.Duration(x.PostStart), 600*sim.Microsecond)
	exactly(t, "post", x.post(), x.PostTime())
}

// UCX cuts lists of 1,024 descriptors and more into pieces of at least that many for its threads, while the caller waits:
// c x N below, c x max(N/4, 1024) from there on. Source: src/plugins/ucx/ucx_backend.cpp.
func TestPoolSharesAPostFrom1024(t *testing.T) {
	c := efa()
	c.PostFixed, c.StripeAt, c.Pool, c.SplitAt, c.PoolPost = 0, 0, 4, 1024, 3_000_000
	for n, posted := range map[int]int{1023: 0, 1024: 1024, 2048: 1024, 4096: 1024, 4097: 1025, 8192: 2048} {
		want := c.PoolPost.Times(posted)
		if posted == 0 {
			want = c.PostRead.Times(n)
		}
		b := newBench(c, 2)
		exactly(t, "post", b.transfer(false, n, 4<<10).PostTime(), want)
	}
}

// With several remote ranks each is prepared and posted by itself: none reaches the pool's threshold on the others'
// descriptors.
func TestEachRemoteRankIsAPost(t *testing.T) {
	c := efa()
	c.PrepareFixed, c.PreparePerIndex, c.StripeAt = 200*sim.Microsecond, 40_000, 0
	for _, pool := range []bool{false, true} {
		if pool {
			c.Pool, c.SplitAt, c.PoolPost = 4, 1024, 3_000_000
		}
		for _, n := range []int{1000, 1024, 8192} {
			b := newBench(c, 2)
			one := b.transfer(false, n, 4<<10)
			four := b.transfer(false, n, 4<<10)
			four.Handles = 4
			exactly(t, "four preparations", four.PrepareTime(), 4*one.PrepareTime())
			exactly(t, "four posts", four.PostTime(), 4*one.PostTime())
		}
	}
	c.RingPush, c.RingService = 500_000, 1_800_000
	x := newBench(c, 2).transfer(true, 1000, 4<<10)
	x.Handles = 2
	exactly(t, "two posts into the ring", x.PostTime(), 2*c.PostFixed+c.RingPush.Times(2000))
}

// With the progress thread's ring the caller only enqueues; the progress thread posts, and the transfer takes as long as
// that does. Source: github.com/ai-dynamo/nixl/issues/1949.
func TestRingMovesThePostToTheProgressThread(t *testing.T) {
	c := efa()
	c.RingPush, c.RingService = 500_000, 1_800_000
	b := newBench(c, 2)
	x := b.play(t, b.transfer(false, 18880, 8<<10))
	exactly(t, "caller", x.post(), c.PostFixed+c.RingPush.Times(18880))
	exactly(t, "transfer", x.Landed.Sub(x.PostStart), c.RingService.Times(18880)+c.ReadLatency)
	exactly(t, "progress thread", b.a.Progress.Busy(), c.RingService.Times(18880))
}

// One progress thread serves all callers, in the order in which they post.
func TestRingServesOneTransferAfterTheOther(t *testing.T) {
	c := efa()
	c.RingPush, c.RingService = 500_000, 1_800_000
	b := newBench(c, 2)
	x, y := b.transfer(false, 10_000, 8<<10), b.transfer(false, 10_000, 8<<10)
	b.Post(b.thread, x)
	b.Post(b.Sim.NewThread("other"), y)
	b.run(t)
	exactly(t, "the second lands after the first", y.Landed.Sub(x.Landed), c.RingService.Times(10_000))
}

// A rail takes so many work requests; the poster then waits until one is through. So a post takes the longer of its own
// time and the wire's time for all but the last queueful. Source: src/plugins/libfabric, the EAGAIN loop.
func TestPostWaitsForRoomInTheQueue(t *testing.T) {
	c := efa()
	c.QueueDepth, c.StripeAt = 100, 0
	const size = 1 << 20
	wire := func(n int64) sim.Duration { return sim.Duration(n * size / 19) }
	b := newBench(c, 1)
	x := b.play(t, b.transfer(false, 1000, size))
	near(t, "post of 1,000 MiB", x.post(), wire(900), 1e-6)
	near(t, "transfer", x.Landed.Sub(x.PostStart), wire(1000), 1e-3)
	if !b.thread.Idle() || b.thread.Busy() != x.post() {
		t.Errorf("want the thread busy for the whole post, have %v", b.thread.Busy())
	}
	b = newBench(c, 1)
	x = b.play(t, b.transfer(false, 100, size))
	exactly(t, "post of one queueful", x.post(), x.PostTime())
}

// A background thread posts more slowly: it shares the interpreter, the driver and the cores. 6.7 ms became 11.9 ms.
// Source: github.com/vllm-project/vllm/issues/50913.
func TestBackgroundPostIsSlower(t *testing.T) {
	c := efa()
	c.Background = 1.5
	b := newBench(c, 2)
	x := b.transfer(false, 1000, 8<<10)
	inline := x.PostTime()
	x.Slow = true
	exactly(t, "background post", x.PostTime(), inline*3/2)
	x.Poster.Costs.Background = 0
	exactly(t, "without a factor", x.PostTime(), inline)
}

// The first transfer between two ranks brings up the connection. What is posted meanwhile waits for it too; later ones
// do not.
func TestFirstContact(t *testing.T) {
	c := efa()
	c.FirstContact = 26 * sim.Millisecond
	b := newBench(c, 2)
	x, y := b.transfer(true, 64, 8<<10), b.transfer(true, 64, 8<<10)
	b.Post(b.thread, x)
	b.Post(b.thread, y)
	b.run(t)
	exactly(t, "first transfer", x.Landed.Sub(x.PostEnd), c.FirstContact+c.WriteLatency)
	exactly(t, "second, posted right behind", y.Landed.Sub(y.PostEnd), c.FirstContact-y.PostStart.Sub(x.PostStart)+c.WriteLatency)
	z := b.play(t, b.transfer(true, 64, 8<<10))
	exactly(t, "third", z.Landed.Sub(z.PostEnd), c.WriteLatency)
}

// Loading a peer costs a query for each rank and a preparation of all its blocks in all regions, not of a request's:
// adding an agent of 435,200 descriptors took 0.17 s. Source: github.com/llm-d/llm-d/pull/391.
func TestHandshakeGoesByTheWholeCache(t *testing.T) {
	c := efa()
	c.HandshakeQuery, c.HandshakeIndex = sim.Millisecond, 390_000
	b := newBench(c, 2)
	near(t, "80 regions of 5,440 blocks", b.a.Handshake(1, packed(80), 5440), 170*sim.Millisecond, 0.02)
	exactly(t, "no descriptors, two ranks", b.a.Handshake(2, packed(80), 0), 2*sim.Millisecond)
	if b.a.Met(b.b) {
		t.Error("met before the handshake")
	}
	b.a.Meet(b.b)
	if !b.a.Met(b.b) || b.b.Met(b.a) {
		t.Error("want a handshake to be one side's")
	}
}
