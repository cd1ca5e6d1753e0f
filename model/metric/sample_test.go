package metric

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pdsim/sim"
)

// TestSampleAgainstNumpy checks figures that numpy 2 gives for the same values in milliseconds: np.mean, np.std,
// np.median and np.percentile.
func TestSampleAgainstNumpy(t *testing.T) {
	var squares []sim.Duration // i*i*7919 mod 1000003 microseconds
	for i := range sim.Duration(1000) {
		squares = append(squares, i*i*7919%1000003*sim.Microsecond)
	}
	tests := []struct {
		name                             string
		values                           []sim.Duration
		mean, std, median, p90, p95, p99 float64
		p0, p100                         float64
	}{
		{"one", []sim.Duration{3 * sim.Millisecond},
			3.0, 0.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0},
		{"two", []sim.Duration{7 * sim.Millisecond, 2 * sim.Millisecond},
			4.5, 2.5, 4.5, 6.5, 6.75, 6.95, 2.0, 7.0},
		{"equal", []sim.Duration{5600001, 5600001, 5600001},
			5.600001, 0.0, 5.600001, 5.600001, 5.600001, 5.600001, 5.600001, 5.600001},
		{"few", []sim.Duration{212340000, 198765432, 1000000000, 1, 0, 198765432, 55555555},
			237.91806, 323.1441664751655, 198.765432, 527.4040000000002, 763.7019999999994, 952.7403999999996, 0.0, 1000.0},
		{"thousand", squares,
			499.580897, 296.1480150076755, 499.389, 908.9317, 949.4755, 982.02251, 0.0, 999.848},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var s Sample
			for _, d := range test.values {
				s.Add(d)
			}
			check := func(what string, got, want float64) {
				t.Helper()
				if math.Abs(got-want) > 1e-12*math.Abs(want) {
					t.Errorf("%s = %v, want %v", what, got, want)
				}
			}
			check("mean", s.Mean(), test.mean)
			check("std", s.Std(), test.std)
			check("median", s.Median(), test.median)
			check("p90", s.Percentile(90), test.p90)
			check("p95", s.Percentile(95), test.p95)
			check("p99", s.Percentile(99), test.p99)
			check("p0", s.Percentile(0), test.p0)
			check("p100", s.Percentile(100), test.p100)
			check("min", s.Min(), test.p0)
			check("max", s.Max(), test.p100)
			if !s.Exact() || s.Count() != len(test.values) {
				t.Errorf("exact %v, count %d", s.Exact(), s.Count())
			}
		})
	}
}

// Empty samples give zero, as vLLM reports it when nothing completed.
func TestSampleEmpty(t *testing.T) {
	var s Sample
	s.AddN(5, 0)
	for _, got := range []float64{s.Mean(), s.Std(), s.Median(), s.Percentile(99), s.Min(), s.Max()} {
		if got != 0 {
			t.Errorf("got %v, want 0", got)
		}
	}
	if !s.Exact() || s.Count() != 0 {
		t.Errorf("exact %v, count %d", s.Exact(), s.Count())
	}
}

// The variance of values that are large and close together is where sums of floats cancel.
func TestStdOfLargeCloseValues(t *testing.T) {
	var s Sample
	const base = sim.Duration(1) << 62
	s.AddN(base, 1_000_000)
	s.AddN(base+2, 1_000_000)
	if got, want := s.Std(), 1e-6; got != want {
		t.Errorf("std = %v, want %v", got, want)
	}
	if got, want := s.Mean(), float64(base+1)/1e6; got != want {
		t.Errorf("mean = %v, want %v", got, want)
	}
}

func TestNegativeDurationPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	var s Sample
	s.Add(-1)
}

// durations draws values of all sizes, often equal ones.
func durations() *rapid.Generator[[]sim.Duration] {
	one := rapid.Custom(func(t *rapid.T) sim.Duration {
		bits := rapid.IntRange(0, 62).Draw(t, "bits")
		return sim.Duration(rapid.Int64Range(0, 1<<bits).Draw(t, "ns"))
	})
	return rapid.SliceOfN(one, 1, 300)
}

