package validate

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"pdsim/scenarios"
	"pdsim/validate/cases"
	"pdsim/validate/read"
)

// builtin runs the shipped cases whose names begin with one of those given.
func builtin(t *testing.T, opt Options, names ...string) *Report {
	t.Helper()
	all, err := cases.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	var list []*cases.Case
	for _, c := range all {
		for _, n := range names {
			if strings.HasPrefix(c.Name, n) {
				list = append(list, c)
			}
		}
	}
	r, err := Run(list, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestBuiltinCasesRun plays everything that is shipped. How large errors may be is not for tests of this package; that
// everything measured is compared is.
func TestBuiltinCasesRun(t *testing.T) {
	r := shipped(t)
	seen := map[string]bool{}
	for _, f := range r.Families {
		seen[f.Name] = true
	}
	for _, want := range []string{"transfers", "serve", "4090", "published", "compute", "scheduler", "rig"} {
		if !seen[want] {
			t.Errorf("no figures of family %s", want)
		}
	}
	for _, c := range r.Cases {
		for _, p := range c.Points {
			if len(p.Figures) == 0 && c.Name != "p5en-reader-thread" { // of which only a factor is told
				t.Errorf("%s, %s: nothing is compared", c.Name, p.Name)
			}
			for _, f := range p.Figures {
				if !f.Simulated.Known() || f.Judged && f.Fitted {
					t.Errorf("%s, %s: %+v", c.Name, p.Name, f)
				}
			}
		}
	}
	if r.Decisions.Total == 0 || r.Decisions.FittedTotal == 0 {
		t.Errorf("decisions: %+v", r.Decisions)
	}
}

// TestWorkersDoNotMatter holds that a report is the same however many runs go on at once.
func TestWorkersDoNotMatter(t *testing.T) {
	var texts []string
	for _, workers := range []int{1, 4} {
		var out bytes.Buffer
		if err := builtin(t, Options{Workers: workers, Seeds: 2}, "p5en-bi", "4090-dec").WriteJSON(&out); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, out.String())
	}
	if texts[0] != texts[1] {
		t.Error("reports differ")
	}
	var back Report
	if err := json.Unmarshal([]byte(texts[0]), &back); err != nil || len(back.Families) == 0 || !strings.Contains(texts[0], `"median_ape"`) {
		t.Errorf("the report does not read back: %v", err)
	}
}

// TestSeedsSpread holds that several seeds are run where arrivals are the scenario's own, and one where they are given.
func TestSeedsSpread(t *testing.T) {
	short := []string{"workload.requests=2", "workload.iterations=1", "workload.warmup=0"}
	c := &cases.Case{Name: "c", Scenario: "p5en-qwen3-32b", Points: []cases.Point{
		{Name: "own arrivals", Protocol: "pull", Set: short, Measured: map[string]float64{"mean_ttft_ms": 1}},
		{Name: "stated seed", Protocol: "pull", Set: append(short, "run.seed=7"), Measured: map[string]float64{"mean_ttft_ms": 1}},
	}}
	r, err := Run([]*cases.Case{c}, Options{Seeds: 3})
	if err != nil {
		t.Fatal(err)
	}
	if own, stated := r.Cases[0].Points[0].Seeds, r.Cases[0].Points[1].Seeds; own != 3 || stated != 1 {
		t.Errorf("%d and %d seeds, want 3 and 1", own, stated)
	}
}

// TestTrackerAgreesWithResult holds that timelines give the same figures as the result of the run.
func TestTrackerAgreesWithResult(t *testing.T) {
	for _, protocol := range []string{"pull", "push", "pull-reader"} {
		sp, err := scenarios.Load("p5en-qwen3-32b", []string{"workload.iterations=1", "workload.warmup=0", "workload.requests=40", "workload.probe=false"})
		if err != nil {
			t.Fatal(err)
		}
		var all []read.Request
		tracker := NewTracker(func(r *read.Request) { all = append(all, *r) })
		s, err := scenarios.NewSession(sp, protocol, tracker.Options())
		if err != nil {
			t.Fatal(err)
		}
		tracker.Attach(s)
		result, err := s.Play(sp)
		if err != nil {
			t.Fatal(err)
		}
		have, err := FiguresOfRequests(all)
		if err != nil {
			t.Fatal(err)
		}
		want, err := figuresOf(result)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"mean_ttft_ms", "p99_ttft_ms", "mean_itl_ms", "mean_e2el_ms", "kv.avg_post_ms", "kv.p90_post_ms"} {
			if math.Abs(have[name]-want[name]) > 1e-3*want[name] {
				t.Errorf("%s: %s: timelines give %v, the result %v", protocol, name, have[name], want[name])
			}
		}
		sameAgain(t, all)
	}
}

