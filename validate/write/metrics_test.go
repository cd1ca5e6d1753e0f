package write

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pdsim/validate/read"
)

// scrapes reads the pages back by engine.
func scrapes(t *testing.T, p *played) map[string]*read.Scrape {
	t.Helper()
	all := map[string]*read.Scrape{}
	for _, page := range p.pages {
		s, notes, err := read.ReadScrape(page.Engine, bytes.NewReader(page.Text), read.Options{})
		if err != nil || len(notes.Missing) > 0 || notes.NonFinite > 0 {
			t.Fatalf("%s: %v, %v", page.Engine, err, notes)
		}
		all[page.Engine] = s
	}
	return all
}

// mean is a histogram's mean in thousandths of its unit.
func mean(t *testing.T, s *read.Scrape, what string) float64 {
	t.Helper()
	h, ok := s.Histogram(what)
	m, some := h.Mean()
	if !ok || !some {
		t.Fatalf("no %s", what)
	}
	return m * 1e3
}

func TestMetricsTellTheRun(t *testing.T) {
	for protocol, poster := range map[string]string{"pull": "D0", "pull-reader": "D0", "push": "P0"} {
		p := play(t, protocol, KVInterval, "workload.probe=false") // the engines' own figures have probes in them
		all, r := scrapes(t, p), p.result
		d := all["D0"]
		for what, want := range map[string]float64{"itl": r.MeanITLMs, "tpot": r.MeanTPOTMs} {
			if have := mean(t, d, what); !near(have, want, 1e-5) {
				t.Errorf("%s: mean %s: want %v ms, have %v", protocol, what, want, have)
			}
		}
		for what, want := range map[string]float64{"xfer": r.KV.AvgXferMs, "post": r.KV.AvgPostMs, "descriptors": r.KV.AvgDescriptors * 1e3, "bytes": r.KV.AvgMB * (1 << 20) * 1e3} {
			if have := mean(t, all[poster], what); !near(have, want, 2e-6*max(want, 1)) {
				t.Errorf("%s: mean %s: want %v, have %v", protocol, what, want, have)
			}
			for name, s := range all {
				if h, _ := s.Histogram(what); name != poster && h.Count > 0 {
					t.Errorf("%s: %s records transfers of %s", protocol, name, poster)
				}
			}
		}
		requests, _ := p.requests(t)
		for what, from := range map[string]string{"ttft": "decode_queued", "e2el": "decode_queued"} {
			sum := 0.0
			for i := range requests {
				end := requests[i].FirstToken
				if what == "e2el" {
					end = requests[i].Last()
				}
				ms, _ := end.Ms(requests[i].Time(from))
				sum += ms
			}
			have, want := mean(t, d, what), sum/float64(len(requests)) // which has the way back, a constant, besides
			if hop := want - have; hop < 0 || hop > 20 {
				t.Errorf("%s: mean %s: want the way back before %v ms, have %v", protocol, what, want, have)
			}
		}
		if have := mean(t, all["P0"], "queue"); !near(have, r.Engine.PrefillQueueMs, 1e-5) {
			t.Errorf("%s: want %v ms in the prefill queue, have %v", protocol, r.Engine.PrefillQueueMs, have)
		}
	}
}

// TestQueueIsUntilItRuns says that a decode server's queue has the wait for blocks, the load and the wait for a slot in it.
func TestQueueIsUntilItRuns(t *testing.T) {
	p := play(t, "pull", KVInterval, "workload.iterations=1", "workload.probe=false", "workload.warmup=0")
	requests, _ := p.requests(t)
	load := 0.0
	for i := range requests {
		ms, _ := requests[i].Seen.Ms(requests[i].Admitted)
		load += ms / float64(len(requests))
	}
	have := mean(t, scrapes(t, p)["D0"], "queue")
	least := p.result.Engine.SlotWaitMs + load + p.result.Engine.PromoteWaitMs
	if have < least-1e-5 || have > least+20 { // from the poll to the scheduler is the rest of a step
		t.Errorf("want a little more than %v ms, have %v", least, have)
	}
}

// counter is the value of a counter or gauge.
func counter(s *read.Scrape, name string, labels ...string) float64 {
	sum := 0.0
	for _, v := range s.Values {
		if v.Name == name && (labels == nil || v.Labels[labels[0]] == labels[1]) {
			sum += v.Value
		}
	}
	return sum
}

