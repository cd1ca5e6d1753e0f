package validate

import (
	"encoding/json"
	"strings"

	"pdsim/model/metric"
	"pdsim/scenarios"
	"pdsim/sim"
	"pdsim/validate/cases"
	"pdsim/validate/read"
	"pdsim/validate/stats"
)

// Figures are figures by name: those of `vllm bench serve`, "kv." and "engine." with the names in pdsim's results, and
// "phase." for parts of a request's way.
type Figures map[string]float64

// figuresOf returns the figures of a result under the names of its JSON.
func figuresOf(r *scenarios.Result) (Figures, error) { return flatten(r) }

// flatten returns the numbers of a struct's JSON; those of inner objects with the object's name and a dot before.
func flatten(of any) (Figures, error) {
	text, err := json.Marshal(of)
	if err != nil {
		return nil, err
	}
	var tree map[string]any
	if err := json.Unmarshal(text, &tree); err != nil {
		return nil, err
	}
	out := Figures{}
	out.take("", tree)
	return out, nil
}

func (f Figures) take(prefix string, tree map[string]any) {
	for name, v := range tree {
		switch v := v.(type) {
		case float64:
			f[prefix+name] = v
		case map[string]any:
			f.take(prefix+name+".", v)
		}
	}
}

// FiguresOfRequests returns what can be had from a timeline. Requests that were not answered are left out but for
// "failed". Figures for which times are missing are not there.
func FiguresOfRequests(all []read.Request) (Figures, error) {
	start := firstArrival(all)
	c := metric.NewCollector(0, nil)
	gaps := 0
	for i := range all {
		r := &all[i]
		if !r.Done() || r.Arrival == read.Never {
			c.AddFailed(0)
			continue
		}
		last := max(r.Last(), r.FirstToken)
		c.Add(sim.Time(r.Arrival-start), sim.Time(r.FirstToken-start), sim.Time(last-start), r.Input, r.Output)
		if len(r.Tokens) != r.Output {
			continue // only some tokens have times
		}
		for k := 1; k < len(r.Tokens); k++ {
			c.AddITL(sim.Duration(r.Tokens[k]-r.Tokens[k-1]), 1)
			gaps++
		}
	}
	out, err := flatten(c.Summary())
	if err != nil {
		return nil, err
	}
	for name := range out {
		if gaps == 0 && strings.Contains(name, "_itl_") {
			delete(out, name)
		}
	}
	out.phases(all)
	return out, nil
}

// firstArrival is the time from which a timeline's rates count.
func firstArrival(all []read.Request) read.Instant {
	first := read.Never
	for i := range all {
		if a := all[i].Arrival; a != read.Never && (first == read.Never || a < first) {
			first = a
		}
	}
	return first
}

// phases adds the means of the parts of requests' ways, and posts and transfers as the server's log has them.
func (f Figures) phases(all []read.Request) {
	for _, p := range cases.Phases() {
		values := between(all, p.From, p.To)
		if len(values) == 0 {
			continue
		}
		f[p.Name] = stats.Mean(values)
		switch p.Name {
		case "phase.post_ms":
			f["kv.avg_post_ms"], f["kv.p90_post_ms"] = f[p.Name], stats.Percentile(values, 90)
		case "phase.kv_wait_ms":
			f["kv.avg_xfer_ms"], f["kv.p90_xfer_ms"] = f[p.Name], stats.Percentile(values, 90)
		}
	}
}

// between returns the milliseconds from one time of a request to another, of those that have both.
func between(all []read.Request, from, to string) []float64 {
	var out []float64
	for i := range all {
		if ms, ok := all[i].Time(to).Ms(all[i].Time(from)); ok {
			out = append(out, ms)
		}
	}
	return out
}
