package sim

import "testing"

// steady checks that a world in its steady state allocates nothing: step plants some events, and the world is run.
func steady(t *testing.T, what string, s *Sim, step func()) {
	t.Helper()
	round := func() {
		step()
		if err := s.Run(Never); err != nil {
			t.Fatal(err)
		}
	}
	for range 100 { // until queues, rings and scratch space have their sizes
		round()
	}
	if n := testing.AllocsPerRun(100, round); n != 0 {
		t.Errorf("%s: %v allocations a round", what, n)
	}
}

// nobody keeps no span: recording itself must not allocate either.
type nobody struct{}

func (nobody) Span(Span, []SpanID) {}

func (nobody) Count(TrackID, Time, int64) {}

func TestNoAllocationInTheSteadyState(t *testing.T) {
	for name, rec := range map[string]Recorder{"": nil, " recorded": nobody{}} {
		s := New(1, rec)
		ping := call(s, func() {})
		steady(t, "events"+name, s, func() {
			for i := range 50 {
				s.After(Duration(i), Arrival, ping)
			}
		})
		hop := call(s, func() {
			for i := Duration(1); i < 50 && s.Skip(s.Now()+1); i++ {
				s.Do(ping)
			}
		})
		steady(t, "skips"+name, s, func() { s.After(1, Arrival, hop) })

		th := s.NewThread("worker")
		closer := call(s, th.Close)
		steady(t, "thread work"+name, s, func() {
			for i := range 50 {
				th.Do(Work{Kind: "work", Busy: Duration(i), Begin: ping, Then: ping})
			}
			th.Do(Work{Kind: "open", Open: true, Then: ping})
			s.After(1e6, Completion, closer)
		})

		f := s.NewFabric()
		tx, rx := f.Link("tx", gigabyte, 10), f.Link("rx", 2*gigabyte, 0)
		steady(t, "flows"+name, s, func() {
			for i := range int64(50) {
				f.Send(Flow{From: tx, To: rx, Bytes: 1000 * i, Messages: i, Limit: i * 1e6, Latency: Duration(i % 3), Then: ping})
			}
			f.SetRate(rx, gigabyte)
			f.SetRate(rx, 2*gigabyte)
		})

		p := s.NewPool(3)
		giveBack := call(s, func() { p.Release(2) })
		steady(t, "pool"+name, s, func() {
			for i := range 50 {
				p.Acquire(2, ping)
				s.After(Duration(i), Completion, giveBack)
			}
		})

		var g Gate
		steady(t, "gate"+name, s, func() {
			g.Close(50, ping)
			for range 50 {
				g.Arrive(s)
			}
		})

		timer := s.NewTimer(Timeout, ping)
		steady(t, "timer"+name, s, func() {
			for i := range 50 {
				timer.Set(s.Now().Add(Duration((i * 37) % 50)))
			}
		})
	}
}