// sameAgain holds that timelines pass through their own format.
func sameAgain(t *testing.T, all []read.Request) {
	var out bytes.Buffer
	write, err := read.WriteTimeline(&out, read.Header{})
	for i := range all {
		if err == nil {
			err = write(&all[i])
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	var back []read.Request
	_, _, err = read.Timeline("x", &out, read.Options{}, func(r *read.Request) error {
		back = append(back, *r)
		return nil
	})
	if err != nil || len(back) != len(all) || back[3].Seen != all[3].Seen || back[3].Last() != all[3].Last() {
		t.Errorf("%d of %d requests come back, %v", len(back), len(all), err)
	}
}

func TestFromResults(t *testing.T) {
	one := func(ttft float64) *fstest.MapFile {
		text, _ := json.Marshal(map[string]any{"completed": 10, "num_prompts": 10, "mean_ttft_ms": ttft, "duration": 2.0})
		return &fstest.MapFile{Data: text}
	}
	dir := fstest.MapFS{"pull_qps2_in1024_out16_iter1.json": one(60), "pull_qps2_in1024_out16_iter2.json": one(80), "push_qps2_in1024_out16_iter1.json": one(70)}
	c, notes, _, err := cases.FromResults("results", dir, "p5en-qwen3-32b", read.Options{})
	if err != nil || len(c.Points) != 2 || notes.Records != 3 {
		t.Fatalf("%+v, %+v, %v", c, notes, err)
	}
	r, err := Run([]*cases.Case{c}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := r.Cases[0].Points[0].Figures[0]
	if f.Measured != 70 || math.Abs(float64(f.Spread)-math.Sqrt(200)) > 1e-9 || f.Simulated <= 0 || r.Cases[0].Points[0].Repeats != 2 {
		t.Errorf("%+v", f)
	}
}

func TestMistakesNameThePoint(t *testing.T) {
	c := &cases.Case{Name: "c", Scenario: "p5en-qwen3-32b", Points: []cases.Point{{Name: "p", Protocol: "pull", Set: []string{"workload.requests=1", "workload.iterations=1", "workload.warmup=0"}, Measured: map[string]float64{"mean_tft_ms": 1}}}}
	if _, err := Run([]*cases.Case{c}, Options{}); err == nil || err.Error() != `c, p: no figure of a result is named "mean_tft_ms"` {
		t.Errorf("have %v", err)
	}
	c.Points[0].Set = []string{"workload.request=1"}
	if _, err := Run([]*cases.Case{c}, Options{}); err == nil || !strings.HasPrefix(err.Error(), "c, p: --set workload.request=1: unknown key") {
		t.Errorf("have %v", err)
	}
}

func TestMarkdown(t *testing.T) {
	var out strings.Builder
	r := builtin(t, Options{}, "p5en-reader", "p5en-bi", "h200")
	if err := r.WriteMarkdown(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# Validation", "| published | mean_ttft_ms | 2 |", "a reader thread by TTFT", "| inline, 4,096 descriptors at 7/s | ttft_ms | 60 |"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(out.String(), "NaN") {
		t.Error("the page has NaN")
	}
}

// BenchmarkBuiltinCases plays all shipped cases.
func BenchmarkBuiltinCases(b *testing.B) {
	list, err := cases.Builtin()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Run(list, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestLayersLieBelow holds that a layer changes what the scenario has and not what the case states.
func TestLayersLieBelow(t *testing.T) {
	c := &cases.Case{Name: "c", Scenario: "p5en-qwen3-32b", Points: []cases.Point{{
		Name: "p", Protocol: "pull", Measured: map[string]float64{"kv.avg_post_ms": 1},
		Set: []string{"workload.requests=2", "workload.iterations=1", "workload.warmup=0"},
	}}}
	play := func(set ...string) Figure {
		opt := Options{Bare: true}
		for _, s := range set {
			opt.Layers = append(opt.Layers, scenarios.Set(s))
		}
		r, err := Run([]*cases.Case{c}, opt)
		if err != nil {
			t.Fatal(err)
		}
		return r.Cases[0].Points[0].Figures[0]
	}
	plain := play()
	if slow := play("costs.backend.post_read=24us"); slow.Simulated < 2*plain.Simulated || slow.Alone.Known() {
		t.Errorf("%+v, with slower posts %+v", plain, slow)
	}
	if same := play("workload.requests=9"); same.Simulated != plain.Simulated {
		t.Errorf("%+v, with another number of requests below the case's %+v", plain, same)
	}
}
