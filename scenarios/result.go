package scenarios

import (
	"pdsim/model/metric"
	"pdsim/model/nixl"
	"pdsim/model/serving"
	"pdsim/sim"
)

// Result is what a scenario gave under one protocol. Its JSON has the fields of `vllm bench serve`'s result file and
// besides them those of KV transfers and engines. With several iterations it is all of them together.
type Result struct {
	Scenario string   `json:"scenario"`
	Protocol string   `json:"protocol"`
	Seed     uint64   `json:"seed"`
	Set      []string `json:"set"` // overrides in their order: "--with FILE", "key=value"
	metric.Summary
	Aborted int     `json:"aborted"` // of the failed ones, those that the client gave up on
	Reason  string  `json:"reason"`  // why the first failed request failed; "" if none did
	KV      KV      `json:"kv"`
	Engine  Engines `json:"engine"`
}

// KV are the figures of the `KV Transfer metrics` log line, counted as vLLM counts them: one transfer for each rank, MB of
// 2^20 bytes, xfer from the post's start to the poll that saw the end.
type KV struct {
	NumTransfers    int64   `json:"num_transfers"`
	AvgXferMs       float64 `json:"avg_xfer_ms"`
	P90XferMs       float64 `json:"p90_xfer_ms"`
	AvgPostMs       float64 `json:"avg_post_ms"`
	P90PostMs       float64 `json:"p90_post_ms"`
	AvgMB           float64 `json:"avg_mb"`
	ThroughputMBs   float64 `json:"throughput_mb_s"` // sum of bytes over sum of xfer times, per rank
	AvgDescriptors  float64 `json:"avg_descriptors"`
	FailedTransfers int64   `json:"num_failed_transfers"`
	LostNotes       int64   `json:"num_failed_notifications"`
	ExpiredLeases   int64   `json:"num_kv_expired_reqs"`
	StaleReads      int64   `json:"num_stale_reads"` // transfers of blocks whose lease had run out: wrong content, silently
}

// Engines are the figures of the engines, each pool's engines together. Shares are of the time from the first arrival to
// the last completion, readiness probes included.
type Engines struct {
	PrefillBusyShare  float64 `json:"prefill_busy_share"`   // of time in which a prefill GPU ran a step
	DecodeBusyShare   float64 `json:"decode_busy_share"`    // of time in which a decode GPU ran a step
	MeanRunning       float64 `json:"mean_running"`         // requests in a decode engine's running list
	SlotWaitMs        float64 `json:"slot_wait_ms"`         // mean wait in decode's queue for a slot and for blocks, before the KV is asked for
	PromoteWaitMs     float64 `json:"promote_wait_ms"`      // mean wait for a slot once the KV is there
	PrefillQueueMs    float64 `json:"prefill_queue_ms"`     // mean wait in prefill's queue
	PrefixHitShare    float64 `json:"prefix_hit_share"`     // of prompt tokens found in prefill's cache
	PeakBlocksPrefill int     `json:"peak_blocks_prefill"`  // since the engines were started, of one engine
	PeakBlocksDecode  int     `json:"peak_blocks_decode"`   // the same
	BlocksPrefill     int     `json:"total_blocks_prefill"` // that one engine has
	BlocksDecode      int     `json:"total_blocks_decode"`
	Preemptions       int64   `json:"preemptions"`
	DecodeSteps       int64   `json:"decode_steps"`
}

// tally gathers a run's figures while it is played.
type tally struct {
	collector *metric.Collector
	post      metric.Sample
	xfer      metric.Sample
	bytes     int64
	wire      sim.Duration // sum of xfer times over ranks
	descs     int64
	moved     int64
	aborted   int
	reason    string
	input     int64
	hits      int64 // of input, found in prefill's cache
	before    totals
}

// totals are running sums of a cluster, taken at the start of a run to be subtracted at its end.
type totals struct {
	at              sim.Time
	stats           serving.Stats
	prefill, decode serving.EngineStats
}

