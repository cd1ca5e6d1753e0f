package cases

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"

	"pdsim/validate/read"
)

// FromResults makes a case of a folder of results of `vllm bench serve`, named `<mode>_qps<q>_in<i>_out<o>_iter<n>.json`.
// The mode is the protocol; repetitions of one run are one point; scenario is what is deployed. It returns the names of
// the files that it did not read.
func FromResults(name string, folder fs.FS, scenario string, opt read.Options) (*Case, *read.Notes, []string, error) {
	c := &Case{
		Name: name, Title: "results of vllm bench serve in " + name, Family: "results", Source: name, Licence: "the user's own",
		Scenario: scenario, OnDisk: true, Protocol: "pull", Folder: folder,
	}
	var order []read.BenchName
	groups := map[read.BenchName]*repeats{}
	requests := map[read.BenchName]int{}
	notes, others, err := read.BenchDir(folder, opt, func(n read.BenchName, b *read.Bench) error {
		n.Iter = 0
		g := groups[n]
		if g == nil {
			g = &repeats{point: pointOf(n), values: map[string][]float64{}, weights: map[string][]float64{}}
			groups[n] = g
			order = append(order, n)
		}
		requests[n] = max(requests[n], int(b.Figures["num_prompts"]))
		g.result(b)
		return nil
	})
	if err != nil {
		return nil, notes, others, fmt.Errorf("%s: %w", name, err)
	}
	for _, n := range order {
		p := groups[n].mean()
		if len(p.Measured) == 0 {
			notes.Add(&read.Notes{Missing: map[string]int{"an answered request": 1}})
			continue
		}
		if r := requests[n]; r > 0 {
			p.Set = append(p.Set, fmt.Sprintf("workload.requests=%d", r))
		}
		c.Points = append(c.Points, p)
	}
	return c, notes, others, c.complete()
}

// pointOf is the run that a file's name tells of.
func pointOf(n read.BenchName) Point {
	qps := strconv.FormatFloat(n.QPS, 'f', -1, 64) + "/s"
	return Point{
		Name: fmt.Sprintf("%s, %d+%d at %s", n.Mode, n.Input, n.Output, qps), Protocol: n.Mode,
		Set:      []string{"workload.qps=" + qps, fmt.Sprintf("workload.input_tokens=%d", n.Input), fmt.Sprintf("workload.output_tokens=%d", n.Output)},
		Measured: map[string]float64{}, Spread: map[string]float64{},
	}
}

// compared are the fields of a result that say how the servers did, not what they were asked.
var compared = func() map[string]bool {
	set := map[string]bool{"request_throughput": true, "output_throughput": true, "total_token_throughput": true}
	for _, stat := range []string{"mean_", "median_", "p90_", "p95_", "p99_"} {
		for _, what := range []string{"ttft_ms", "tpot_ms", "itl_ms", "e2el_ms"} {
			set[stat+what] = true
		}
	}
	return set
}()

// result takes in one repetition. A result without any answered request has no figures.
func (g *repeats) result(b *read.Bench) {
	if b.Figures["completed"] == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(b.Figures)) {
		if compared[name] {
			g.values[name] = append(g.values[name], b.Figures[name])
			g.weights[name] = append(g.weights[name], 1)
		}
	}
}
