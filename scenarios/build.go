package scenarios

import (
	"fmt"
	"math/rand/v2"

	"pdsim/model/kv"
	"pdsim/model/nixl"
	"pdsim/model/serving"
	"pdsim/model/unit"
	"pdsim/protocols"
	"pdsim/sim"
)

// build starts the engines of a scenario under a protocol.
func build(sp *Spec, protocol string, rec sim.Recorder) (*serving.Cluster, error) {
	p, ok := protocols.Lookup(protocol)
	if !ok {
		return nil, fmt.Errorf("unknown protocol %q", protocol)
	}
	parts, err := gather(sp)
	if err != nil {
		return nil, err
	}
	c := serving.NewCluster(sim.New(sp.Run.Seed, rec), p)
	c.Switches.Concurrent = sp.Router.Dispatch == "concurrent"
	if sp.Router.Policy == "least-loaded" {
		c.Router.Policy = serving.LeastLoaded
	}
	if c.Pairing, err = kv.Pair(sp.Prefill.TP, sp.Decode.TP, parts.shape.KVHeads, parts.shape.MLA(), p.Writes()); err != nil {
		return nil, err
	}
	if c.BlockRatio, err = kv.MatchBlocks(c.Pairing, sp.Prefill.BlockSize, sp.Decode.BlockSize); err != nil {
		return nil, err
	}
	if sp.Network.Merge == "never" {
		c.Pairing.Dense = false
	}
	c.Switches.Contiguous = sp.Network.Merge == "always"
	b := builder{sp: sp, parts: parts, c: c}
	if c.Prefill, err = b.pool("P", &sp.Prefill); err != nil {
		return nil, fmt.Errorf("prefill: %w", err)
	}
	if c.Decode, err = b.pool("D", &sp.Decode); err != nil {
		return nil, fmt.Errorf("decode: %w", err)
	}
	b.faults()
	return c, nil
}

// builder makes a cluster's engines.
type builder struct {
	sp     *Spec
	parts  *parts
	c      *serving.Cluster
	shared map[string]sim.LinkID // by fabric: the medium that all agents on it share
	rate   int64                 // of a decode engine's rail, bytes a second
}

func (b *builder) pool(name string, es *EngineSpec) ([]*serving.Engine, error) {
	m, err := b.parts.compute(es)
	if err != nil {
		return nil, err
	}
	order, err := kv.ParseFreeOrder(b.sp.Network.FreeOrder)
	if err != nil {
		return nil, err
	}
	layout, err := kv.ParseLayout(b.sp.Network.KVLayout)
	if err != nil {
		return nil, err
	}
	blocks, err := b.parts.blocks(es)
	if err != nil {
		return nil, err
	}
	shape := b.parts.shape
	var engines []*serving.Engine
	for i := range es.Instances {
		cfg := serving.Config{
			Name: fmt.Sprintf("%s%d", name, i), TP: es.TP, MaxSeqs: es.MaxNumSeqs, MaxTokens: es.MaxNumBatchedTokens,
			Async: es.AsyncScheduling, LoadAfterLaunch: b.sp.Software.LoadAfterLaunch, PollLast: b.sp.Software.PollLast,
			Costs: stackCosts(b.parts.software), Compute: m,
			Pool:     kv.NewPoolOrder(blocks, es.BlockSize, es.PrefixCaching, order),
			Geometry: kv.Geometry{Layout: layout, Layers: shape.Layers, BytesPerTokenPerRank: shape.KVBytesPerTokenPerRank(es.TP), MLA: shape.MLA(), BlockSize: es.BlockSize},
		}
		if b.sp.Run.Jitter > 0 {
			cfg.Compute = &jittered{m, b.sp.Run.Jitter, b.c.Sim.Stream("compute/" + cfg.Name)}
		}
		if b.sp.Network.Fragmented {
			shuffle(cfg.Pool, b.c.Sim.Stream("fragmentation/"+cfg.Name))
		}
		if cfg.Agent, err = b.agent(cfg.Name, es); err != nil {
			return nil, err
		}
		engines = append(engines, b.c.AddEngine(cfg))
	}
	return engines, nil
}

// agent makes the transfer library of one engine, on the rails of its hardware.
func (b *builder) agent(name string, es *EngineSpec) (*nixl.Agent, error) {
	w, err := b.parts.wire(es)
	if err != nil {
		return nil, err
	}
	b.rate = w.rate
	if !w.shared {
		return b.c.Net.NewAgent(name, w.costs, w.rails, w.rate, w.perMessage), nil
	}
	medium, ok := b.shared[w.name]
	if !ok {
		medium = b.c.Net.Fabric.Link(w.name, w.rate, w.perMessage)
		b.shared = map[string]sim.LinkID{w.name: medium}
	}
	return b.c.Net.NewSharedAgent(name, w.costs, medium), nil
}

// faults plants what goes wrong.
func (b *builder) faults() {
	f, c := &b.sp.Faults, b.c
	if f.LostNotifications > 0 {
		dice := c.Sim.Stream("lost notifications")
		c.Net.DropNotes(func(nixl.Note) bool { return dice.Float64() < f.LostNotifications })
	}
	kill := func(engines []*serving.Engine, at unit.Duration) {
		if at > 0 && len(engines) > 0 {
			c.KillAt(engines[0], sim.Time(at))
		}
	}
	kill(c.Prefill, f.KillPrefill)
	kill(c.Decode, f.KillDecode)
	c.FailHandshakes = f.FailHandshakes
	if f.SlowRail < 1 {
		a := c.Decode[0].Agent
		for _, l := range []sim.LinkID{a.Tx[0], a.Rx[0]} {
			c.Net.Fabric.SetRate(l, int64(float64(b.rate)*f.SlowRail))
		}
	}
}

// shuffle brings a pool's free blocks into random order, as long use does.
func shuffle(p *kv.Pool, r *rand.Rand) {
	all, _ := p.Allocate(nil, p.Blocks())
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	p.Release(all)
}
