package metric

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"pdsim/sim"
)

const ms = sim.Millisecond

// request is one that completed, in milliseconds from the start of the run.
type request struct {
	start, first sim.Duration
	itls         []sim.Duration
	input        int
}

// collect adds requests as a client does: tokens as they come, a request when it ends.
func collect(c *Collector, list []request, timed bool) {
	for _, r := range list {
		c.Started(sim.Time(r.start))
	}
	for _, r := range list {
		at := sim.Time(r.first)
		if timed {
			c.AddTokens(at, 0, 1, 1)
		}
		for _, d := range r.itls {
			at = at.Add(d)
			c.AddITL(d, 1)
			if timed {
				c.AddTokens(at, 0, 1, 1)
			}
		}
		c.Add(sim.Time(r.start), sim.Time(r.first), at, r.input, len(r.itls)+1)
	}
}

// TestSummaryAgainstVLLM checks figures that the definitions of vLLM's serve.py, written out with numpy, give for the same
// requests.
func TestSummaryAgainstVLLM(t *testing.T) {
	list := []request{
		{500 * ms, 712 * ms, []sim.Duration{21 * ms, 20 * ms}, 2048},
		{600 * ms, 1500 * ms, nil, 100},
		{1100 * ms, 1400 * ms, []sim.Duration{100 * ms, 400 * ms, 7 * ms}, 17},
	}
	c := NewCollector(0, &SLO{TTFT: 350 * ms, TPOT: 100 * ms})
	collect(c, list, true)
	c.AddFailed(sim.Time(4000 * ms))
	good := 0.25
	want := Summary{
		Duration: 4.0, Completed: 3, Failed: 1, TotalInputTokens: 2165, TotalOutputTokens: 8,
		RequestThroughput: 0.75, RequestGoodput: &good, OutputThroughput: 2.0, TotalTokenThroughput: 543.25,
		MaxOutputTokensPerS: 4.0, MaxConcurrentRequests: 2,
		MeanTTFTMs: 470.666667, MedianTTFTMs: 300.0, StdTTFTMs: 305.702833,
		P90TTFTMs: 780.0, P95TTFTMs: 840.0, P99TTFTMs: 888.0,
		MeanTPOTMs: 94.75, MedianTPOTMs: 94.75, StdTPOTMs: 74.25,
		P90TPOTMs: 154.15, P95TPOTMs: 161.575, P99TPOTMs: 167.515,
		MeanITLMs: 109.6, MedianITLMs: 21.0, StdITLMs: 148.881967,
		P90ITLMs: 280.0, P95ITLMs: 340.0, P99ITLMs: 388.0,
		MeanE2ELMs: 653.333333, MedianE2ELMs: 807.0, StdE2ELMs: 285.613181,
		P90E2ELMs: 881.4, P95E2ELMs: 890.7, P99E2ELMs: 898.14,
	}
	if diff := cmp.Diff(want, c.Summary()); diff != "" {
		t.Error(diff)
	}
}

// Without anything added all figures are zero, as vLLM has it, and nothing is NaN.
func TestEmptySummary(t *testing.T) {
	if diff := cmp.Diff(Summary{}, NewCollector(5, nil).Summary()); diff != "" {
		t.Error(diff)
	}
	c := NewCollector(5, nil)
	c.Add(5, 5, 5, 10, 1)
	want := Summary{Completed: 1, TotalInputTokens: 10, TotalOutputTokens: 1, MaxOutputTokensPerS: 1, MaxConcurrentRequests: 1}
	if diff := cmp.Diff(want, c.Summary()); diff != "" {
		t.Error(diff)
	}
}

// Tokens that do come at even distances are counted the same whether or not the collector is told of each.
func TestSpreadIsEvery(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		origin := sim.Time(rapid.Int64Range(0, 5e9).Draw(t, "origin"))
		first := sim.Time(rapid.Int64Range(0, 9e9).Draw(t, "first"))
		gap := sim.Duration(rapid.SampledFrom([]int64{0, 1, 1e6, 3e8, 1e9, 25e8, 333333333}).Draw(t, "gap"))
		n := rapid.IntRange(1, 40).Draw(t, "n")
		var one, spread, every perSecond
		one.origin, spread.origin, every.origin = origin, origin, origin
		for i := range n {
			at := first.Add(sim.Duration(i) * gap)
			one.add(one.bucket(at), 2)
		}
		every.addEvery(first, gap, n, 2)
		spread.addSpread(first, first.Add(sim.Duration(n-1)*gap), n)
		spread.addSpread(first, first.Add(sim.Duration(n-1)*gap), n)
		if diff := cmp.Diff(one.seconds, every.seconds, cmp.AllowUnexported(second{})); diff != "" {
			t.Fatalf("every: %s", diff)
		}
		if diff := cmp.Diff(one.seconds, spread.seconds, cmp.AllowUnexported(second{})); diff != "" {
			t.Fatalf("spread: %s", diff)
		}
	})
}

// A product of tokens and nanoseconds may need more than 64 bits.
func TestSpreadOfHugeRequest(t *testing.T) {
	var r perSecond
	r.addSpread(0, sim.Time(100_000*sim.Second), math.MaxInt32)
	total := uint64(0)
	for _, s := range r.seconds {
		total += s.tokens
	}
	if want := uint64(math.MaxInt32); total != want || math.Abs(float64(r.max())-float64(want)/100_000) > 1 {
		t.Errorf("%d tokens, at most %d a second", total, r.max())
	}
}

func TestCollectorDoesNotAllocate(t *testing.T) {
	c := NewCollector(0, nil)
	one := func(i int) {
		at := sim.Time(i) * sim.Time(ms)
		c.Started(at)
		c.AddTokens(at.Add(10*ms), 5*ms, 100, 1)
		c.AddITL(5*ms, 99)
		c.Add(at, at.Add(sim.Duration(i%50)*ms), at.Add(500*ms), 1000, 100)
	}
	for i := range 20_000 {
		one(i)
	}
	i := 0
	if allocs := testing.AllocsPerRun(1000, func() { one(i); i++ }); allocs != 0 {
		t.Errorf("%v allocations per request", allocs)
	}
}
