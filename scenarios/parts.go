package scenarios

import (
	"fmt"
	"os"

	"pdsim/model/catalogue"
	"pdsim/model/compute"
	"pdsim/model/llm"
	"pdsim/model/nixl"
	"pdsim/model/serving"
	"pdsim/sim"
)

// parts are the catalogue's entries that a scenario names.
type parts struct {
	sp       *Spec
	shape    *llm.Shape
	backend  *catalogue.Backend
	software *catalogue.Software
}

// gather looks up what a scenario names.
func gather(sp *Spec) (*parts, error) {
	cat := builtinCatalogue()
	shape, err := sp.Model.shape()
	if err != nil {
		return nil, err
	}
	if sp.Model.KVBits != 0 {
		shape.KVBits = sp.Model.KVBits
	}
	p := &parts{sp: sp, shape: shape}
	if p.backend, err = cat.Backend(sp.Network.Backend); err != nil {
		return nil, err
	}
	if p.backend, err = override(sp, "backend", p.backend); err != nil {
		return nil, err
	}
	if p.software, err = cat.Stack(sp.Software.Version); err != nil {
		return nil, err
	}
	p.software, err = override(sp, "software", p.software)
	return p, err
}

// machine is the GPU of a pool's hardware.
func (p *parts) machine(es *EngineSpec) (*catalogue.GPU, *catalogue.Instance, error) {
	cat := builtinCatalogue()
	in, err := cat.Instance(es.Hardware)
	if err != nil {
		return nil, nil, err
	}
	if in, err = override(p.sp, "instance", in); err != nil {
		return nil, nil, err
	}
	gpu, err := cat.GPU(in.GPU)
	if err != nil {
		return nil, nil, err
	}
	gpu, err = override(p.sp, "gpu", gpu)
	return gpu, in, err
}

// blocks is the number of KV blocks of one engine: as given, or what its GPUs' memory holds beside the weights.
func (p *parts) blocks(es *EngineSpec) (int, error) {
	if es.KVBlocks > 0 {
		return es.KVBlocks, nil
	}
	gpu, _, err := p.machine(es)
	if err != nil {
		return 0, err
	}
	usable := int64(float64(gpu.Memory.Value) * es.MemoryUtilization)
	left := usable - p.shape.WeightBytesPerRank(es.TP) - int64(p.software.ActivationMemory.Value)
	n := left / (p.shape.KVBytesPerTokenPerRank(es.TP) * int64(es.BlockSize))
	if n < 1 {
		return 0, fmt.Errorf("%s at tp %d leaves no memory for KV on %s: %d bytes of weights a GPU, %d usable", p.shape.Name, es.TP, gpu.Name, p.shape.WeightBytesPerRank(es.TP), usable)
	}
	return int(min(n, maxBlocks)), nil
}

// maxBlocks bounds a pool; more memory than that is as good as endless.
const maxBlocks = 4 << 20

// wire is the transfer library and the rails of one engine's rank.
type wire struct {
	name       string
	costs      nixl.Costs
	rails      int
	rate       int64
	perMessage sim.Duration
	shared     bool
}

func (p *parts) wire(es *EngineSpec) (*wire, error) {
	_, in, err := p.machine(es)
	if err != nil {
		return nil, err
	}
	f, err := builtinCatalogue().Fabric(in.Fabric)
	if err != nil {
		return nil, err
	}
	if f, err = override(p.sp, "fabric", f); err != nil {
		return nil, err
	}
	w := &wire{name: in.Fabric, rails: in.RailsPerGPU.Value, rate: int64(in.RailRate.Value), perMessage: sim.Duration(f.PacketTime.Value), shared: f.Shared}
	w.costs = libraryCosts(p.backend, f, w.rate)
	switch p.sp.Network.Notification {
	case "data":
		w.costs.NotifyWithWrite = true
	case "poll":
		w.costs.NotifyWithWrite = false
	}
	if err := postBy(&w.costs, p.sp.Network.PostBy); err != nil {
		return nil, err
	}
	if w.rails < 1 || w.rate < 1 {
		return nil, fmt.Errorf("%s: want a rail or more of some rate, have %d of %d bytes/s", es.Hardware, w.rails, w.rate)
	}
	for _, c := range []int64{w.costs.ReadCeiling, w.costs.WriteCeiling} {
		if c > w.rate {
			return nil, fmt.Errorf("%s: %d bytes/s over a rail of %d", in.Fabric, c, w.rate)
		}
	}
	return w, nil
}

// postBy changes who posts, for what-if questions about versions.
func postBy(c *nixl.Costs, who string) error {
	switch who {
	case "caller":
		c.Pool, c.RingPush = 0, 0
	case "pool":
		if c.PoolPost == 0 {
			return fmt.Errorf("network.post_by: this backend has no pool")
		}
		c.Pool, c.RingPush = max(c.Pool, 4), 0
	case "progress-thread":
		if c.RingPush == 0 {
			return fmt.Errorf("network.post_by: this backend's progress thread does not post")
		}
	}
	return nil
}