// exactPercentile is the definition, on sorted values.
func exactPercentile(sorted []sim.Duration, p float64) float64 {
	h := p / 100 * float64(len(sorted)-1)
	i := int(h)
	j := min(i+1, len(sorted)-1)
	return (float64(sorted[i]) + (h-float64(i))*float64(sorted[j]-sorted[i])) / 1e6
}

func TestHistogramWithinOnePerMille(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := durations().Draw(t, "values")
		p := rapid.Float64Range(0, 100).Draw(t, "p")
		var s Sample
		s.spill()
		for _, d := range values {
			s.Add(d)
		}
		slices.Sort(values)
		got, want := s.Percentile(p), exactPercentile(values, p)
		if math.Abs(got-want) > 0.001*want {
			t.Fatalf("p%v = %v, exactly %v", p, got, want)
		}
	})
}

func TestExactPercentiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := durations().Draw(t, "values")
		p := rapid.Float64Range(0, 100).Draw(t, "p")
		var s Sample
		for _, d := range values {
			s.Add(d)
		}
		slices.Sort(values)
		got, want := s.Percentile(p), exactPercentile(values, p)
		if math.Abs(got-want) > 1e-12*want {
			t.Fatalf("p%v = %v, want %v", p, got, want)
		}
	})
}

// figures are all that a sample answers, to compare bit by bit.
func figures(s *Sample) [9]float64 {
	exact := 0.0
	if s.Exact() {
		exact = 1
	}
	return [9]float64{float64(s.Count()), s.Mean(), s.Std(), s.Median(), s.Percentile(90), s.Percentile(99), s.Min(),
		s.Max(), exact}
}

func TestMergeIsAddAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := durations().Draw(t, "values")
		cut := rapid.IntRange(0, len(values)).Draw(t, "cut")
		spilled := rapid.SampledFrom([]int{0, 1, 2, 3}).Draw(t, "spilled")
		var a, b, all Sample
		if spilled&1 != 0 {
			a.spill()
		}
		if spilled&2 != 0 {
			b.spill()
		}
		if a.hist != nil || (b.hist != nil && cut < len(values)) {
			all.spill()
		}
		for i, d := range values {
			all.Add(d)
			if i < cut {
				a.Add(d)
			} else {
				b.Add(d)
			}
		}
		a.Merge(&b)
		if figures(&a) != figures(&all) {
			t.Fatalf("merged %v, added %v", figures(&a), figures(&all))
		}
	})
}

// Past the limit the histogram takes over, whatever the order in which the values come.
func TestLimitDoesNotDependOnOrder(t *testing.T) {
	for _, distinct := range []int{exactLimit, exactLimit + 1} {
		rng := rand.New(rand.NewPCG(1, 2))
		order := rng.Perm(distinct)
		var up, mixed Sample
		for i := range distinct {
			up.Add(sim.Duration(i) * 1001)
		}
		for _, i := range order {
			mixed.Add(sim.Duration(i) * 1001)
			if i%3 == 0 { // some values twice
				mixed.Add(sim.Duration(i) * 1001)
				up.Add(sim.Duration(i) * 1001)
			}
		}
		if figures(&up) != figures(&mixed) {
			t.Errorf("%d values: %v in order, %v mixed", distinct, figures(&up), figures(&mixed))
		}
		if want := distinct <= exactLimit; up.Exact() != want {
			t.Errorf("%d values: exact = %v", distinct, !want)
		}
	}
}

func TestAddDoesNotAllocate(t *testing.T) {
	var exact, hist Sample
	hist.spill()
	for i := range 3 * compactFloor {
		exact.Add(sim.Duration(i % 1000))
	}
	i := 0
	allocs := testing.AllocsPerRun(10_000, func() {
		i++
		exact.AddN(sim.Duration(i%1000), 3)
		hist.Add(sim.Duration(i * i))
	})
	if allocs != 0 {
		t.Errorf("%v allocations per value", allocs)
	}
}
