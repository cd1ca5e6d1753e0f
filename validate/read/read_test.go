package read

import (
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
)

// open opens a file of testdata for the length of a test.
func open(t *testing.T, name string) io.Reader {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func near(t *testing.T, what string, have, want float64) {
	t.Helper()
	if math.Abs(have-want) > 1e-9*math.Max(1, math.Abs(want)) {
		t.Errorf("%s: have %v, want %v", what, have, want)
	}
}

// benches reads a file and demands that it has so many results.
func benches(t *testing.T, name string, opt Options, want int) ([]*Bench, *Notes) {
	t.Helper()
	var all []*Bench
	notes, err := Benches(name, open(t, name), opt, func(b *Bench) error { all = append(all, b); return nil })
	if err != nil || len(all) != want {
		t.Fatalf("%s: %d results, %v", name, len(all), err)
	}
	return all, notes
}

func TestBenchDetailed(t *testing.T) {
	all, notes := benches(t, "bench_detailed.json", Options{}, 1)
	b := all[0]
	near(t, "rate", b.Figures["request_rate"], 4)
	if b.Texts["model_id"] != "Qwen/Qwen3-32B" || b.Infinite || len(b.Requests) != 3 || notes.Failed != 1 || notes.NonFinite != 0 {
		t.Errorf("have %+v, notes %+v", b, notes)
	}
	s := b.Samples()
	if len(s.TTFT) != 2 || len(s.ITL) != 4 {
		t.Fatalf("samples %+v", s)
	}
	near(t, "ttft", s.TTFT[1], 198)
	near(t, "tpot", s.TPOT[0], 20.5)
	near(t, "e2el", s.E2EL[0], 253)
	if len(notes.Missing) != 0 {
		t.Errorf("missing: %v", notes.Missing)
	}
}

func TestBenchOldHasNoLatencies(t *testing.T) {
	all, notes := benches(t, "bench_old.json", Options{}, 1)
	if all[0].Has("latencies") || notes.Missing["latencies"] != 1 || notes.Missing["queue_times"] != 1 {
		t.Errorf("missing: %v", notes.Missing)
	}
	near(t, "e2el", all[0].Samples().E2EL[0], 253) // first token and gaps
}

func TestBenchAppended(t *testing.T) {
	_, err := Benches("a.jsonl", open(t, "bench_append.jsonl"), Options{}, func(*Bench) error { return nil })
	if err == nil || !strings.HasPrefix(err.Error(), "a.jsonl:2: duration: ") {
		t.Errorf("have %v", err)
	}
	all, notes := benches(t, "bench_append.jsonl", Options{KeepGoing: true}, 2)
	if notes.Malformed != 1 || !all[0].Infinite || all[1].Infinite || all[1].Line != 4 {
		t.Errorf("%+v, lines %d and %d", notes, all[0].Line, all[1].Line)
	}
}

func TestBenchOverManyLines(t *testing.T) {
	all, _ := benches(t, "bench_pretty.json", Options{}, 1)
	near(t, "ttft", all[0].Figures["mean_ttft_ms"], 205)
}

func TestBenchNotFinite(t *testing.T) {
	all, notes := benches(t, "bench_nan.json", Options{}, 1)
	if notes.NonFinite != 3 || notes.Missing["mean_ttft_ms"] != 1 || all[0].Has("std_itl_ms") {
		t.Errorf("%+v", notes)
	}
	if all[0].Texts["run"] != `a "quoted" NaN` {
		t.Errorf("text %q", all[0].Texts["run"])
	}
	if s := all[0].Samples(); len(s.TTFT) != 1 {
		t.Errorf("samples %+v", s)
	}
}

func TestBenchDir(t *testing.T) {
	text, _ := os.ReadFile("testdata/bench_old.json")
	dir := fstest.MapFS{
		"push_qps8_in16384_out128_iter10.json": {Data: text}, "push_qps8_in16384_out128_iter2.json": {Data: text},
		"pull_qps0.5_in1024_out128_iter1.json": {Data: text}, "notes.json": {Data: text},
	}
	var order []string
	notes, others, err := BenchDir(dir, Options{}, func(n BenchName, b *Bench) error {
		order = append(order, fmt.Sprintf("%s %v %d", n.Mode, n.QPS, n.Iter))
		return nil
	})
	if want := "pull 0.5 1,push 8 2,push 8 10"; err != nil || strings.Join(order, ",") != want || len(others) != 1 || notes.Records != 3 {
		t.Errorf("have %v, others %v, %v", order, others, err)
	}
}

func TestKVLines(t *testing.T) {
	var all []KVLine
	read := func(opt Options) (*Notes, error) {
		all = nil
		return KVLines("server.log", open(t, "server.log"), opt, func(k KVLine) error { all = append(all, k); return nil })
	}
	if _, err := read(Options{}); err == nil || !strings.HasPrefix(err.Error(), "server.log:7: Avg xfer time (ms)") && !strings.HasPrefix(err.Error(), "server.log:7: kv.avg_xfer_ms: want a number") {
		t.Errorf("have %v", err)
	}
	notes, err := read(Options{KeepGoing: true})
	if err != nil || len(all) != 3 || notes.Malformed != 1 || notes.ZeroDuration != 1 || notes.NonFinite != 1 || notes.Missing["kv.avg_mb"] != 1 || notes.Missing["kv.avg_post_ms"] != 1 {
		t.Fatalf("%d lines, %+v, %v", len(all), notes, err)
	}
	if all[0].Who != "APIServer pid=4242" || all[0].Time != "09-20 12:00:10" || all[1].Who != "" {
		t.Errorf("have %+v", all[0])
	}
	near(t, "post", all[0].Values["kv.avg_post_ms"], 5.125)
}

func TestLifecycles(t *testing.T) {
	var all []Lifecycle
	notes, err := Lifecycles("server.log", open(t, "server.log"), Options{}, func(l Lifecycle) error { all = append(all, l); return nil })
	if err != nil || len(all) != 2 || notes.Failed != 1 || *all[0].Blocks != 7 || all[1].Blocks != nil || all[1].MonotonicNs-all[0].MonotonicNs != 1e8 {
		t.Errorf("%+v, %+v, %v", all, notes, err)
	}
}

func TestScrape(t *testing.T) {
	s, notes, err := ReadScrape("metrics.txt", open(t, "metrics.txt"), Options{})
	if err != nil || notes.NonFinite != 1 || notes.Missing["ttft"] != 1 || notes.Missing["post"] != 0 {
		t.Fatalf("%+v, %v", notes, err)
	}
	post, _ := s.Histogram("post")
	mean, _ := post.Mean()
	near(t, "mean post", mean, 0.082/16)
	q, ok := post.Quantile(0.9)
	near(t, "P90 post", q, 0.005+0.005*(14.4-9)/7)
	if !ok {
		t.Error("no quantile")
	}
	d, _ := s.Histogram("descriptors")
	near(t, "descriptors of both engines", d.Sum, 16896)
	if _, ok := d.Quantile(0.99); ok {
		t.Error("a quantile beyond the last bound")
	}
	if v, ok := s.Value("expired"); !ok || v != 3 {
		t.Errorf("expired: %v %v", v, ok)
	}
	none := s.Minus(s)
	if h, ok := none.Histogram("post"); !ok || h.Count != 0 || h.Buckets[1].Count != 0 {
		t.Errorf("difference %+v", h)
	}
}

func TestScrapeOldNamesAndBadLine(t *testing.T) {
	_, _, err := ReadScrape("m.txt", open(t, "metrics_old.txt"), Options{})
	if err == nil || !strings.HasPrefix(err.Error(), "m.txt:6: ") {
		t.Errorf("have %v", err)
	}
	s, notes, err := ReadScrape("m.txt", open(t, "metrics_old.txt"), Options{KeepGoing: true})
	if err != nil || notes.Malformed != 1 {
		t.Fatalf("%+v, %v", notes, err)
	}
	itl, ok := s.Histogram("itl")
	if mean, _ := itl.Mean(); !ok || mean != 0.005 {
		t.Errorf("old name of ITL: %v", itl)
	}
}

func TestNixlbench(t *testing.T) {
	var all []BenchRow
	notes, err := Nixlbench("n.txt", open(t, "nixlbench.txt"), Options{KeepGoing: true}, func(r BenchRow) error { all = append(all, r); return nil })
	if err != nil || len(all) != 2 || notes.Malformed != 1 || all[0].Config["backend"] != "LIBFABRIC" || all[0].Config["op_type"] != "READ" {
		t.Fatalf("%+v, %+v, %v", all, notes, err)
	}
	v := all[1].Values
	if byTimes := v["block_bytes"] * v["batch"] / (v["avg_post_us"] + v["avg_tx_us"]) / 1e3; math.Abs(byTimes-v["gb_s"]) > 0.001 {
		t.Errorf("post and tx give %v GB/s, the row says %v", byTimes, v["gb_s"])
	}
	notes, err = Nixlbench("n.txt", open(t, "nixlbench_old.txt"), Options{}, func(r BenchRow) error {
		near(t, "old bandwidth", r.Values["gb_s"], 0.195834)
		return nil
	})
	if err != nil || notes.Missing["avg_post_us"] != 1 || notes.Records != 1 {
		t.Errorf("%+v, %v", notes, err)
	}
}

func TestRows(t *testing.T) {
	var all []Row
	notes, err := Rows("t.csv", open(t, "table.csv"), Options{KeepGoing: true}, func(r Row) error { all = append(all, r); return nil })
	if err != nil || len(all) != 3 || notes.Malformed != 1 || notes.NonFinite != 1 || notes.Missing["avg_post_ms"] != 1 || notes.First.Error() != "t.csv:7: want 4 fields, have 2" {
		t.Fatalf("%+v, %+v, %v", all, notes, err)
	}
	if all[0].Fields["comment"] != "one, two" || all[1].Line != 5 {
		t.Errorf("%+v", all)
	}
}

func TestTimeline(t *testing.T) {
	var all []*Request
	h, notes, err := Timeline("t.jsonl", open(t, "timeline.jsonl"), Options{KeepGoing: true}, func(r *Request) error { all = append(all, r); return nil })
	if err != nil || h.Protocol != "pull" || len(all) != 3 || notes.Malformed != 1 || notes.Failed != 1 || notes.Missing["registered"] != 2 {
		t.Fatalf("%+v, %v", notes, err)
	}
	if all[1].Arrival != 1777142838338653123 || all[2].FirstToken != 8e8 || all[0].Bytes != 160<<20 || all[1].Done() {
		t.Errorf("%+v", all)
	}
}

func TestRig(t *testing.T) {
	var all []*Request
	_, notes, err := Timeline("r.jsonl", open(t, "rig.jsonl"), Options{}, func(r *Request) error { all = append(all, r); return nil })
	if err != nil || len(all) != 2 || notes.Failed != 0 || all[0].Bytes != 128<<20 || all[1].PostEnd-all[1].PostStart != 48670000 {
		t.Fatalf("%+v, %+v, %v", all, notes, err)
	}
	steps := 0
	if _, err := RigSteps("r.jsonl", open(t, "rig.jsonl"), Options{}, func(s Step) error { steps += s.Batch; return nil }); err != nil || steps != 3 {
		t.Errorf("%d steps, %v", steps, err)
	}
}

func TestEngineRun(t *testing.T) {
	all, notes, err := EngineRun("e.jsonl", open(t, "engine_requests.jsonl"), Options{})
	if err != nil || len(all) != 3 || notes.Failed != 1 || notes.Missing["queued_ts"] != 1 {
		t.Fatalf("%+v, %v", notes, err)
	}
	if all[1].Arrival != all[1].DecodeQueued || all[0].DecodeQueued-all[0].Arrival != 130851 {
		t.Errorf("%+v", all[:2])
	}
}

// endless is a log of so many bytes, mostly of lines that no reader wants.
func endless(size int) io.Reader {
	line := "(EngineCore pid=9) INFO 09-20 12:00:10 [loggers.py:1] Engine 000: Avg prompt throughput: 1.0 tokens/s, " + strings.Repeat("x", 400) + "\n"
	kv := "INFO KV Transfer metrics: Num successful transfers=1, Avg xfer time (ms)=1.0\n"
	page := strings.Repeat(line, 100) + kv
	return io.LimitReader(&repeat{text: page}, int64(size/len(page)*len(page)))
}

type repeat struct {
	text string
	at   int
}

func (r *repeat) Read(p []byte) (int, error) {
	n := copy(p, r.text[r.at:])
	r.at = (r.at + n) % len(r.text)
	return n, nil
}

// TestLargeLogStreams holds that 200 MB of log, packed or not, are read in a few MB of memory.
func TestLargeLogStreams(t *testing.T) {
	packed, pack := io.Pipe()
	go func() {
		z, _ := gzip.NewWriterLevel(pack, gzip.BestSpeed)
		io.Copy(z, endless(20<<20))
		z.Close()
		pack.Close()
	}()
	for name, log := range map[string]io.Reader{"plain": endless(200 << 20), "gzip": packed} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		peak := uint64(0)
		notes, err := KVLines(name, log, Options{}, func(KVLine) error {
			runtime.ReadMemStats(&after)
			peak = max(peak, after.HeapAlloc)
			return nil
		})
		if err != nil || notes.Records < 100 {
			t.Fatalf("%s: %d lines, %v", name, notes.Records, err)
		}
		if grown := int64(peak) - int64(before.HeapAlloc); grown > 32<<20 {
			t.Errorf("%s: the heap grew by %d MiB", name, grown>>20)
		}
	}
}

// TestLongLineIsReported holds that a line without end does not fill the memory.
func TestLongLineIsReported(t *testing.T) {
	long := io.MultiReader(io.LimitReader(&repeat{text: "x"}, 40<<20), strings.NewReader("\nKV Transfer metrics: Avg xfer time (ms)=1.0\n"))
	notes, err := KVLines("l", long, Options{KeepGoing: true}, func(KVLine) error { return nil })
	if err != nil || notes.Malformed != 1 || notes.Records != 1 {
		t.Errorf("%+v, %v", notes, err)
	}
}
