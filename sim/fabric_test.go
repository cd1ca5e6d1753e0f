package sim

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

const gigabyte = int64(1e9) // one byte a nanosecond

// net is a fabric that notes when each transfer arrives.
type net struct {
	*Fabric
	s      *Sim
	id     HandlerID
	arrive []Time
}

func newNet() *net {
	n := &net{s: New(1, nil)}
	n.Fabric = n.s.NewFabric()
	n.id = n.s.Register(act(func(_ Op, arg uint32) { n.arrive[arg] = n.s.Now() }))
	return n
}

func (n *net) links(rates ...int64) []LinkID {
	var ids []LinkID
	for _, r := range rates {
		ids = append(ids, n.Link(fmt.Sprint("link", len(ids)), r, 0))
	}
	return ids
}

func (n *net) send(at Time, fl Flow) {
	fl.Then = Call{To: n.id, Arg: uint32(len(n.arrive))}
	n.arrive = append(n.arrive, Never)
	n.s.At(at, Arrival, call(n.s, func() { n.Send(fl) }))
}

func (n *net) setRate(at Time, id LinkID, rate int64) {
	n.s.At(at, Arrival, call(n.s, func() { n.SetRate(id, rate) }))
}

// want runs the world and checks the arrivals, in the order of the sends.
func (n *net) want(t *testing.T, at ...Time) {
	t.Helper()
	run(t, n.s)
	if !slices.Equal(n.arrive, at) {
		t.Errorf("arrived at %v, want %v", n.arrive, at)
	}
	if n.Active() != 0 && !slices.Contains(at, Never) {
		t.Errorf("%d transfers still active", n.Active())
	}
}

// rates are the present rates of the active flows, in the order of their starts.
func (n *net) rates() []int64 {
	var r []int64
	for _, i := range n.active {
		r = append(r, n.flows[i].rate)
	}
	return r
}

func TestSingleFlowIsBytesOverRate(t *testing.T) {
	n := newNet()
	l := n.links(25e9, 25e9)
	n.send(0, Flow{From: l[0], To: l[1], Bytes: 1 << 30, Latency: 10})
	n.want(t, Time((int64(1<<30)*1e9+25e9-1)/25e9+10))
	if n.Moved(l[0]) != 1<<30 || n.Moved(l[1]) != 1<<30 {
		t.Errorf("moved %d and %d", n.Moved(l[0]), n.Moved(l[1]))
	}
}

func TestMessageBoundFlowIsMessagesTimesTheirCost(t *testing.T) {
	n := newNet()
	tx, rx := n.Link("tx", 25e9, 400), n.Link("rx", 25e9, 100)
	n.send(0, Flow{From: tx, To: rx, Bytes: 1000, Messages: 1000})
	n.send(1e6, Flow{From: rx, To: tx, Bytes: 1000, Messages: 1000}) // the dearer end counts either way
	n.send(2e6, Flow{From: tx, To: rx, Messages: 1})                 // a message without bytes
	n.want(t, 400_000, 1_400_000, 2_000_400)
}

func TestMessageBoundFlowsShareTheMessageRate(t *testing.T) {
	n := newNet()
	a, b, rx := n.Link("a", gigabyte, 1000), n.Link("b", gigabyte, 1000), n.Link("rx", gigabyte, 1000)
	n.send(0, Flow{From: a, To: rx, Bytes: 10, Messages: 100})
	n.send(0, Flow{From: b, To: rx, Bytes: 10, Messages: 100})
	n.want(t, 200_000, 200_000)
}

func TestCeiling(t *testing.T) {
	n := newNet()
	l := n.links(10*gigabyte, 10*gigabyte, 10*gigabyte)
	n.send(0, Flow{From: l[0], To: l[1], Bytes: 8000, Ceiling: 8 * gigabyte})
	// Two at a ceiling of 8 get 8 of the link's 10 together.
	n.send(1e6, Flow{From: l[0], To: l[2], Bytes: 8000, Ceiling: 8 * gigabyte})
	n.send(1e6, Flow{From: l[1], To: l[2], Bytes: 8000, Ceiling: 8 * gigabyte})
	n.send(2e6, Flow{From: l[0], To: l[1], Bytes: 8000, Ceiling: 80 * gigabyte}) // above the rate: no matter
	n.want(t, 1000, 1_002_000, 1_002_000, 2_000_800)
}

