package explain

import (
	"slices"
	"strings"
	"testing"

	"pdsim/scenarios"
	"pdsim/sim"
)

// made is a recording of a request that was sent at 100 and whose meal needs meat and salad. The cook is busy with
// somebody else's meat until 130; the salad is ready 25 before the meat.
func made() *Recording {
	log := &sim.Log{}
	for _, s := range []struct {
		sim.Span
		others []sim.SpanID
	}{
		{sim.Span{Kind: "send", Track: 3, Owner: 7, Ready: 100, Start: 100, End: 100}, nil},
		{sim.Span{Kind: "roast", Track: 1, Owner: 6, Ready: 80, Start: 80, End: 129}, nil},
		{sim.Span{Kind: "salt", Track: 1, Owner: 6, Cause: 2, Ready: 129, Start: 129, End: 130}, nil},
		{sim.Span{Kind: "wash", Track: 2, Owner: 7, Cause: 1, Ready: 100, Start: 100, End: 105}, nil},
		{sim.Span{Kind: "cut", Track: 2, Owner: 7, Cause: 4, Ready: 105, Start: 110, End: 125, Behind: 3}, nil},
		{sim.Span{Kind: "roast", Track: 1, Owner: 7, Cause: 1, Behind: 3, Ready: 100, Start: 130, End: 150}, nil},
		{sim.Span{Kind: "ready", Track: 3, Owner: 7, Cause: 6, Ready: 150, Start: 150, End: 150}, []sim.SpanID{5}},
		{sim.Span{Kind: "wait for the waiter", Track: 3, Owner: 7, Cause: 7, Ready: 150, Start: 150, End: 160}, nil},
		{sim.Span{Kind: "carry", Track: 3, Owner: 7, Cause: 8, Ready: 160, Start: 160, End: 165}, nil},
	} {
		s.ID = sim.SpanID(len(log.Spans) + 1)
		log.Span(s.Span, s.others)
	}
	return &Recording{Scenario: "meal", Protocol: "p", log: log, tracks: []string{"", "K1/oven", "K1/board", "table"}, firsts: []first{{7, 100, 65, 9}}, Result: &scenarios.Result{}}
}

func TestPathAndSlack(t *testing.T) {
	p, err := made().Path(7)
	if err != nil {
		t.Fatal(err)
	}
	want := []Step{
		{Name: "behind another's roast", Thread: "K1/oven", ReleasedBy: "send", Behind: "roast of request 6", Start: 0, End: 30, Wait: true, Times: 1, Requests: 1},
		{Name: "roast", Thread: "K1/oven", ReleasedBy: "send", Start: 30, End: 50, Times: 1, Requests: 1},
		{Name: "wait for the waiter", Thread: "table", ReleasedBy: "ready", Start: 50, End: 60, Wait: true, Times: 1, Requests: 1},
		{Name: "carry", Thread: "table", ReleasedBy: "wait for the waiter", Start: 60, End: 65, Times: 1, Requests: 1},
	}
	if !slices.Equal(p.Steps, want) {
		t.Errorf("have %+v", p.Steps)
	}
	// The salad could be ready 25 later, and be washed later by as much and by the wait for the board.
	off := []Slack{{"wash", "K1/board", 0, 5, 30, 1}, {"cut", "K1/board", 10, 25, 25, 1}}
	if !slices.Equal(p.Off, off) {
		t.Errorf("off the path: %+v", p.Off)
	}
	if l := p.Longest(); l.Name != "behind another's roast" {
		t.Errorf("longest: %+v", l)
	}
}

// What does not add up is an error, of one request and in the mean.
func TestGapsAreErrors(t *testing.T) {
	r := made()
	r.firsts[0].ttft = 66
	if _, err := r.Path(7); err == nil || !strings.Contains(err.Error(), "add up to 65ns, TTFT is 66ns") {
		t.Errorf("have %v", err)
	}
	if _, err := r.Mean(); err == nil {
		t.Error("want an error of the mean")
	}
	if _, err := r.Path(8); err == nil {
		t.Error("want an error for a request that was not answered")
	}
}

func TestPercentiles(t *testing.T) {
	r := &Recording{Result: &scenarios.Result{}}
	if _, err := r.At(50); err == nil {
		t.Error("want an error without requests")
	}
	for i, ttft := range []sim.Duration{40, 10, 30, 20} {
		r.firsts = append(r.firsts, first{request: int64(i), ttft: ttft})
	}
	for p, want := range map[float64]int64{0: 1, 25: 1, 26: 3, 50: 3, 99: 0, 100: 0} {
		if have, err := r.At(p); err != nil || have != want {
			t.Errorf("p%v: have request %d, %v, want %d", p, have, err, want)
		}
	}
	if !r.Answered(3) || r.Answered(4) || r.First() != 0 || r.Last() != 3 {
		t.Error("answered 0 to 3")
	}
}

