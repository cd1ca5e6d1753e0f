package write

import (
	"pdsim/model/nixl"
	"pdsim/model/serving"
	"pdsim/sim"
)

// Metrics gathers what the servers' /metrics would say at the end of a run. Counters and histograms are of the run alone,
// as the difference of a scrape after it and one before.
//
// A server's own times begin when a request enters its queue and end when its scheduler has a token: the router, the
// tokenizer and, where the decode leg comes second, the prefill are not in a decode server's TTFT.
type Metrics struct {
	servers  []*server // prefill servers first
	byAgent  map[*nixl.Agent]*server
	byEngine map[*serving.Engine]*server
}

// server is the metrics of one engine.
type server struct {
	engine     *serving.Engine
	histograms [histograms]histogram
	counters   [counters]int64
	finished   map[string]int64 // by reason
	preempted  int64            // before the run
}

// histogram counts whole numbers, so that sums do not depend on their order.
type histogram struct {
	counts []uint64 // by bucket, the last without a bound
	sum    int64
}

// NewMetrics returns metrics without servers. Attach comes before anything is told to them.
func NewMetrics() *Metrics {
	return &Metrics{byAgent: map[*nixl.Agent]*server{}, byEngine: map[*serving.Engine]*server{}}
}

// Attach tells the metrics which servers there are.
func (m *Metrics) Attach(c *serving.Cluster) {
	for _, engines := range [][]*serving.Engine{c.Prefill, c.Decode} {
		for _, e := range engines {
			s := &server{engine: e, finished: map[string]int64{}}
			for i := range s.histograms {
				s.histograms[i].counts = make([]uint64, len(histogramFamilies[i].bounds)+1)
			}
			m.servers = append(m.servers, s)
			m.byAgent[e.Agent], m.byEngine[e] = s, s
		}
	}
}

// Begin marks the start of the run.
func (m *Metrics) Begin() {
	for _, s := range m.servers {
		s.preempted = s.engine.Stats.Preemptions
	}
}

// Transfer takes in a transfer that is seen complete, for its poster.
func (m *Metrics) Transfer(x *nixl.Transfer, at sim.Time, ranks int) {
	s, n := m.byAgent[x.Poster], ranks*x.Handles
	s.observe(xfer, int64(at.Sub(x.PostStart)), n)
	s.observe(post, int64(x.PostEnd.Sub(x.PostStart)), n)
	s.observe(moved, x.Extent.Bytes, n)
	s.observe(descriptors, int64(x.Extent.Descriptors), n)
}

// Trouble takes in a failure.
func (m *Metrics) Trouble(e *serving.Engine, kind serving.Trouble, _ sim.Time) {
	counter := map[serving.Trouble]int{
		serving.FailedTransfer: failedTransfers, serving.LostNote: lostNotes, serving.ExpiredLease: expiredLeases,
	}[kind]
	m.byEngine[e].counters[counter]++
}

// Request takes in a request that has ended. Its gaps have to have been kept.
func (m *Metrics) Request(r *serving.Request) {
	if s := m.byEngine[r.P.Engine]; s != nil && r.P.State != serving.Absent {
		if end := r.P.Sampled(); end > 0 { // it had its one token, whatever came of the request
			s.began(r, &r.P)
			s.finish(&r.P, end, end, 1)
			s.finished["length"]++
		} else {
			s.finished[reason(r.Outcome)]++
		}
	}
	s := m.byEngine[r.D.Engine]
	if s == nil || r.D.State == serving.Absent {
		return
	}
	s.finished[reason(r.Outcome)]++
	if r.First == sim.Never {
		return
	}
	s.began(r, &r.D)
	for _, gap := range r.Gaps {
		s.observe(itl, int64(gap), 1)
	}
	s.counters[generationTokens] += int64(len(r.Gaps))
	first := r.First.Add(-r.D.Engine.Costs.Detokenize)
	s.observe(ttft, int64(first.Sub(r.D.Queued)), 1)
	if r.Outcome == serving.Done {
		s.finish(&r.D, first, r.D.Sampled(), r.Output)
	}
}

// reason is how vLLM calls a request's end. Answers end with their last token: the client ignores what they say.
func reason(o serving.Outcome) string {
	switch o {
	case serving.Done:
		return "length"
	case serving.Aborted:
		return "abort"
	default:
		return "error"
	}
}

// began counts a leg that had its first token.
func (s *server) began(r *serving.Request, l *serving.Leg) {
	hit := int64(l.Hit * s.engine.Pool.BlockSize())
	s.counters[promptTokens] += int64(r.Input)
	s.counters[generationTokens]++
	s.counters[prefixQueries] += int64(r.Input)
	s.counters[prefixHits] += hit
	if l.Loaded > 0 {
		s.counters[externalQueries] += int64(r.Input) - hit
		s.counters[externalHits] += int64(r.Input) - hit
	}
}

// finish counts a leg that had its last token. In a leg that loads its KV, waiting lasts until that is there and the
// scheduler lets it run.
func (s *server) finish(l *serving.Leg, first, last sim.Time, tokens int) {
	s.observe(e2el, int64(last.Sub(l.Queued)), 1)
	s.observe(queued, int64(l.Started().Sub(l.Queued)), 1)
	s.observe(inference, int64(last.Sub(l.Started())), 1)
	s.observe(prefill, int64(first.Sub(l.Started())), 1)
	s.observe(decode, int64(last.Sub(first)), 1)
	mean := int64(0) // as vLLM has it for an answer of one token
	if tokens > 1 {
		mean = int64(last.Sub(first)) / int64(tokens-1)
	}
	s.observe(tpot, mean, 1)
}

// observe adds a value to a histogram n times over.
func (s *server) observe(which int, value int64, n int) {
	h, f := &s.histograms[which], &histogramFamilies[which]
	i := 0
	for i < len(f.bounds) && float64(value)/f.per > f.bounds[i] {
		i++
	}
	h.counts[i] += uint64(n)
	h.sum += value * int64(n)
}
