package explain

import (
	"cmp"
	"slices"
	"strings"

	"pdsim/sim"
)

// kind tells steps of different requests that are the same from those that are not: engines and rails of one sort count
// as one.
type kind struct{ name, thread string }

func kindOf(name, thread string) kind {
	return kind{name, strings.Map(func(c rune) rune {
		if '0' <= c && c <= '9' {
			return -1
		}
		return c
	}, thread)}
}

// Mean is the path of all requests: each kind of step with its mean length over all of them, whether they have it or
// not. The lengths add up to the mean TTFT.
func (r *Recording) Mean() (*Path, error) {
	if len(r.firsts) == 0 {
		return nil, r.nobody()
	}
	on, off := newTotals(), newTotals()
	var ttft sim.Duration
	for _, f := range r.firsts {
		p := r.path(f)
		if err := p.check(); err != nil {
			return nil, err
		}
		ttft += f.ttft
		on.next()
		for _, s := range p.Steps {
			on.add(s, 0)
		}
		off.next()
		for _, s := range r.slacks(f) {
			off.add(Step{Name: s.Name, Thread: s.Thread, Start: s.Start, End: s.End}, s.Slack)
		}
	}
	n := sim.Duration(len(r.firsts))
	p := &Path{Scenario: r.Scenario, Protocol: r.Protocol, Requests: len(r.firsts), Request: r.First(), TTFT: (ttft + n/2) / n}
	var at sim.Duration
	for _, s := range on.inOrder() {
		step := s.step
		step.Thread, step.Requests, step.Times, step.Behind = s.thread, s.requests, s.times, s.mostBehind()
		step.Start = (at + n/2) / n
		at += s.length
		step.End = (at + n/2) / n // rounded from the sum, so that the parts still add up
		p.Steps = append(p.Steps, step)
	}
	for _, s := range off.inOrder() {
		k := sim.Duration(s.requests)
		p.Off = append(p.Off, Slack{s.name, s.thread, s.start / k, (s.start + s.length) / k, s.slack / k, s.requests})
	}
	return p, p.check()
}

// total adds up a kind of step.
type total struct {
	kind
	index    int
	step     Step // the first one met
	length   sim.Duration
	start    sim.Duration
	slack    sim.Duration
	requests int
	times    int
	behind   map[string]sim.Duration // how long it was behind what
	before   []int                   // by kind: in how many requests it comes first before that first comes
}

// totals adds up steps of many requests.
type totals struct {
	kinds map[kind]*total
	all   []*total
	met   []*total // in the present request, in the order of their first coming
}

func newTotals() *totals { return &totals{kinds: map[kind]*total{}} }

// next goes on to another request.
func (ts *totals) next() { ts.met = ts.met[:0] }

// add adds a step of the present request. What a request has several times counts once, with the slack of the first.
func (ts *totals) add(s Step, slack sim.Duration) {
	k := kindOf(s.Name, s.Thread)
	t := ts.kinds[k]
	if t == nil {
		t = &total{kind: k, index: len(ts.all), step: s, behind: map[string]sim.Duration{}}
		ts.kinds[k] = t
		ts.all = append(ts.all, t)
	}
	t.length += s.Length()
	t.times += s.Times
	if s.Behind != "" {
		t.behind[anyones(s.Behind)] += s.Length()
	}
	if slices.Contains(ts.met, t) {
		return
	}
	for _, m := range ts.met {
		for len(m.before) <= t.index {
			m.before = append(m.before, 0)
		}
		m.before[t.index]++
	}
	ts.met = append(ts.met, t)
	t.requests++
	t.start += s.Start
	t.slack += slack
}

// anyones is what something was behind, whichever requests' it was.
func anyones(behind string) string {
	what, _, others := strings.Cut(behind, " of ")
	if others {
		return "another's " + what
	}
	return what
}

// mostBehind is what a wait was behind for most of its time.
func (t *total) mostBehind() string {
	most := ""
	for what, d := range t.behind {
		if most == "" || d > t.behind[most] || d == t.behind[most] && what < most {
			most = what
		}
	}
	return most
}

// comesBefore says whether requests that have both steps have this one earlier, more often than not.
func (t *total) comesBefore(u *total) bool {
	count := func(a, b *total) int {
		if b.index < len(a.before) {
			return a.before[b.index]
		}
		return 0
	}
	return count(t, u) > count(u, t)
}

// inOrder sorts so that what comes before another step in most requests that have both does so here; what no request
// has together goes by mean start.
func (ts *totals) inOrder() []*total {
	left := slices.Clone(ts.all)
	slices.SortFunc(left, func(a, b *total) int {
		return cmp.Or(cmp.Compare(a.start/sim.Duration(a.requests), b.start/sim.Duration(b.requests)), cmp.Compare(a.index, b.index))
	})
	var out []*total
	for len(left) > 0 {
		i := max(0, slices.IndexFunc(left, func(t *total) bool {
			return !slices.ContainsFunc(left, func(u *total) bool { return u.comesBefore(t) })
		})) // majorities that go round in a ring: the earliest
		out = append(out, left[i])
		left = slices.Delete(left, i, i+1)
	}
	return out
}