func TestIncastSharesTheReceiver(t *testing.T) {
	n := newNet()
	l := n.links(gigabyte, gigabyte, gigabyte)
	n.send(0, Flow{From: l[0], To: l[2], Bytes: 1e6})
	n.send(0, Flow{From: l[1], To: l[2], Bytes: 3e6})
	n.want(t, 2e6, 4e6) // both at half rate, then the second alone with 2 MB left
}

// TestThreeFlows is the classic: one flow has a bottleneck of its own and another takes what it leaves.
func TestThreeFlows(t *testing.T) {
	n := newNet()
	l := n.links(10*gigabyte, 10*gigabyte, 10*gigabyte, 8*gigabyte)
	a, b, x, y := l[0], l[1], l[2], l[3]
	n.send(0, Flow{From: a, To: x, Bytes: 6000})
	n.send(0, Flow{From: a, To: y, Bytes: 4000})
	n.send(0, Flow{From: b, To: y, Bytes: 4000})
	n.s.At(1, Arrival, call(n.s, func() {
		if want := []int64{6 * gigabyte, 4 * gigabyte, 4 * gigabyte}; !slices.Equal(n.rates(), want) {
			t.Errorf("rates %v, want %v", n.rates(), want)
		}
	}))
	n.want(t, 1000, 1000, 1000)
}

func TestLimits(t *testing.T) {
	n := newNet()
	l := n.links(10*gigabyte, 10*gigabyte)
	for _, limit := range []int64{gigabyte, 2 * gigabyte, 9 * gigabyte, 0} {
		n.send(0, Flow{From: l[0], To: l[1], Bytes: 1e6, Limit: limit})
	}
	n.s.At(1, Arrival, call(n.s, func() {
		if want := []int64{gigabyte, 2 * gigabyte, 35e8, 35e8}; !slices.Equal(n.rates(), want) {
			t.Errorf("rates %v, want %v", n.rates(), want)
		}
	}))
	run(t, n.s)
}

func TestLimitIsInRealBytes(t *testing.T) {
	n := newNet()
	l := n.links(10*gigabyte, 10*gigabyte)
	n.send(0, Flow{From: l[0], To: l[1], Bytes: 8000, Ceiling: 8 * gigabyte, Limit: 4 * gigabyte})
	n.want(t, 2000)
}

func TestSharedMedium(t *testing.T) {
	n := newNet()
	l := n.links(gigabyte)
	n.send(0, Flow{From: l[0], To: l[0], Bytes: 1000})
	n.send(0, Flow{From: l[0], To: l[0], Bytes: 3000})
	n.want(t, 2000, 4000)
	if n.Moved(l[0]) != 4000 {
		t.Errorf("moved %d, want 4000", n.Moved(l[0]))
	}
}

func TestUnequalRates(t *testing.T) {
	n := newNet()
	l := n.links(gigabyte, 10*gigabyte, 4*gigabyte)
	n.send(0, Flow{From: l[0], To: l[1], Bytes: 1000}) // the sender is slower
	n.send(0, Flow{From: l[2], To: l[1], Bytes: 4000})
	n.send(1e6, Flow{From: l[1], To: l[0], Bytes: 1000}) // the receiver is
	n.want(t, 1000, 1000, 1_001_000)
}

func TestDeadLinkAndBack(t *testing.T) {
	n := newNet()
	l := n.links(gigabyte, gigabyte)
	n.send(0, Flow{From: l[0], To: l[1], Bytes: 1e6})
	n.setRate(5e5, l[1], 0)
	n.setRate(2e6, l[1], gigabyte/2)
	n.want(t, 3e6)
}

