package web

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"pdsim/scenarios"
	"pdsim/validate/cases"
)

// measured is a figure that somebody measured where the page simulates.
type measured struct {
	Case      string   `json:"case"`
	Point     string   `json:"point"`
	Source    string   `json:"source"`
	Protocol  string   `json:"protocol"`
	Metric    string   `json:"metric"`
	Measured  float64  `json:"measured"`
	Simulated *float64 `json:"simulated"` // null where the page did not simulate it
	Error     *float64 `json:"error"`     // signed, percent
	At        string   `json:"at"`        // value of the sweep's key
}

// candidate is a point of a case that comes with pdsim.
type candidate struct {
	from *cases.Case
	*cases.Point
	spec *scenarios.Spec
}

// candidates are the points of all cases that are runs of a built-in scenario.
var candidates = sync.OnceValues(func() ([]candidate, error) {
	all, err := cases.Builtin()
	if err != nil {
		return nil, err
	}
	var out []candidate
	for _, c := range all {
		if !slices.Contains(scenarios.Builtin(), c.Scenario) {
			continue
		}
		for i := range c.Points {
			p := &c.Points[i]
			sp, err := scenarios.Load(c.Scenario, p.Set)
			if err != nil || p.Replay != "" {
				continue
			}
			out = append(out, candidate{c, p, sp})
		}
	}
	return out, nil
})

// alike says whether two scenarios deploy and ask the same, up to how often it is repeated, the seed and a key of a
// sweep.
func alike(a, b *scenarios.Spec, key string) bool {
	return a.Name == b.Name && bare(a, key) == bare(b, key)
}

func bare(sp *scenarios.Spec, key string) string {
	c := *sp
	c.Workload.Iterations, c.Workload.Warmup, c.Workload.Requests, c.Run.Seed = 1, 0, 1, 0
	if key == "workload.qps" {
		c.Workload.QPS = 0
	} else if key == "workload.input_tokens" {
		c.Workload.InputTokens = 0
	}
	return c.Hash()
}

// measurements are the measured figures that apply, beside the simulated ones. With a key they may be at any value of it.
func measurements(sp *scenarios.Spec, key string, results []result) ([]measured, error) {
	all, err := candidates()
	if err != nil {
		return nil, err
	}
	out := []measured{}
	for _, c := range all {
		if !alike(sp, c.spec, key) {
			continue
		}
		for metric, v := range c.Measured {
			m := measured{Case: c.from.Name, Point: c.Name, Source: c.from.Source, Protocol: c.Protocol, Metric: metric, Measured: v}
			if key != "" {
				m.At = values(c.spec)[key]
			}
			for i := range results {
				if results[i].Protocol == c.Protocol {
					m.compare(results[i].Result)
				}
			}
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b measured) int {
		return strings.Compare(a.Case+a.Protocol+a.Metric+a.At+a.Point, b.Case+b.Protocol+b.Metric+b.At+b.Point)
	})
	return out, nil
}

// compare fills in the simulated figure of that name.
func (m *measured) compare(r *scenarios.Result) {
	text, err := json.Marshal(r)
	var tree map[string]any
	if err == nil {
		err = json.Unmarshal(text, &tree)
	}
	if err != nil {
		return
	}
	var at any = tree
	for name := range strings.SplitSeq(m.Metric, ".") {
		inner, _ := at.(map[string]any)
		at = inner[name]
	}
	v, ok := at.(float64)
	if !ok || m.Measured == 0 {
		return
	}
	e := 100 * (v/m.Measured - 1)
	m.Simulated, m.Error = &v, &e
}
