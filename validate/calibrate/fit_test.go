package calibrate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pdsim/scenarios"
	"pdsim/validate"
	"pdsim/validate/cases"
)

// madeUp is a case whose figures are not measured but simulated, with other values than the catalogue's.
func madeUp(t *testing.T, truth ...string) *cases.Case {
	t.Helper()
	c := &cases.Case{Name: "made-up", Family: "made-up", Scenario: "p5en-qwen3-32b", Protocol: "pull"}
	for _, tokens := range []int{1024, 2048, 4096, 8192, 16384} {
		c.Points = append(c.Points, cases.Point{
			Name: fmt.Sprint(tokens), Protocol: "pull", Measured: map[string]float64{"kv.avg_post_ms": 1, "mean_ttft_ms": 1},
			Set: []string{
				fmt.Sprintf("workload.input_tokens=%d", tokens), "workload.requests=10", "workload.iterations=1", "workload.warmup=0", "workload.qps=2/s",
				"network.merge=never", "prefill.prefix_caching=false", "workload.output_tokens=8",
			},
		})
	}
	var layers []scenarios.Layer
	for _, assignment := range truth {
		layers = append(layers, scenarios.Set(assignment))
	}
	r, err := validate.Run([]*cases.Case{c}, validate.Options{Layers: layers, Bare: true})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range r.Cases[0].Points {
		for _, f := range p.Figures {
			c.Points[i].Measured[f.Metric] = float64(f.Simulated)
		}
	}
	return c
}

func fit(t *testing.T, c *cases.Case, opt Options) *Result {
	t.Helper()
	opt.Resamples, opt.Evaluations = 50, 150
	plan, err := Prepare([]*cases.Case{c}, opt)
	if err != nil {
		t.Fatal(err)
	}
	r, err := plan.Fit()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestFitRecoversKnownValues holds that values come back from figures that they made, that held-out figures then fit, that
// a value without influence is named, and that the same seed gives the same bytes.
func TestFitRecoversKnownValues(t *testing.T) {
	if testing.Short() {
		t.Skip("plays cases hundreds of times")
	}
	c := madeUp(t, "costs.backend.post_read=2.7us", "prefill.compute_scale=1.2")
	opt := Options{Parameters: []string{"backend.post_read", "prefill.compute_scale", "backend.poll_per_handle"}, Holdout: "length"}
	r := fit(t, c, opt)
	for i, want := range []float64{2.7, 1.2} {
		v := &r.Values[i]
		if have := v.parameter.at(v.parameter.place(number(v.Fitted))); math.Abs(have/want-1) > 0.02 || !v.Determined {
			t.Errorf("%+v, want %v", v, want)
		}
	}
	if v := r.Values[2]; v.Determined || v.Fitted != v.Start || len(r.Flat) != 1 || r.Flat[0].Weights[0].Path != v.Path {
		t.Errorf("%+v, %+v", v, r.Flat)
	}
	for _, e := range r.HeldOut {
		if e.Points != 2 || e.Median > 2 || e.Before < e.Median {
			t.Errorf("%+v", e)
		}
	}
	if len(r.To) != 3 || len(r.HeldOut) != 2 || len(r.Fitted) != 2 {
		t.Errorf("fitted to %v: %+v, held out %+v", r.To, r.Fitted, r.HeldOut)
	}
	var texts [2]bytes.Buffer
	for i, r := range []*Result{r, fit(t, c, opt)} {
		if err := r.WriteJSON(&texts[i]); err != nil {
			t.Fatal(err)
		}
	}
	if texts[0].String() != texts[1].String() || !json.Valid(texts[0].Bytes()) {
		t.Error("the same seed gives another result")
	}
	overlaid(t, r, c)
}

func number(text string) float64 {
	x, _ := split(text)
	return x
}

// overlaid holds that the overlay can be laid over a scenario and marks what it was fitted to.
func overlaid(t *testing.T, r *Result, c *cases.Case) {
	t.Helper()
	var text bytes.Buffer
	if err := r.WriteOverlay(&text, "a test"); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "fit.toml")
	if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	sp, err := scenarios.Load("p5en-qwen3-32b", nil, scenarios.Overlay(file))
	if err != nil {
		t.Fatalf("%v\n%s", err, &text)
	}
	if !slices.Contains(sp.Costs, scenarios.Cost{Path: "backend.post_read", Value: r.Values[0].Fitted}) || sp.Prefill.ComputeScale == 1 {
		t.Errorf("%+v, %v", sp.Costs, sp.Prefill.ComputeScale)
	}
	if n := MarkFitted(text.Bytes(), []*cases.Case{c}); n != 3 || !c.Points[0].Fitted || c.Points[1].Fitted {
		t.Errorf("%d points marked", n)
	}
}