func sums(c *serving.Cluster) totals {
	t := totals{at: c.Sim.Now(), stats: c.Stats}
	for _, e := range c.Prefill {
		t.prefill.Plus(&e.Stats)
	}
	for _, e := range c.Decode {
		t.decode.Plus(&e.Stats)
	}
	return t
}

// transfer counts a transfer for each of the ranks that made it.
func (t *tally) transfer(x *nixl.Transfer, at sim.Time, ranks int) {
	n := ranks * x.Handles
	t.post.AddN(x.PostEnd.Sub(x.PostStart), n)
	t.xfer.AddN(at.Sub(x.PostStart), n)
	t.moved += int64(n)
	t.bytes += int64(n) * x.Extent.Bytes
	t.descs += int64(n) * int64(x.Extent.Descriptors)
	t.wire += sim.Duration(n) * at.Sub(x.PostStart)
}

// ended counts a request that has ended; the clock of the run is behind the simulation's by the given time.
func (t *tally) ended(r *serving.Request, behind sim.Duration) {
	if r.Outcome != serving.Done {
		t.collector.AddFailed(r.Last.Add(-behind))
		if r.Outcome == serving.Aborted {
			t.aborted++
		}
		if t.reason == "" {
			t.reason = r.Reason
		}
		return
	}
	t.input += int64(r.Input)
	if e := r.P.Engine; e != nil {
		t.hits += int64(r.P.Hit * e.Pool.BlockSize())
	}
	t.collector.Add(r.Sent.Add(-behind), r.First.Add(-behind), r.Last.Add(-behind), r.Input, r.Output)
}

// result closes the tally.
func (t *tally) result(c *serving.Cluster) *Result {
	r := &Result{Summary: t.collector.Summary(), Aborted: t.aborted, Reason: t.reason}
	r.KV = KV{
		NumTransfers: t.moved,
		AvgXferMs:    fixed(t.xfer.Mean()), P90XferMs: fixed(t.xfer.Percentile(90)),
		AvgPostMs: fixed(t.post.Mean()), P90PostMs: fixed(t.post.Percentile(90)),
		AvgMB: per(float64(t.bytes)/(1<<20), float64(t.moved)), AvgDescriptors: per(float64(t.descs), float64(t.moved)),
		ThroughputMBs:   per(float64(t.bytes)/(1<<20), t.wire.Seconds()),
		FailedTransfers: c.Stats.FailedTransfers - t.before.stats.FailedTransfers,
		LostNotes:       c.Stats.LostNotes - t.before.stats.LostNotes,
		ExpiredLeases:   c.Stats.Expired - t.before.stats.Expired,
		StaleReads:      c.Stats.StaleReads - t.before.stats.StaleReads,
	}
	r.Engine = t.engines(c)
	return r
}

func (t *tally) engines(c *serving.Cluster) Engines {
	now := sums(c)
	p, d := now.prefill.Minus(&t.before.prefill), now.decode.Minus(&t.before.decode)
	span := float64(now.at.Sub(t.before.at))
	e := Engines{
		DecodeBusyShare: per(float64(d.GPUBusy), span*float64(len(c.Decode))),
		MeanRunning:     per(float64(d.RunningTime), span*float64(len(c.Decode))),
		SlotWaitMs:      fixed(d.SlotWait.Mean()), PromoteWaitMs: fixed(d.PromoteWait.Mean()), PrefillQueueMs: fixed(p.SlotWait.Mean()),
		PrefixHitShare: per(float64(t.hits), float64(t.input)),
		Preemptions:    d.Preemptions + p.Preemptions, DecodeSteps: d.Steps,
	}
	if n := len(c.Prefill); n > 0 {
		e.PrefillBusyShare = per(float64(p.GPUBusy), span*float64(n))
		e.BlocksPrefill = c.Prefill[0].Pool.Blocks()
	}
	for _, x := range c.Prefill {
		e.PeakBlocksPrefill = max(e.PeakBlocksPrefill, x.Pool.Peak())
	}
	e.BlocksDecode = c.Decode[0].Pool.Blocks()
	for _, x := range c.Decode {
		e.PeakBlocksDecode = max(e.PeakBlocksDecode, x.Pool.Peak())
	}
	return e
}