func TestCounters(t *testing.T) {
	all := scrapes(t, play(t, "pull", KVInterval))
	for _, c := range []struct {
		engine, name string
		want         float64
	}{
		{"P0", "vllm:prompt_tokens_total", 60 * 2000}, {"P0", "vllm:generation_tokens_total", 60},
		{"D0", "vllm:prompt_tokens_total", 60 * 2000}, {"D0", "vllm:generation_tokens_total", 60 * 20},
		{"P0", "vllm:prefix_cache_queries_total", 60 * 2000}, {"P0", "vllm:prefix_cache_hits_total", 60 * 1984}, // all but the last block, which has the last token
		{"P0", "vllm:external_prefix_cache_hits_total", 0}, {"D0", "vllm:nixl_num_failed_transfers_total", 0},
		{"P0", "vllm:request_success_total", 60}, {"D0", "vllm:request_success_total", 60},
		{"D0", "vllm:num_requests_running", 0}, {"D0", "vllm:num_requests_waiting", 0}, {"D0", "vllm:num_preemptions_total", 0},
	} {
		if have := counter(all[c.engine], c.name); have != c.want {
			t.Errorf("%s of %s: want %v, have %v", c.name, c.engine, c.want, have)
		}
	}
	d := all["D0"]
	loaded := counter(d, "vllm:external_prefix_cache_hits_total")
	if hits := counter(d, "vllm:prefix_cache_hits_total"); hits+loaded != 60*2000 {
		t.Errorf("want every prompt token found or loaded, have %v and %v", hits, loaded)
	}
}

func TestTroubleIsCountedByItsServer(t *testing.T) {
	p := play(t, "pull", KVInterval, "faults.lost_notifications=1", "workload.qps=0.05/s", "workload.probe=false")
	all, kv := scrapes(t, p), p.result.KV
	if kv.LostNotes == 0 || kv.ExpiredLeases == 0 {
		t.Fatalf("want trouble, have %+v", kv)
	}
	if have := counter(all["D0"], "vllm:nixl_num_failed_notifications_total"); have != float64(kv.LostNotes) {
		t.Errorf("D0 sends what says that a read is done: want %d lost, have %v", kv.LostNotes, have)
	}
	if have := counter(all["P0"], "vllm:nixl_num_kv_expired_reqs_total"); have != float64(kv.ExpiredLeases) {
		t.Errorf("P0 keeps the leases: want %d expired, have %v", kv.ExpiredLeases, have)
	}
	zeros := slices.DeleteFunc(strings.Split(p.log.String(), "\n"), func(l string) bool { return !strings.Contains(l, "Num successful transfers=0, ") })
	if len(zeros) == 0 || !strings.HasSuffix(zeros[0], "Avg xfer time (ms)=0, P90 xfer time (ms)=0, Avg post time (ms)=0, P90 post time (ms)=0, Avg MB per transfer=0, Throughput (MB/s)=0, Avg number of descriptors=0") {
		t.Errorf("want lines of zeros from P0, have %q in\n%s", zeros, p.log.String())
	}
}

// TestServersApart says that each of several servers has its own figures, and that together they are the run's.
func TestServersApart(t *testing.T) {
	p := play(t, "pull", 1e15, "prefill.instances=2", "decode.instances=3")
	all := scrapes(t, p)
	if len(all) != 5 {
		t.Fatalf("want 5 servers, have %d", len(all))
	}
	sum := 0.0
	for _, name := range []string{"D0", "D1", "D2"} {
		h, _ := all[name].Histogram("xfer")
		if h.Count == 0 {
			t.Errorf("%s has no transfers", name)
		}
		sum += h.Count
	}
	if sum != float64(p.result.KV.NumTransfers) {
		t.Errorf("want %d transfers, have %v", p.result.KV.NumTransfers, sum)
	}
	var who []string
	for _, l := range kvLines(t, p) {
		who = append(who, l.Who)
	}
	if want := []string{"APIServer pid=2000", "APIServer pid=2001", "APIServer pid=2002"}; !slices.Equal(who, want) {
		t.Errorf("want lines of %v, have %v", want, who)
	}
}

func TestNumbersAsPythonPrintsThem(t *testing.T) {
	for _, c := range []struct {
		x        float64
		decimals int
		want     string
	}{
		{31.25, 3, "31.25"}, {64, 3, "64.0"}, {5.1254, 3, "5.125"}, {2.0005, 3, "2.001"}, {0.0625, 3, "0.062"}, {0, 3, "0.0"},
		{1024, 1, "1024.0"}, {16896.25, 1, "16896.2"}, {100, 1, "100.0"},
	} {
		if have := python(c.x, c.decimals); have != c.want {
			t.Errorf("%v: want %s, have %s", c.x, c.want, have)
		}
	}
}

// TestBounds says that a value on a bound is in the bucket below it, as Prometheus has it.
func TestBounds(t *testing.T) {
	for which, f := range histogramFamilies {
		s := &server{}
		for i := range s.histograms {
			s.histograms[i].counts = make([]uint64, len(histogramFamilies[i].bounds)+1)
		}
		for _, b := range f.bounds {
			s.observe(which, int64(b*f.per+.5), 1)
		}
		for i, n := range s.histograms[which].counts[:len(f.bounds)] {
			if n != 1 {
				t.Errorf("%s: want 1 up to %v, have %d", f.name, f.bounds[i], n)
			}
		}
	}
}