// compute makes the compute model of a pool and holds it against the GPU's peaks.
func (p *parts) compute(es *EngineSpec) (compute.Model, error) {
	if es.Compute == "free" {
		return free{}, nil
	}
	gpu, in, err := p.machine(es)
	if err != nil {
		return nil, err
	}
	cfg := compute.Config{
		Shape: p.shape, TP: es.TP, MaxTokens: es.MaxNumBatchedTokens, MaxSeqs: es.MaxNumSeqs, MaxContext: es.MaxModelLen,
		Machine: compute.Machine{
			GPU: in.GPU, BF16: float64(gpu.BF16.Value), FP8: float64(gpu.FP8.Value),
			Bandwidth: float64(gpu.MemoryBandwidth.Value), NVLink: float64(gpu.NVLink.Value),
			PCIe: float64(float64(gpu.PCIe.Value) * gpu.PCIeEfficiency.Value), PCIeFloor: float64(gpu.PCIeLatency.Value),
			GEMMEfficiency: gpu.GEMMEfficiency.Value, AttentionEfficiency: gpu.AttentionEfficiency.Value, MemoryEfficiency: gpu.MemoryEfficiency.Value,
		},
	}
	if p.shape.WeightBits <= 8 && gpu.FP8.Value > 0 {
		cfg.Machine.GEMMEfficiency = gpu.FP8Efficiency.Value
	}
	m, err := computeModel(es, cfg)
	if err != nil {
		return nil, err
	}
	if es.ComputeScale != 1 {
		m = &scaled{m, es.ComputeScale}
	}
	return m, compute.Check(m, cfg)
}

func computeModel(es *EngineSpec, cfg compute.Config) (compute.Model, error) {
	switch es.Compute {
	case "kernels":
		return compute.Kernels(cfg)
	case "roofline":
		return compute.Roofline(cfg)
	case "fitted":
		return fittedModel(cfg)
	case "measured":
		return measuredModel(es, cfg)
	}
	if m, err := compute.Kernels(cfg); err == nil {
		return m, nil
	}
	if m, err := fittedModel(cfg); err == nil {
		return m, nil
	}
	return compute.Roofline(cfg)
}

// fittedModel takes the built-in fit for the model, GPU and parallelism at hand.
func fittedModel(cfg compute.Config) (compute.Model, error) {
	fits, err := compute.Fits()
	if err != nil {
		return nil, err
	}
	for _, f := range fits {
		if f.Model == cfg.Shape.Name && f.GPU == cfg.Machine.GPU && f.TP == cfg.TP {
			return compute.Fitted(cfg, f)
		}
	}
	return nil, fmt.Errorf("no fit for %s on %s at tp %d", cfg.Shape.Name, cfg.Machine.GPU, cfg.TP)
}

func measuredModel(es *EngineSpec, cfg compute.Config) (compute.Model, error) {
	t, err := compute.H200Qwen32B()
	if err != nil {
		return nil, err
	}
	if es.ComputeTable != "" {
		t = &compute.Table{}
		f, err := os.Open(es.ComputeTable)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if err := t.ReadDecode(es.ComputeTable, f); err != nil {
			return nil, err
		}
	}
	return compute.Measured(cfg, t)
}

// stackCosts turns the catalogue's entry for serving software into the engine's costs.
func stackCosts(s *catalogue.Software) serving.Costs {
	return serving.Costs{
		Schedule: sim.Duration(s.Schedule.Value), SchedulePer: sim.Duration(s.SchedulePerRequest.Value),
		Launch: sim.Duration(s.Launch.Value), LaunchPrefill: sim.Duration(s.LaunchPrefill.Value), Sample: sim.Duration(s.Sample.Value),
		EmptyStep: sim.Duration(s.EmptyStep.Value), IdleSleep: sim.Duration(s.IdleSleep.Value),
		RouterHop: sim.Duration(s.RouterHop.Value), APIServer: sim.Duration(s.APIServer.Value), APIBusy: sim.Duration(s.APIServerBusy.Value), TokenizePer: nixl.Picos(s.TokenizePerToken.Value),
		Detokenize: sim.Duration(s.Detokenize.Value), WriterPoll: sim.Duration(s.WriterPoll.Value), WriterWake: sim.Duration(s.WriterWake.Value),
		Lease: sim.Duration(s.Lease.Value), LeaseExtension: sim.Duration(s.LeaseExtension.Value), HeartbeatPeriod: sim.Duration(s.HeartbeatPeriod.Value),
		HandshakeTimeout: sim.Duration(s.HandshakeTimeout.Value),
	}
}

// libraryCosts turns the catalogue's entries for a backend and a fabric into the transfer library's costs.
func libraryCosts(b *catalogue.Backend, f *catalogue.Fabric, rate int64) nixl.Costs {
	ceiling := func(efficiency float64) int64 { return int64(float64(rate) * efficiency) }
	return nixl.Costs{
		PrepareFixed: sim.Duration(b.PrepareFixed.Value), PreparePerIndex: nixl.Picos(b.PreparePerIndex.Value),
		PostFixed: sim.Duration(b.PostFixed.Value), PostRead: nixl.Picos(b.PostRead.Value), PostWrite: nixl.Picos(b.PostWrite.Value),
		Pool: b.PoolThreads.Value, SplitAt: b.SplitThreshold.Value, PoolPost: nixl.Picos(b.PoolPost.Value),
		RingPush: nixl.Picos(b.RingPush.Value), RingService: nixl.Picos(b.RingService.Value), Background: b.BackgroundFactor.Value,
		PollFixed: sim.Duration(b.PollFixed.Value), PollPerHandle: sim.Duration(b.PollPerHandle.Value),
		NotifyWithWrite: b.NotifyWrite == "data", WriteBatch: b.DoorbellBatch.Value,
		StripeAt: int64(f.StripeThreshold.Value), QueueDepth: f.QueueDepth.Value,
		ReadLatency: sim.Duration(f.ReadLatency.Value), WriteLatency: sim.Duration(f.WriteLatency.Value), Message: sim.Duration(f.MessageLatency.Value),
		BesideForward: f.BesideForward.Value, ReadCeiling: ceiling(f.ReadEfficiency.Value), WriteCeiling: ceiling(f.WriteEfficiency.Value),
		HandshakeQuery: sim.Duration(f.HandshakeQuery.Value), HandshakeIndex: nixl.Picos(f.HandshakePerDescriptor.Value), FirstContact: sim.Duration(f.FirstContact.Value),
	}
}
