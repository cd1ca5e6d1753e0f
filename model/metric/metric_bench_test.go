package metric

import (
	"testing"

	"pdsim/sim"
)

// A gap between tokens: few different ones, and more than are kept.
func BenchmarkAdd(b *testing.B) {
	for _, test := range []struct {
		name  string
		cycle int
	}{{"few", 100}, {"many", 1 << 20}} {
		b.Run(test.name, func(b *testing.B) {
			b.ReportAllocs()
			var s Sample
			for i := 0; b.Loop(); i++ {
				s.Add(sim.Duration(i%test.cycle) * 7919)
			}
		})
	}
}

// A request with its tokens in one steady decode.
func BenchmarkCollector(b *testing.B) {
	b.ReportAllocs()
	c := NewCollector(0, nil)
	for i := 0; b.Loop(); i++ {
		at := sim.Time(i) * sim.Time(ms)
		c.Started(at)
		c.AddITL(5*ms, 127)
		c.Add(at, at.Add(sim.Duration(i%50)*ms), at.Add(700*ms), 16384, 128)
	}
}

// All statistics of a million different values.
func BenchmarkSummary(b *testing.B) {
	c := NewCollector(0, nil)
	for i := range 1_000_000 {
		at := sim.Time(i) * sim.Time(ms)
		c.Add(at, at.Add(sim.Duration(i)), at.Add(sim.Duration(2*i)), 100, 10)
	}
	for b.Loop() {
		c.Summary()
	}
}
