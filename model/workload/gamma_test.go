package workload

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pdsim/sim"
)

// bench is a small valid benchmark.
func bench() Bench {
	return Bench{
		Rate:         Rate{Requests: 50, PerSecond: 8, Burstiness: 1, Seed: 7},
		Input:        Range{Mean: 1000, Ratio: 0.25},
		Output:       LogNormal{Mean: 128, Sigma: 1, Max: 900},
		PrefixTokens: 64,
	}
}

// all reads a source to its end.
func all(t *testing.T, s Source) []Arrival {
	t.Helper()
	var list []Arrival
	for a, ok := s.Next(); ok; a, ok = s.Next() {
		list = append(list, a)
	}
	if _, ok := s.Next(); ok {
		t.Error("an arrival after the last")
	}
	return list
}

// run returns the arrivals of a benchmark that must be valid.
func run(t *testing.T, b Bench) []Arrival {
	t.Helper()
	g, err := NewGamma(b)
	if err != nil {
		t.Fatal(err)
	}
	return all(t, g)
}

func TestGammaShape(t *testing.T) {
	list := run(t, bench())
	if len(list) != 50 || list[49].At != 6_250_000_000 {
		t.Fatalf("%d arrivals, the last at %v", len(list), list[len(list)-1].At)
	}
	ids := make(map[uint64]bool)
	for _, a := range list {
		if a.Input < 64+750 || a.Input > 64+1250 || a.Output < 1 || a.Output > 900 {
			t.Errorf("lengths %d and %d", a.Input, a.Output)
		}
		if a.Prompt.Prefix != list[0].Prompt.Prefix || a.Prompt.PrefixTokens != 64 || a.Session != 0 {
			t.Errorf("prompt %+v, session %d", a.Prompt, a.Session)
		}
		ids[a.Prompt.ID] = true
	}
	if len(ids) != 50 {
		t.Errorf("%d different prompts", len(ids))
	}
}

// without returns arrivals with their times taken off, to compare all the rest.
func without(list []Arrival) []Arrival {
	list = append([]Arrival(nil), list...)
	for i := range list {
		list[i].At = 0
	}
	return list
}

// times returns when arrivals are.
func times(list []Arrival) []sim.Time {
	var at []sim.Time
	for _, a := range list {
		at = append(at, a.At)
	}
	return at
}

func TestIterations(t *testing.T) {
	first := run(t, bench())
	again := bench()
	again.Iteration = 3
	if diff := cmp.Diff(first, run(t, again)); diff != "" {
		t.Errorf("an iteration differs:\n%s", diff)
	}
	again.Reseed = true
	reseeded := run(t, again)
	if diff := cmp.Diff(without(first), without(reseeded)); diff != "" {
		t.Errorf("a reseeded iteration has other prompts:\n%s", diff)
	}
	moved := bench()
	moved.Seed += 3
	if diff := cmp.Diff(times(run(t, moved)), times(reseeded)); diff != "" {
		t.Errorf("a reseeded iteration has not the gaps of seed+iteration:\n%s", diff)
	}
	again.Iteration = 0
	if diff := cmp.Diff(first, run(t, again)); diff != "" {
		t.Errorf("the first iteration is reseeded:\n%s", diff)
	}
}

// Arrivals, prompts and answers come from streams of their own, so that changing one leaves the others.
func TestStreamsAreIndependent(t *testing.T) {
	first := run(t, bench())
	b := bench()
	b.PerSecond, b.Burstiness = 3, 0.5
	if diff := cmp.Diff(without(first), without(run(t, b))); diff != "" {
		t.Errorf("another rate changes the requests:\n%s", diff)
	}
	b = bench()
	b.Input = LogNormal{Mean: 5000, Sigma: 0.5}
	for i, a := range run(t, b) {
		if a.At != first[i].At || a.Output != first[i].Output || a.Prompt.ID != first[i].Prompt.ID {
			t.Fatalf("another input length changes arrival %d: %+v, %+v", i, a, first[i])
		}
	}
}

func TestBenchErrors(t *testing.T) {
	tests := []struct {
		change func(*Bench)
		want   string
	}{
		{func(b *Bench) { b.Requests = 0 }, "requests: want 1 or more, have 0"},
		{func(b *Bench) { b.PerSecond = 0 }, "rate: want more than 0 requests per second, have 0"},
		{func(b *Bench) { b.PerSecond = math.NaN() }, "rate: want more than 0 requests per second, have NaN"},
		{func(b *Bench) { b.PerSecond = 1e-9 }, "rate: want a run of at most 1000000000 seconds"},
		{func(b *Bench) { b.Burstiness = -1 }, "burstiness: want more than 0, have -1"},
		{func(b *Bench) { b.Seed = 1 << 32 }, "seed: want 0 to 4294967295, have 4294967296"},
		{func(b *Bench) { b.Input = nil }, "input: want a length, have none"},
		{func(b *Bench) { b.Input = Fixed(0) }, "input: want 1 to 1073741824 tokens, have 0"},
		{func(b *Bench) { b.Output = Range{10, 1} }, "output: range ratio: want 0 to below 1, have 1"},
		{func(b *Bench) { b.Output = Range{0, 0} }, "output: mean: want 1 to"},
		{func(b *Bench) { b.Output = LogNormal{Mean: 0.5} }, "output: mean: want 1 to"},
		{func(b *Bench) { b.Output = LogNormal{Mean: 5, Sigma: -1} }, "output: sigma: want 0 to 10, have -1"},
		{func(b *Bench) { b.Output = LogNormal{Mean: 5, Max: -1} }, "output: max: want 0 to"},
		{func(b *Bench) { b.PrefixTokens = -1 }, "prefix: want 0 to 1073741824 tokens, have -1"},
		{func(b *Bench) { b.Iteration = -1 }, "iteration: want 0 or more, have -1"},
	}
	for _, test := range tests {
		b := bench()
		test.change(&b)
		if _, err := NewGamma(b); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("have error %v, want %s", err, test.want)
		}
	}
}

func TestGammaDoesNotAllocate(t *testing.T) {
	b := bench()
	b.Requests, b.Burstiness = 100_000, 0.7
	g, err := NewGamma(b)
	if err != nil {
		t.Fatal(err)
	}
	if allocs := testing.AllocsPerRun(1000, func() { g.Next() }); allocs != 0 {
		t.Errorf("%v allocations per arrival", allocs)
	}
}
