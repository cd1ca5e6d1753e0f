package protocols

import (
	"testing"

	"pdsim/model/compute"
	"pdsim/model/serving"
	"pdsim/model/workload"
	"pdsim/sim"
)

type quick struct{}

func (quick) StepTime(b *compute.Batch) sim.Duration {
	return sim.Duration(b.PrefillTokens)*20*sim.Microsecond + 6*sim.Millisecond + sim.Duration(b.DecodeContext)*5
}

// BenchmarkRequests is 1,000 requests of 4,096 in and 100 out at 8 a second.
func BenchmarkRequests(b *testing.B) {
	for _, p := range All() {
		b.Run(p.Name(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c := rig(p, nil)
				c.Prefill[0].Compute, c.Decode[0].Compute = quick{}, quick{}
				done := 0
				c.Client.Ended = func(*serving.Request) { done++ }
				if err := c.Client.Play(&poisson{left: 1000, r: sim.NewStream(1, "x")}); err != nil {
					b.Fatal(err)
				}
				if done != 1000 {
					b.Fatal(done)
				}
				h, s := c.Sim.Events()
				b.ReportMetric(float64(h)/1000, "events/req")
				b.ReportMetric(float64(s)/1000, "skips/req")
			}
			b.ReportMetric(float64(b.N)*1000/b.Elapsed().Seconds(), "req/s")
		})
	}
}

type poisson struct {
	left int
	at   sim.Time
	r    interface{ ExpFloat64() float64 }
}

func (p *poisson) Next() (workload.Arrival, bool) {
	if p.left == 0 {
		return workload.Arrival{}, false
	}
	p.left--
	p.at += sim.Time(p.r.ExpFloat64() / 8 * 1e9)
	return workload.Arrival{At: p.at, Input: 4096, Output: 100, Prompt: workload.Prompt{ID: uint64(p.left)}}, true
}

// TestServingAllocatesNothing says that a deployment that has warmed up serves without allocating: what ended is used
// again. What remains is the odd slice that grows to a new peak.
func TestServingAllocatesNothing(t *testing.T) {
	const n = 2000
	for _, p := range All() {
		c := rig(p, nil)
		c.Prefill[0].Compute, c.Decode[0].Compute = quick{}, quick{}
		serve := func() {
			if err := c.Client.Play(&poisson{left: n, r: sim.NewStream(1, "x")}); err != nil {
				t.Fatal(err)
			}
		}
		serve()
		if per := testing.AllocsPerRun(1, serve) / n; per > 0.02 { // which serves once more beforehand
			t.Errorf("%s: %.4f allocations a request", p.Name(), per)
		}
	}
}