// steps makes a path of named steps and their lengths.
func steps(off []Slack, of ...Step) *Path {
	p := &Path{Off: off}
	for _, s := range of {
		s.End += p.TTFT
		s.Start = p.TTFT
		p.TTFT = s.End
		p.Steps = append(p.Steps, s)
	}
	return p
}

func TestCompare(t *testing.T) {
	step := func(name, thread string, d sim.Duration) Step { return Step{Name: name, Thread: thread, End: d} }
	a := steps([]Slack{{Name: "look"}}, step("hop", "router", 5), step("wait", "D0/waiting", 9), step("post", "D0/main", 30), step("poll", "D0/main", 4), step("send", "D0/net", 2))
	b := steps([]Slack{{Name: "poll"}}, step("hop", "router", 5), step("match", "P1/writer", 1), step("look", "P1/writer", 1), step("post", "P1/writer", 20), step("send", "D1/net", 3))
	var have []string
	var sum sim.Duration
	for _, d := range Compare(a, b) {
		have = append(have, d.Name+": "+string(d.Verdict))
		sum += d.Change()
		if x, y := d.Pieces(); len(x)+len(y) == 0 {
			t.Errorf("%s has no pieces", d.Name)
		}
	}
	want := []string{"hop: same", "match: appeared", "look: moved onto the path", "wait: gone", "post: moved", "poll: moved off the path", "send: grew"}
	if !slices.Equal(have, want) {
		t.Errorf("have %q", have)
	}
	if sum != b.TTFT-a.TTFT {
		t.Errorf("the changes add up to %v, TTFT changes by %v", sum, b.TTFT-a.TTFT)
	}
}

// The mean of a published scenario has each step of push in the order of its diagram.
func TestMeanIsInOrder(t *testing.T) {
	r := record(t, "p5en-qwen3-32b", "push", "workload.iterations=2")
	p, err := r.Mean()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range p.Steps {
		names = append(names, s.Name)
	}
	at := -1
	for _, want := range []string{"hop to prefill", "tokenize", "prefill", "match", "prepare", "post", "last work request", "report load", "first decode", "stream first token"} {
		i := slices.Index(names, want)
		if i <= at {
			t.Errorf("%q is not behind what comes before it in %q", want, names)
		}
		at = i
	}
	if p.Requests != 200 || at != len(names)-1 {
		t.Errorf("%d requests, %q", p.Requests, names)
	}
}

func TestParameters(t *testing.T) {
	for _, c := range []struct{ value, more, less string }{
		{"2.44us", "2.684us", "2.196us"}, {"16", "18", "14"}, {"0.82", "0.902", "0.738"}, {"8/s", "8.8/s", "7.2/s"}, {"128KiB", "140.8KiB", "115.2KiB"},
		{"0s", "", ""}, {"inf", "", ""}, {"true", "", ""}, {"-1", "", ""},
	} {
		p, ok := parameter("key", c.value)
		if ok != (c.more != "") || p.more.text != c.more || p.less.text != c.less {
			t.Errorf("%s: have %+v, %v", c.value, p, ok)
		}
	}
	sp, err := scenarios.Load("p5en-qwen3-32b", nil)
	if err != nil {
		t.Fatal(err)
	}
	all, err := Parameters(sp)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"workload.qps", "decode.max_num_seqs", "costs.backend.post_read", "costs.software.launch", "costs.fabric.read_latency", "costs.gpu.memory"} {
		if !slices.ContainsFunc(all, func(p Parameter) bool { return p.Key == want }) {
			t.Errorf("no %s", want)
		}
	}
}

// A value that cannot grow is made smaller instead, and a change that is not a tenth counts by its part of one.
func TestSensitivity(t *testing.T) {
	result := func(ttft float64) *scenarios.Result {
		r := &scenarios.Result{}
		r.MeanTTFTMs = ttft
		return r
	}
	near := func(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }
	p, _ := parameter("decode.max_num_seqs", "8")
	e, ok, err := Sensitivity(p, result(100), func(set string) (*scenarios.Result, error) {
		if set != "decode.max_num_seqs=9" {
			t.Errorf("ran with %s", set)
		}
		return result(75), nil
	})
	if err != nil || !ok || !near(e.TTFTMs, -20) || !near(e.Largest(result(100)), 0.2) {
		t.Errorf("have %+v, %v, %v", e, ok, err)
	}
	p, _ = parameter("costs.fabric.write_efficiency", "0.95")
	refuse := &scenarios.Mistakes{}
	e, ok, err = Sensitivity(p, result(100), func(set string) (*scenarios.Result, error) {
		if set == "costs.fabric.write_efficiency=0.855" {
			return result(110), nil
		}
		return nil, refuse
	})
	if err != nil || !ok || !near(e.TTFTMs, -10) {
		t.Errorf("have %+v, %v, %v", e, ok, err)
	}
	if _, ok, err = Sensitivity(p, result(100), func(string) (*scenarios.Result, error) { return nil, refuse }); ok || err != nil {
		t.Errorf("refused both: %v, %v", ok, err)
	}
}
