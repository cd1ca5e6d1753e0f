package web

import "pdsim/scenarios/explain"

// path is a path to a first token. Times are nanoseconds since the request was sent.
type path struct {
	TTFT     int64  `json:"ttft_ns"`
	Requests int    `json:"requests"` // how many it is the mean of
	Request  int64  `json:"request"`  // of a path of one
	Steps    []step `json:"steps"`
	Off      []step `json:"off"` // what was done off the path
}

// step is one step of it.
type step struct {
	Name       string `json:"name"`
	Thread     string `json:"thread"`
	ReleasedBy string `json:"released_by"`
	Behind     string `json:"behind"`
	Start      int64  `json:"start_ns"`
	End        int64  `json:"end_ns"`
	Wait       bool   `json:"wait"`
	Requests   int    `json:"requests"`
	Slack      int64  `json:"slack_ns"` // of a step off the path
}

func newPath(p *explain.Path) *path {
	out := &path{TTFT: int64(p.TTFT), Requests: p.Requests, Request: p.Request, Steps: []step{}, Off: []step{}}
	for i := range p.Steps {
		s := &p.Steps[i]
		out.Steps = append(out.Steps, step{s.Name, s.Thread, s.ReleasedBy, s.Behind, int64(s.Start), int64(s.End), s.Wait, s.Requests, 0})
	}
	for i := range p.Off {
		s := &p.Off[i]
		out.Off = append(out.Off, step{Name: s.Name, Thread: s.Thread, Start: int64(s.Start), End: int64(s.End), Requests: s.Requests, Slack: int64(s.Slack)})
	}
	return out
}
