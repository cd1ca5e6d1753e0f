package scenarios

import (
	"fmt"
	"math"

	"pdsim/model/metric"
	"pdsim/model/nixl"
	"pdsim/model/serving"
	"pdsim/model/workload"
	"pdsim/sim"
)

// Options are what a caller may want of a run besides its result.
type Options struct {
	// Request is told of every request that has ended, probes excepted. It must not keep it.
	Request func(r *serving.Request)
	// Gaps keeps the gaps between each request's tokens for Request.
	Gaps bool
	// Transfer is told of every transfer that a poll sees complete, for so many ranks of its poster. It must not keep it.
	Transfer func(x *nixl.Transfer, at sim.Time, ranks int)
	// Trouble is told of every failed transfer, lost notification and lease that ran out.
	Trouble func(e *serving.Engine, kind serving.Trouble, at sim.Time)
	// Begin is told when the warm-up is over. Of what comes before, and of probes, the functions above hear nothing.
	Begin func()
	// Recorder keeps the spans of everything that happens.
	Recorder sim.Recorder
	// Stepwise takes every event through the queue, which changes nothing but the time it takes.
	Stepwise bool
}

// Session is a running deployment. What it has served leaves its traces in caches and in the order of free blocks, as on
// real servers.
type Session struct {
	protocol string
	cluster  *serving.Cluster
	opt      Options
	used     bool // it has served something
}

// NewSession starts the engines of a scenario under a protocol.
func NewSession(sp *Spec, protocol string, opt Options) (*Session, error) {
	c, err := build(sp, protocol, opt.Recorder)
	if err != nil {
		return nil, err
	}
	if opt.Stepwise {
		c.Sim.Stepwise()
	}
	c.Client.KeepGaps = opt.Gaps
	return &Session{protocol: protocol, cluster: c, opt: opt}, nil
}

// Cluster is the deployment itself.
func (s *Session) Cluster() *serving.Cluster { return s.cluster }

// Run plays a scenario under a protocol on servers of its own.
func Run(sp *Spec, protocol string, opt Options) (*Result, error) {
	s, err := NewSession(sp, protocol, opt)
	if err != nil {
		return nil, err
	}
	return s.Play(sp)
}

// Play runs a scenario's workload, all its iterations one after another, on the session's servers. The scenario may
// differ from the one that started them in its workload only.
func (s *Session) Play(sp *Spec) (*Result, error) {
	c := s.cluster
	if err := s.warmUp(sp); err != nil {
		return nil, err
	}
	if s.opt.Begin != nil {
		s.opt.Begin()
	}
	t := &tally{collector: metric.NewCollector(0, nil), before: sums(c)}
	start := c.Sim.Now()
	cl := &c.Client
	s.configure(sp)
	clock := sim.Duration(start) // the run's clock stands still between iterations
	last := start
	for i := range max(1, sp.Workload.Iterations) {
		if err := s.probe(sp, i); err != nil {
			return nil, err
		}
		src, err := arrivals(sp, i)
		if err != nil {
			return nil, err
		}
		clock += c.Sim.Now().Sub(last)
		if i == 0 {
			clock = sim.Duration(c.Sim.Now())
		}
		s.observe(t, clock)
		if err := cl.Play(src); err != nil {
			return nil, fmt.Errorf("%s under %s: %w", sp.Name, s.protocol, err)
		}
		if err := finish(src); err != nil {
			return nil, err
		}
		last = c.Sim.Now()
	}
	r := t.result(c)
	r.Scenario, r.Protocol, r.Seed = sp.Name, s.protocol, sp.Run.Seed
	return r, nil
}

// warmUp plays the iterations that precede the counted ones on servers that have not served anything yet.
func (s *Session) warmUp(sp *Spec) error {
	fresh := !s.used
	s.used = true
	if !fresh {
		return nil
	}
	s.configure(sp)
	cl := &s.cluster.Client
	for i := range sp.Workload.Warmup {
		src, err := arrivals(sp, i)
		if err != nil {
			return err
		}
		s.unobserved()
		if err := cl.Play(src); err != nil {
			return err
		}
		if err := finish(src); err != nil {
			return err
		}
	}
	return nil
}

// configure sets the client up for a scenario's workload.
func (s *Session) configure(sp *Spec) {
	cl := &s.cluster.Client
	cl.MaxConcurrency, cl.Timeout = sp.Workload.MaxConcurrency, sim.Duration(sp.Workload.Timeout)
	cl.MaxPrompt, cl.MaxLen = sp.Prefill.MaxModelLen, sp.Decode.MaxModelLen
}

// observe points the client's and the transfers' reports at a tally.
func (s *Session) observe(t *tally, behind sim.Duration) {
	cl := &s.cluster.Client
	cl.Gap = t.collector.AddITL
	cl.Ended = func(r *serving.Request) {
		t.ended(r, behind)
		if s.opt.Request != nil {
			s.opt.Request(r)
		}
	}
	s.cluster.Stats.Seen = func(x *nixl.Transfer, at sim.Time, ranks int) {
		t.transfer(x, at, ranks)
		if s.opt.Transfer != nil {
			s.opt.Transfer(x, at, ranks)
		}
	}
	s.cluster.Stats.Trouble = s.opt.Trouble
}

// unobserved lets what comes go uncounted.
func (s *Session) unobserved() {
	cl, st := &s.cluster.Client, &s.cluster.Stats
	cl.Gap, cl.Ended, st.Seen, st.Trouble = nil, nil, nil, nil
}

// probe sends an iteration's first request once, alone and uncounted, as `vllm bench serve` does to see that the servers
// are ready. It meets the peers and fills the prefix caches.
func (s *Session) probe(sp *Spec, iteration int) error {
	if !sp.Workload.Probe {
		return nil
	}
	src, err := arrivals(sp, iteration)
	if err != nil {
		return err
	}
	first, ok := src.Next()
	if err := finish(src); err != nil || !ok {
		return err
	}
	first.At = 0
	cl := &s.cluster.Client
	s.unobserved()
	return cl.Play(&once{first, true})
}

// once is a source of one arrival.
type once struct {
	arrival workload.Arrival
	more    bool
}

// Next returns the arrival the first time.
func (o *once) Next() (workload.Arrival, bool) {
	more := o.more
	o.more = false
	return o.arrival, more
}

// fixed rounds a figure to six decimals, so that printing it does not depend on the last bits.
func fixed(x float64) float64 { return math.Round(x*1e6) / 1e6 }

// per is a ratio to six decimals, or 0 over nothing.
func per(x, of float64) float64 {
	if of == 0 {
		return 0
	}
	return fixed(x / of)
}
