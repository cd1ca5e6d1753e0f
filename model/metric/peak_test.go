package metric

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pdsim/sim"
)

// interval is one request in flight.
type interval struct{ start, end sim.Time }

// sweep is the definition: go through all starts and ends in order, ends first where they coincide.
func sweep(list []interval) int {
	type event struct {
		at    sim.Time
		delta int
	}
	var events []event
	for _, i := range list {
		events = append(events, event{i.start, 1}, event{i.end, -1})
	}
	slices.SortFunc(events, func(a, b event) int {
		if a.at != b.at {
			return int(a.at - b.at)
		}
		return a.delta - b.delta
	})
	open, most := 0, 0
	for _, e := range events {
		open += e.delta
		most = max(most, open)
	}
	return most
}

func TestPeakIsTheSweep(t *testing.T) {
	intervals := rapid.Custom(func(t *rapid.T) interval {
		start := rapid.IntRange(0, 60).Draw(t, "start")
		return interval{sim.Time(start), sim.Time(start + rapid.IntRange(1, 30).Draw(t, "length"))}
	})
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(intervals, 0, 80).Draw(t, "intervals")
		slices.SortStableFunc(list, func(a, b interval) int { return int(a.end - b.end) })
		var p peak
		for n, i := range list {
			p.add(i.start, i.end)
			if n%7 == 0 {
				p.compact()
			}
			if want := sweep(list[:n+1]); p.live != want {
				t.Fatalf("after %v: %d at once, want %d", list[:n+1], p.live, want)
			}
		}
	})
}

// A long run needs memory for the requests in flight and not for all.
func TestPeakMemory(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var p peak
	for i := range 200_000 {
		end := sim.Time(i+1000) * 10
		p.add(end-sim.Time(1+rng.IntN(500)), end)
	}
	if p.live > 51 || len(p.ends) > 2*p.live+1025 {
		t.Errorf("%d at once, %d kept", p.live, len(p.ends))
	}
}
