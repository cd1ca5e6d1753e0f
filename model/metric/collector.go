package metric

import "pdsim/sim"

// SLO is what a request must keep to count towards goodput. A limit of zero is no limit.
type SLO struct {
	TTFT sim.Duration // longest time to the first token
	TPOT sim.Duration // longest mean time per token after the first
	E2EL sim.Duration // longest time to the last token
}

// Collector gathers one benchmark run as the client sees it, in memory that does not grow with the number of requests.
// [Collector.Summary] then gives what `vllm bench serve` would have printed.
type Collector struct {
	TTFT Sample // time to first token, of completed requests
	TPOT Sample // time per output token after the first, of completed requests with two tokens or more
	ITL  Sample // gaps between the tokens of a request
	E2EL Sample // time to the last token, of completed requests

	slo    *SLO
	start  sim.Time // the run's
	last   sim.Time // latest completion or failure
	failed int
	good   int
	input  uint64
	output uint64

	began  bool // a first request has been sent, and tokens.origin is its time
	timed  bool // AddTokens gives the tokens' times
	tokens perSecond
	open   peak
}

// NewCollector returns a collector for a run that starts at the given time. Goodput is counted when slo is not nil.
func NewCollector(start sim.Time, slo *SLO) *Collector {
	c := &Collector{slo: slo, start: start, last: start}
	c.tokens.origin = start
	return c
}

// Started tells that a request was sent. The first one fixes where the one-second buckets of the token rate begin;
// without it they begin at the start of the run.
func (c *Collector) Started(at sim.Time) {
	if !c.began {
		c.began = true
		c.tokens.origin = at
	}
}

// Add records a request that was completed: sent at start, its first token seen at first and its last at last, with the
// tokens of its prompt and of its answer. Requests are added in order of their last token; only then is the number of
// concurrent requests exact. TPOT is rounded to the nanosecond.
func (c *Collector) Add(start, first, last sim.Time, input, output int) {
	ttft, e2el := first.Sub(start), last.Sub(start)
	c.TTFT.Add(ttft)
	c.E2EL.Add(e2el)
	tpot := sim.Duration(0)
	if output > 1 {
		n := sim.Duration(output - 1)
		tpot = (last.Sub(first) + n/2) / n
		c.TPOT.Add(tpot)
	}
	c.input += uint64(input)
	c.output += uint64(output)
	c.last = max(c.last, last)
	c.open.add(start, last)
	if !c.timed {
		c.tokens.addSpread(first, last, output)
	}
	if c.slo != nil && within(ttft, c.slo.TTFT) && within(tpot, c.slo.TPOT) && within(e2el, c.slo.E2EL) {
		c.good++
	}
}

// AddFailed records a request that ended at the given time without an answer. It counts in the run's duration only.
func (c *Collector) AddFailed(at sim.Time) {
	c.failed++
	c.last = max(c.last, at)
}

// AddITL records n gaps of length d between tokens of one request.
func (c *Collector) AddITL(d sim.Duration, n int) { c.ITL.AddN(d, n) }

// AddTokens tells when tokens reached the client, for the highest rate in any second: each tokens at first, at
// first+gap and so on, in so many steps. A caller that uses it does so for all tokens and before the first request is
// added; for one that does not, the tokens of a request are taken to be spread evenly from its first to its last.
func (c *Collector) AddTokens(first sim.Time, gap sim.Duration, steps, each int) {
	c.timed = true
	c.tokens.addEvery(first, gap, steps, each)
}

// Completed returns how many requests were added.
func (c *Collector) Completed() int { return c.E2EL.Count() }

// within says whether d keeps a limit, of which zero is none.
func within(d, limit sim.Duration) bool { return limit == 0 || d <= limit }
