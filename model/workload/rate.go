package workload

import (
	"fmt"
	"math"

	"pdsim/sim"
)

// Rate says when requests arrive, as `vllm bench serve` decides it.
//
// Gaps follow a gamma distribution of shape Burstiness and mean 1/PerSecond: a Poisson process at 1, bunches below,
// near-constant gaps above. The first request waits for a gap too. All instants are then stretched by one factor, so that
// the last request arrives at Requests/PerSecond exactly.
type Rate struct {
	Requests   int     // how many; 1 or more
	PerSecond  float64 // requests per second; +Inf sends all at time 0
	Burstiness float64 // shape of the gaps, above 0; 1 is Poisson, +Inf constant gaps
	Seed       uint64  // of the gaps, as `--seed`: 0 to 2^32-1
}

// longestSpan is the longest run in seconds, about 30 years: it keeps instants well within a sim.Time.
const longestSpan = 1e9

// check reports what is out of range.
func (r *Rate) check() error {
	if r.Requests < 1 {
		return fmt.Errorf("requests: want 1 or more, have %d", r.Requests)
	}
	if !(r.PerSecond > 0) {
		return fmt.Errorf("rate: want more than 0 requests per second, have %v", r.PerSecond)
	}
	if !(r.Burstiness > 0) {
		return fmt.Errorf("burstiness: want more than 0, have %v", r.Burstiness)
	}
	if span := float64(r.Requests) / r.PerSecond; span > longestSpan {
		return fmt.Errorf("rate: want a run of at most %.0f seconds, have %.3g", longestSpan, span)
	}
	if r.Seed > math.MaxUint32 {
		return fmt.Errorf("seed: want 0 to %d, have %d", uint32(math.MaxUint32), r.Seed)
	}
	return nil
}

// instants yields the arrival times of a Rate. To stretch them it must know their sum, so it draws all gaps once to add
// them up and a second time, from the same seed, to yield them.
type instants struct {
	rate    Rate
	random  numpyRandom
	done    int
	at      float64 // seconds, before stretching
	stretch float64
}

// newInstants returns the arrival times of r, which has been checked.
func newInstants(r Rate) *instants {
	t := &instants{rate: r, stretch: 1}
	if math.IsInf(r.PerSecond, 1) {
		return t
	}
	t.random.seed(uint32(r.Seed))
	for range r.Requests {
		t.at += t.gap()
	}
	if t.at != 0 {
		t.stretch = float64(r.Requests) / r.PerSecond / t.at
	}
	t.at = 0
	t.random.seed(uint32(r.Seed))
	return t
}

// gap draws the next gap in seconds.
func (t *instants) gap() float64 {
	switch {
	case math.IsInf(t.rate.PerSecond, 1):
		return 0
	case math.IsInf(t.rate.Burstiness, 1):
		return 1 / t.rate.PerSecond
	}
	scale := 1 / float64(t.rate.PerSecond*t.rate.Burstiness)
	return float64(scale * t.random.gamma(t.rate.Burstiness))
}

// next returns the next instant, or false after the last.
func (t *instants) next() (sim.Time, bool) {
	if t.done == t.rate.Requests {
		return 0, false
	}
	t.done++
	t.at += t.gap()
	return sim.Time(math.Round(float64(t.at*t.stretch) * 1e9)), true
}
