package protocols

import (
	"pdsim/model/compute"
	"pdsim/model/kv"
	"pdsim/model/nixl"
	"pdsim/model/serving"
	"pdsim/model/workload"
	"pdsim/sim"
)

// flat is a compute model with round numbers: 10 ms a decode step, 100 us a prompt token.
type flat struct{}

func (flat) StepTime(b *compute.Batch) sim.Duration {
	d := sim.Duration(b.PrefillTokens) * 100 * sim.Microsecond
	if b.Decodes > 0 {
		d += 10 * sim.Millisecond
	}
	return d
}

type script struct{ arrivals []workload.Arrival }

func (s *script) Next() (workload.Arrival, bool) {
	if len(s.arrivals) == 0 {
		return workload.Arrival{}, false
	}
	a := s.arrivals[0]
	s.arrivals = s.arrivals[1:]
	return a, true
}

func rig(p serving.Protocol, log sim.Recorder) *serving.Cluster {
	s := sim.New(1, log)
	c := serving.NewCluster(s, p)
	c.Switches.Concurrent = true
	costs, soft := plainCosts()
	add := func(name string) *serving.Engine {
		return c.AddEngine(serving.Config{
			Name: name, MaxSeqs: 8, MaxTokens: 8192, LoadAfterLaunch: true, TP: 8, Costs: soft, Compute: flat{},
			Pool: kv.NewPool(4000, 16, false), Geometry: kv.Geometry{Layout: kv.Packed, Layers: 64, BytesPerTokenPerRank: 32 << 10, BlockSize: 16},
			Agent: c.Net.NewAgent(name, costs, 2, 25e9, 400),
		})
	}
	c.Prefill = append(c.Prefill, add("P"))
	c.Decode = append(c.Decode, add("D"))
	c.Pairing, _ = kv.Pair(8, 8, 8, false, p.Writes())
	return c
}

// plainCosts are round numbers near those of EFA and vLLM.
func plainCosts() (nixl.Costs, serving.Costs) {
	costs := nixl.Costs{
		PostFixed: 50 * sim.Microsecond, PostRead: 2_440_000, PostWrite: 2_440_000, PollFixed: 5 * sim.Microsecond,
		NotifyWithWrite: true, WriteBatch: 16, StripeAt: 128 << 10, QueueDepth: 4096,
		ReadLatency: 25 * sim.Microsecond, WriteLatency: 16 * sim.Microsecond, Message: 18 * sim.Microsecond,
		ReadCeiling: 19e9, WriteCeiling: 22_900_000_000, HandshakeQuery: sim.Millisecond,
	}
	soft := serving.Costs{
		Schedule: 200 * sim.Microsecond, Launch: 500 * sim.Microsecond, LaunchPrefill: 2 * sim.Millisecond,
		Sample: 200 * sim.Microsecond, EmptyStep: 200 * sim.Microsecond, IdleSleep: sim.Millisecond,
		RouterHop: sim.Millisecond, APIServer: sim.Millisecond, TokenizePer: 100_000, Detokenize: sim.Millisecond,
		WriterPoll: sim.Millisecond, WriterWake: 50 * sim.Microsecond,
		Lease: 30 * sim.Second, LeaseExtension: 20 * sim.Second, HeartbeatPeriod: 5 * sim.Second,
	}
	return costs, soft
}