func TestDeadLinkStandsStill(t *testing.T) {
	n := newNet()
	l := n.links(gigabyte, 0, gigabyte)
	n.send(0, Flow{From: l[0], To: l[1], Bytes: 1})
	n.send(0, Flow{From: l[0], To: l[1]})
	n.send(0, Flow{From: l[0], To: l[2], Bytes: 1000})
	n.want(t, Never, Never, 1000)
	if n.Active() != 2 {
		t.Errorf("%d active, want 2", n.Active())
	}
}

// TestCostsFollowTheRate: neither the cost of a message nor a ceiling is one of the link's rate at the start.
func TestCostsFollowTheRate(t *testing.T) {
	n := newNet()
	tx, rx := n.Link("tx", 10*gigabyte, 1000), n.Link("rx", 10*gigabyte, 1000)
	n.send(0, Flow{From: tx, To: rx, Bytes: 1000, Messages: 100}) // 100 us of messages
	n.setRate(50_000, rx, gigabyte)                               // still message-bound
	n.setRate(60_000, rx, 100*gigabyte)
	n.send(1e6, Flow{From: tx, To: rx, Bytes: 16_000, Ceiling: 8 * gigabyte}) // sent at 8
	n.setRate(1e6+1000, rx, 4*gigabyte)                                       // then at 4
	n.setRate(2e6, rx, 0)
	n.send(2e6, Flow{From: tx, To: rx, Bytes: 1000, Messages: 100})
	n.send(2e6, Flow{From: tx, To: rx, Messages: 100})
	n.setRate(3e6, rx, gigabyte)
	n.want(t, 100_000, 1e6+3000, 3_200_000, 3_200_000)
}

func TestNothingToCarryIsThereAtOnce(t *testing.T) {
	n := newNet()
	l := n.links(gigabyte, gigabyte)
	n.send(5, Flow{From: l[0], To: l[1], Bytes: 1000})
	n.send(5, Flow{From: l[0], To: l[1]})
	n.send(5, Flow{From: l[0], To: l[1], Limit: 1, Ceiling: 1, Latency: 3})
	n.want(t, 1005, 5, 8)
}

// TestEndsTogether: of flows that end at one instant each call finds all ended, in the order of their starts.
func TestEndsTogether(t *testing.T) {
	n := newNet()
	l := n.links(gigabyte, gigabyte)
	var order []int
	for i := range 4 {
		n.Send(Flow{From: l[0], To: l[1], Bytes: 1000, Then: call(n.s, func() {
			order = append(order, i)
			if n.Active() > i {
				t.Errorf("%d active beside the restarted ones", n.Active()-i)
			}
			n.Send(Flow{From: l[0], To: l[1], Bytes: 1000})
		})})
	}
	run(t, n.s)
	if !slices.Equal(order, []int{0, 1, 2, 3}) || n.s.Now() != 8000 {
		t.Errorf("order %v by %v", order, n.s.Now())
	}
}

func TestHugeFlows(t *testing.T) {
	for _, bytes := range []int64{0, 1, 1 << 50, math.MaxInt64} {
		for _, rate := range []int64{1, 1000, 1 << 45, math.MaxInt64} {
			for _, messages := range []int64{0, 1, 1 << 50} {
				for _, small := range []int64{0, 1, 1 << 44} {
					n := newNet()
					tx, rx := n.Link("tx", rate, Second), n.Link("rx", rate, 1)
					fl := Flow{From: tx, To: rx, Bytes: bytes, Messages: messages, Ceiling: small, Limit: small}
					n.send(0, fl)
					n.send(0, fl)
					n.setRate(1, rx, max(1, rate/3))
					n.setRate(1<<60, tx, max(1, rate/2))
					run(t, n.s)
					least := float64(bytes) / float64(rate)
					if small > 0 {
						least = float64(bytes) / float64(min(small, rate))
					}
					least = max(least, float64(messages)) // what takes longer than the clock runs does not arrive
					if n.arrive[0] != Never && n.arrive[0].Seconds() < least*(1-1e-12) {
						t.Errorf("%+v at %d arrived after %v, want %g s or more", fl, rate, n.arrive[0], least)
					}
				}
			}
		}
	}
}
