package write

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"pdsim/model/nixl"
	"pdsim/model/serving"
	"pdsim/scenarios"
	"pdsim/sim"
	"pdsim/validate/read"
)

// played is a run with all that is written of it.
type played struct {
	result   *scenarios.Result
	ended    []ended // in the order in which requests ended
	timeline bytes.Buffer
	log      bytes.Buffer
	pages    []Page
}

// ended is what the run itself said of a request.
type ended struct {
	id, bytes         int64
	input, output     int
	sent, first, last sim.Time
	outcome           serving.Outcome
}

// play plays a small scenario and writes everything.
func play(t *testing.T, protocol string, interval sim.Duration, set ...string) *played {
	t.Helper()
	set = append([]string{"workload.requests=30", "workload.iterations=2", "workload.warmup=1", "workload.input_tokens=2000", "workload.output_tokens=20"}, set...)
	sp, err := scenarios.Load("p5en-qwen3-32b", set)
	if err != nil {
		t.Fatal(err)
	}
	p := &played{}
	put, err := read.WriteTimeline(&p.timeline, read.Header{Scenario: sp.Name, Protocol: protocol})
	if err != nil {
		t.Fatal(err)
	}
	log, metrics := NewKVLog(&p.log, interval), NewMetrics()
	session, err := scenarios.NewSession(sp, protocol, scenarios.Options{
		Gaps: true, Begin: metrics.Begin,
		Request: func(r *serving.Request) {
			q := Request(r)
			if err := put(&q); err != nil {
				t.Error(err)
			}
			metrics.Request(r)
			p.ended = append(p.ended, ended{r.ID, r.Moved.Bytes, r.Input, r.Output, r.Sent, r.First, r.Last, r.Outcome})
		},
		Transfer: func(x *nixl.Transfer, at sim.Time, ranks int) {
			log.Transfer(x, at, ranks)
			metrics.Transfer(x, at, ranks)
		},
		Trouble: func(e *serving.Engine, kind serving.Trouble, at sim.Time) {
			log.Trouble(e, kind, at)
			metrics.Trouble(e, kind, at)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	log.Attach(session.Cluster())
	metrics.Attach(session.Cluster())
	if p.result, err = session.Play(sp); err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if p.pages, err = metrics.Pages("a model"); err != nil {
		t.Fatal(err)
	}
	return p
}

// requests reads the timeline back.
func (p *played) requests(t *testing.T) ([]read.Request, *read.Notes) {
	t.Helper()
	var all []read.Request
	_, notes, err := read.Timeline("timeline", &p.timeline, read.Options{}, func(q *read.Request) error {
		all = append(all, *q)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all, notes
}

// orders are chains of times that a protocol keeps. A chain may lack times, but not break.
var orders = map[string][][]string{
	"pull":        {prefillChain, pullChain},
	"pull-reader": {prefillChain, pullChain},
	"push": {prefillChain, {"prefill_end", "post_start", "post_end", "first_token"},
		{"decode_queued", "admitted", "registered", "post_start", "landed", "seen", "first_token"}},
	"colocated": {{"arrival", "decode_queued", "admitted", "first_token"}},
}

var (
	prefillChain = []string{"arrival", "prefill_queued", "prefill_start", "prefill_end", "first_token"}
	pullChain    = []string{"prefill_end", "decode_queued", "admitted", "post_start", "landed", "seen", "first_token"}
)

func TestTimelineTellsTheRun(t *testing.T) {
	for protocol, chains := range orders {
		p := play(t, protocol, KVInterval)
		all, notes := p.requests(t)
		if len(all) != len(p.ended) || len(all) != p.result.Summary.Completed || len(all) != 60 {
			t.Fatalf("%s: want 60 requests without probes and warm-up, have %d of %d", protocol, len(all), len(p.ended))
		}
		for i := range all {
			q, e := &all[i], p.ended[i]
			if q.ID != e.id || q.Input != e.input || q.Output != e.output || q.Outcome != "done" || q.Arrival != read.Instant(e.sent) {
				t.Errorf("%s: want %+v, have %+v", protocol, e, q)
			}
			if len(q.Tokens) != e.output || q.FirstToken != read.Instant(e.first) || q.Last() != read.Instant(e.last) {
				t.Errorf("%s: request %d: want %d tokens from %v to %v, have %d", protocol, q.ID, e.output, e.first, e.last, len(q.Tokens))
			}
			if q.Bytes != e.bytes && e.bytes != 0 {
				t.Errorf("%s: request %d: want %d bytes, have %d", protocol, q.ID, e.bytes, q.Bytes)
			}
			for _, chain := range chains {
				checkChain(t, q, chain)
			}
		}
		for _, chain := range chains {
			for _, name := range chain {
				if notes.Missing[name] > 0 {
					t.Errorf("%s: %d requests lack %s", protocol, notes.Missing[name], name)
				}
			}
		}
	}
}

func checkChain(t *testing.T, q *read.Request, chain []string) {
	t.Helper()
	last := read.Never
	for _, name := range chain {
		at := q.Time(name)
		if at == read.Never {
			continue
		}
		if at < last {
			t.Errorf("request %d: %s is before its predecessor in %v", q.ID, name, chain)
		}
		last = at
	}
}

// TestTimelineOfTrouble says that what went wrong can be read, and is told from what went well.
func TestTimelineOfTrouble(t *testing.T) {
	for _, fault := range [][]string{
		{"faults.lost_notifications=0.2", "workload.timeout=2s"}, // a push waits for it; a pull's prefill engine does
		{"faults.kill_decode=6s", "decode.instances=2"},
		{"faults.kill_prefill=6s", "prefill.instances=2"},
		{"faults.fail_handshakes=2", "workload.warmup=0", "workload.probe=false"},
		{"workload.timeout=60ms", "workload.qps=50"},
	} {
		sum := 0
		for _, protocol := range []string{"pull", "push"} {
			p := play(t, protocol, KVInterval, fault...)
			all, notes := p.requests(t)
			failed := 0
			for _, e := range p.ended {
				if e.outcome != serving.Done {
					failed++
				}
			}
			sum += failed
			if len(all) != len(p.ended) || notes.Failed != failed || failed != p.result.Failed {
				t.Errorf("%s with %v: want %d requests, %d failed, have %d and %d", protocol, fault, len(p.ended), failed, len(all), notes.Failed)
			}
			aborted := counter(scrapes(t, p)["D0"], "vllm:request_success_total", "finished_reason", "abort")
			if aborted > float64(p.result.Aborted) {
				t.Errorf("%s with %v: D0 has %v aborted of %d", protocol, fault, aborted, p.result.Aborted)
			}
		}
		if sum == 0 {
			t.Errorf("with %v nothing failed", fault)
		}
	}
}

// near says whether two figures agree but for the last decimals that are printed.
func near(a, b, within float64) bool { return math.Abs(a-b) <= within }

func TestKVLogTellsTheRun(t *testing.T) {
	for _, c := range []struct{ protocol, who string }{{"pull", "APIServer pid=2000"}, {"push", "APIServer pid=1000"}} {
		whole := play(t, c.protocol, 1e15) // one line has the whole run
		kv := whole.result.KV
		want := map[string]float64{
			"kv.num_transfers": float64(kv.NumTransfers), "kv.avg_xfer_ms": kv.AvgXferMs, "kv.p90_xfer_ms": kv.P90XferMs,
			"kv.avg_post_ms": kv.AvgPostMs, "kv.p90_post_ms": kv.P90PostMs, "kv.avg_mb": kv.AvgMB,
			"kv.throughput_mb_s": kv.ThroughputMBs, "kv.avg_descriptors": kv.AvgDescriptors,
		}
		lines := kvLines(t, whole)
		if len(lines) != 1 || lines[0].Who != c.who {
			t.Fatalf("%s: want one line of %s, have %+v", c.protocol, c.who, lines)
		}
		for name, v := range want {
			within := .000501
			if name == "kv.avg_descriptors" {
				within = .0501
			}
			if have, ok := lines[0].Has(name); !ok || !near(have, v, within) {
				t.Errorf("%s: %s: want %v, have %v", c.protocol, name, v, have)
			}
		}
		cut := play(t, c.protocol, 1e9)
		n, xfer, stamps := 0.0, 0.0, []string{}
		lines = kvLines(t, cut)
		for _, l := range lines {
			n += l.Values["kv.num_transfers"]
			xfer += l.Values["kv.num_transfers"] * l.Values["kv.avg_xfer_ms"]
			stamps = append(stamps, l.Time)
		}
		if n != float64(kv.NumTransfers) || !near(xfer/n, kv.AvgXferMs, .0005) {
			t.Errorf("%s: want %d transfers of %v ms, have %v of %v", c.protocol, kv.NumTransfers, kv.AvgXferMs, n, xfer/n)
		}
		if len(lines) < 5 || !slices.IsSorted(stamps) || len(slices.Compact(stamps)) != len(lines) {
			t.Errorf("%s: want a line a second, have %v", c.protocol, stamps)
		}
	}
}

func kvLines(t *testing.T, p *played) []read.KVLine {
	t.Helper()
	var lines []read.KVLine
	notes, err := read.KVLines("log", &p.log, read.Options{}, func(l read.KVLine) error {
		lines = append(lines, l)
		return nil
	})
	if err != nil || len(notes.Missing) > 0 {
		t.Fatalf("%v, %v", err, notes)
	}
	return lines
}