// TestWhatIsHeldOut holds that parts are as asked for, and that what cases mark as fitted judges nothing.
func TestWhatIsHeldOut(t *testing.T) {
	list := []*cases.Case{madeUp(t), {Name: "other", Family: "other", Scenario: "p5en-qwen3-32b", Points: []cases.Point{
		{Name: "x", Protocol: "pull", Set: []string{"workload.qps=9/s", "workload.input_tokens=4096"}, Measured: map[string]float64{"mean_ttft_ms": 1}},
	}}}
	list[0].Points[3].Fitted = true
	for holdout, want := range map[string]string{
		"":            "fitted: 1024 2048 4096 8192 16384 x; held out:",
		"case":        "fitted: 1024 2048 4096 8192 16384; held out: x",
		"case=made-*": "fitted: x; held out: 1024 2048 4096 16384",
		"load":        "fitted: 1024 2048 4096 8192 16384; held out: x",
		"length":      "fitted: 1024 4096 16384 x; held out: 2048",
		"odd":         "fitted: 1024 4096 16384; held out: 2048 x",
		"marked":      "fitted: 8192; held out: 1024 2048 4096 16384 x",
	} {
		plan, err := Prepare(list, Options{Parameters: []string{"backend.post_read"}, Holdout: holdout})
		if err != nil {
			t.Fatal(err)
		}
		text := [3]string{}
		for _, c := range list {
			for i := range c.Points {
				text[plan.parts.of(&c.Points[i], "mean_ttft_ms")] += " " + c.Points[i].Name
			}
		}
		if have := "fitted:" + text[fitted] + "; held out:" + text[heldOut]; have != want {
			t.Errorf("%q: have %s\nwant %s", holdout, have, want)
		}
	}
}

func TestWhatCannotBeFitted(t *testing.T) {
	shipped, err := cases.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	transfers := slices.DeleteFunc(slices.Clone(shipped), func(c *cases.Case) bool { return c.Family != "transfers" })
	one := []*cases.Case{madeUp(t)}
	for _, c := range []struct {
		list    []*cases.Case
		path    string
		holdout string
		want    string
	}{
		{one, "backend.post_raed", "", `backend.post_raed: unknown cost "post_raed"; did you mean "post_read"?`},
		{one, "bakend.post_read", "", `bakend.post_read: unknown kind of cost "bakend"`},
		{one, "backend.pool_threads", "", "backend.pool_threads: want a time, a rate, a size or a share"},
		{transfers, "backend.post_read", "", "backend.post_read: is "},
		{one, "backend.post_read", "load", "holdout: want two loads or more to hold one out, have one"},
		{one, "backend.post_read", "case", "holdout: want two cases or more to hold one out, have 1"},
		{one, "backend.post_read", "half", "holdout: want none, case, load, length, odd, marked or case=NAME, have \"half\""},
		{one, "backend.post_read", "case=other", "holdout: want some cases that match other and some that do not, have 0 of 1"},
	} {
		_, err := Prepare(c.list, Options{Parameters: []string{c.path}, Holdout: c.holdout})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s, %s: have %v\nwant %s", c.path, c.holdout, err, c.want)
		}
	}
	for _, twice := range [][]string{{"compute_scale", "decode.compute_scale"}, {"backend.post_read", "backend.post_read"}, {}} {
		if _, err := Prepare(one, Options{Parameters: twice}); err == nil {
			t.Errorf("%q: want an error", twice)
		}
	}
	plan, err := Prepare(one, Options{Parameters: []string{"backend.post_read"}, Metrics: []string{"kv.avg_mb"}, Evaluations: 9, Resamples: 9})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plan.Fit(); err == nil || !strings.HasPrefix(err.Error(), "want more figures to fit to than parameters, have 0 figures") {
		t.Errorf("have %v", err)
	}
}

// TestValuesAsText holds that values are written as scenarios read them.
func TestValuesAsText(t *testing.T) {
	sp, err := scenarios.Load("p5en-qwen3-32b", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"backend.post_read", "backend.post_fixed", "fabric.packet_time", "fabric.read_efficiency", "instance.rail_rate", "software.launch", "compute_scale"} {
		p, err := resolve(path, []*scenarios.Spec{sp})
		if err != nil {
			t.Fatal(err)
		}
		for k := range 101 {
			place := float64(k) / 100
			if _, err := scenarios.Load("p5en-qwen3-32b", nil, p.layers(place)...); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			if back := p.place(number(p.text(place))); math.Abs(back-place) > 0.003 {
				t.Errorf("%s: %s is at %v, want %v", path, p.text(place), back, place)
			}
		}
	}
}
