package metric

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pdsim/sim"
)

// dense is the rate with a count for each second there is.
type dense []uint64

func (d *dense) addSpread(first, last sim.Time, n int) {
	for k := range int64(n) {
		at := int64(first)
		if n > 1 {
			at += k * int64(last.Sub(first)) / int64(n-1)
		}
		second := int(at / int64(sim.Second))
		if more := second + 1 - len(*d); more > 0 {
			*d = append(*d, make([]uint64, more)...)
		}
		(*d)[second]++
	}
}

// Requests of any length, near each other and far apart, give what a count for each second gives.
func TestRateIsThatOfAllSeconds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var have perSecond
		var want dense
		last := sim.Time(0)
		for range rapid.IntRange(1, 60).Draw(t, "requests") {
			last = last.Add(sim.Duration(rapid.Int64Range(0, rapid.SampledFrom([]int64{1, 3e9, 5e12}).Draw(t, "scale")).Draw(t, "after")))
			length := rapid.Int64Range(0, min(int64(last), 40e9)).Draw(t, "length")
			n := rapid.IntRange(1, 100).Draw(t, "tokens")
			have.addSpread(last.Add(-sim.Duration(length)), last, n)
			want.addSpread(last.Add(-sim.Duration(length)), last, n)
			if have.max() != slices.Max(want) {
				t.Fatalf("have %d tokens in a second, want %d", have.max(), slices.Max(want))
			}
		}
	})
}

// Neither time nor the number of requests takes memory, and what is forgotten still counts.
func TestRateForgets(t *testing.T) {
	var r perSecond
	r.addSpread(0, 0, 77)
	for i := range 10 * keptSeconds {
		at := sim.Time(i+1) * sim.Time(10_000*sim.Second)
		r.addSpread(at, at.Add(2*sim.Second), 9)
	}
	if len(r.seconds) > 2*keptSeconds+2 || r.max() != 77 {
		t.Errorf("%d seconds kept, at most %d tokens in one", len(r.seconds), r.max())
	}
	i := 10 * keptSeconds
	if allocs := testing.AllocsPerRun(2*keptSeconds, func() {
		i++
		at := sim.Time(i) * sim.Time(10_000*sim.Second)
		r.addSpread(at, at, 9)
	}); allocs != 0 {
		t.Errorf("%v allocations a request", allocs)
	}
}

// Two tokens with an age between them are two seconds.
func TestRateOfSlowAnswer(t *testing.T) {
	var r perSecond
	r.addSpread(0, sim.Time(1_000_000_000*sim.Second), 2)
	if len(r.seconds) != 2 || r.max() != 1 {
		t.Errorf("have %v", r.seconds)
	}
}
