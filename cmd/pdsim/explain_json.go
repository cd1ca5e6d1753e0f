package main

import (
	"encoding/json"
	"io"

	"pdsim/scenarios/explain"
)

// explainedJSON is a path as programs read it.
type explainedJSON struct {
	Scenario string   `json:"scenario"`
	Protocol string   `json:"protocol"`
	Seed     uint64   `json:"seed"`
	Set      []string `json:"set"`
	WhatIf   []string `json:"what_if"`
	Requests int      `json:"requests"` // how many it is the mean of
	Request  *int64   `json:"request"`  // null for a mean
	TTFT     int64    `json:"ttft_ns"`

	Path        []stepJSON       `json:"path"`
	Off         []slackJSON      `json:"off_path"`
	Differences []differenceJSON `json:"differences,omitempty"` // from the path that it stands beside
	Sensitivity []effectJSON     `json:"sensitivity,omitempty"`
}

type stepJSON struct {
	Name       string `json:"name"`
	Thread     string `json:"thread"`
	Start      int64  `json:"start_ns"`
	End        int64  `json:"end_ns"`
	ReleasedBy string `json:"released_by"`
	Behind     string `json:"behind"`
	Wait       bool   `json:"wait"`
	Requests   int    `json:"requests"`
}

type slackJSON struct {
	Name     string `json:"name"`
	Thread   string `json:"thread"`
	Start    int64  `json:"start_ns"`
	End      int64  `json:"end_ns"`
	Slack    int64  `json:"slack_ns"`
	Requests int    `json:"requests"`
}

type differenceJSON struct {
	Name    string `json:"name"`
	Thread  string `json:"thread"`
	To      string `json:"to"`
	Before  int64  `json:"before_ns"`
	Now     int64  `json:"now_ns"`
	Verdict string `json:"verdict"`
}

type effectJSON struct {
	Key   string  `json:"key"`
	Value string  `json:"value"`
	TTFT  float64 `json:"ttft_ms_per_10_percent"`
	TPOT  float64 `json:"tpot_ms_per_10_percent"`
}

// writeJSON writes an array with an object for each path.
func (x *explainer) writeJSON(w io.Writer) error {
	out := []*explainedJSON{}
	byCase := map[*explained]*explainedJSON{}
	for _, c := range x.cases {
		j := c.json()
		if c.changed {
			j.WhatIf = x.whatIf
		}
		byCase[c] = j
		out = append(out, j)
	}
	for _, pair := range x.pairs() {
		if len(pair) == 1 {
			continue
		}
		for _, d := range explain.Compare(pair[0].path, pair[1].path) {
			j := byCase[pair[1]]
			j.Differences = append(j.Differences, differenceJSON{d.Name, d.Thread, d.To, int64(d.A), int64(d.B), string(d.Verdict)})
		}
	}
	for k, c := range x.bases() {
		for _, e := range x.effects {
			byCase[c].Sensitivity = append(byCase[c].Sensitivity, effectJSON{e.Key, e.Value, e.of[k].TTFTMs, e.of[k].TPOTMs})
		}
	}
	text, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

func (x *explained) json() *explainedJSON {
	p := x.path
	j := &explainedJSON{Scenario: p.Scenario, Protocol: p.Protocol, Seed: x.spec.Run.Seed, Set: append([]string{}, x.spec.Set...), WhatIf: []string{},
		Requests: p.Requests, TTFT: int64(p.TTFT), Path: []stepJSON{}, Off: []slackJSON{}}
	if p.Requests == 1 {
		j.Request = &p.Request
	}
	for _, s := range p.Steps {
		j.Path = append(j.Path, stepJSON{s.Name, s.Thread, int64(s.Start), int64(s.End), s.ReleasedBy, s.Behind, s.Wait, s.Requests})
	}
	for _, s := range p.Off {
		j.Off = append(j.Off, slackJSON{s.Name, s.Thread, int64(s.Start), int64(s.End), int64(s.Slack), s.Requests})
	}
	return j
}
