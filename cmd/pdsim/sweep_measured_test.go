package main

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"pdsim/scenarios"
)

// measuredAt is what is measured at the points of a sweep.
func measuredAt(t *testing.T, scenario string, set []string, axes ...axis) []string {
	t.Helper()
	s := sweeper{axes: axes}
	for values := range product(axes) {
		all := slices.Clone(set)
		for i, a := range axes {
			all = append(all, a.key+"="+values[i])
		}
		sp, err := scenarios.Load(scenario, all)
		if err != nil {
			t.Fatal(err)
		}
		results := make([]*scenarios.Result, len(sp.Run.Protocols))
		for i := range results {
			results[i] = &scenarios.Result{}
			results[i].MeanTTFTMs, results[i].MeanTPOTMs = 500, 6
		}
		s.points = append(s.points, point{values, sp, results})
	}
	p := s.picture()
	if err := p.measure(scenario); err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, m := range p.marks {
		found = append(found, fmt.Sprint(s.points[m.at].values, " ", m.from.Name, " ", m.from.Measured["mean_ttft_ms"]))
	}
	var b bytes.Buffer
	if err := p.write(&b, "svg"); err != nil {
		t.Fatal(err)
	}
	if has := bytes.Contains(b.Bytes(), []byte(">measured<")); has != (len(found) > 0) {
		t.Errorf("%s %v: measured in the legend: %v, with %d points", scenario, axes, has, len(found))
	}
	return found
}

func TestMeasuredPointsOfASweep(t *testing.T) {
	lengths, rates := axis{"workload.input_tokens", []string{"1024", "16384"}}, axis{"workload.qps", []string{"1", "8"}}
	heavy := []string{"[16384 8] pull, 16k at 8/s 1744", "[16384 8] push, 16k at 8/s 540"}
	light := []string{"[1024 1] pull, 1k at 1/s 0", "[1024 1] push, 1k at 1/s 0"}
	alone := []string{"prefill.prefix_caching=false", "workload.qps=inf", "workload.max_concurrency=1", "workload.output_tokens=300"}
	for _, c := range []struct {
		scenario string
		set      []string
		axes     []axis
		want     []string
	}{
		{"p5en-qwen3-32b", nil, []axis{lengths, rates}, append(slices.Clone(heavy), light...)},
		{"p5en-qwen3-32b", nil, []axis{lengths}, []string{"[16384] pull, 16k at 8/s 1744", "[16384] push, 16k at 8/s 540"}},
		{"p5en-qwen3-32b", []string{"workload.requests=20"}, []axis{lengths, rates}, append(slices.Clone(heavy), light...)},
		{"p5en-qwen3-32b", []string{"run.protocols=push"}, []axis{lengths, rates}, []string{heavy[1], light[1]}},
		{"p5en-qwen3-32b", []string{"decode.tp=4"}, []axis{lengths, rates}, nil},
		{"p5en-qwen3-32b", nil, []axis{{"workload.requests", []string{"10", "50"}}}, nil},
		{"p5en-qwen3-32b", alone, []axis{{"workload.input_tokens", []string{"2000"}}}, []string{"[2000] 2,000 tokens 158"}},
		{"p5en-qwen3-32b", append(slices.Clone(alone), "workload.requests=10"), []axis{{"workload.input_tokens", []string{"2000"}}}, nil},
		{"p5en-qwen3-32b", nil, []axis{{"workload.input_tokens", []string{"2000"}}}, nil},
		{"ib-llama70b", nil, []axis{lengths, rates}, nil},
	} {
		if have := measuredAt(t, c.scenario, c.set, c.axes...); !slices.Equal(have, c.want) {
			t.Errorf("%s %v %v: want %q, have %q", c.scenario, c.set, c.axes, c.want, have)
		}
	}
}

func TestMeasuredPointsOfEveryScenario(t *testing.T) {
	for _, name := range scenarios.Builtin() {
		measuredAt(t, name, nil, axis{"run.seed", []string{"0", "1"}})
	}
}
