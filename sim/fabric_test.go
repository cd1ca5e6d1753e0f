package sim

import "testing"

type calls struct {
	at map[uint32]Time
	s  *Sim
}

func (c *calls) Handle(_ Op, arg uint32) { c.at[arg] = c.s.Now() }

func TestOneFlowTakesBytesOverRate(t *testing.T) {
	s := New(1, nil)
	c := &calls{map[uint32]Time{}, s}
	id := s.Register(c)
	f := s.NewFabric()
	tx, rx := f.Link("tx", 25e9, 0), f.Link("rx", 25e9, 0)
	f.Send(Flow{From: tx, To: rx, Bytes: 1 << 30, Then: Call{To: id, Arg: 1}, Latency: 10})
	if err := s.Run(Never); err != nil {
		t.Fatal(err)
	}
	want := Time((int64(1<<30)*1e9+25e9-1)/25e9 + 10)
	if c.at[1] != want {
		t.Errorf("arrived at %d, want %d", c.at[1], want)
	}
}

func TestIncastSharesTheReceiver(t *testing.T) {
	s := New(1, nil)
	c := &calls{map[uint32]Time{}, s}
	id := s.Register(c)
	f := s.NewFabric()
	a, b, rx := f.Link("a", 1e9, 0), f.Link("b", 1e9, 0), f.Link("rx", 1e9, 0)
	f.Send(Flow{From: a, To: rx, Bytes: 1e6, Then: Call{To: id, Arg: 1}})
	f.Send(Flow{From: b, To: rx, Bytes: 3e6, Then: Call{To: id, Arg: 2}})
	if err := s.Run(Never); err != nil {
		t.Fatal(err)
	}
	// Both at half rate for 2 ms, then the second alone with 2 MB left.
	if c.at[1] != 2e6 || c.at[2] != 4e6 {
		t.Errorf("arrived at %v and %v, want 2ms and 4ms", c.at[1], c.at[2])
	}
}
