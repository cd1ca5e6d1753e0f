package explain

import (
	"fmt"
	"strings"

	"pdsim/sim"
)

// Path is what a first token waited for, of one request or of all in the mean.
type Path struct {
	Scenario string
	Protocol string
	Requests int   // how many it is the mean of
	Request  int64 // the request, or the first of them
	TTFT     sim.Duration
	Steps    []Step
	Off      []Slack
}

// Step is a part of a path. A step begins when the one before it has ended.
type Step struct {
	Name       string
	Thread     string       // where: a thread, a rail, or the requests of an engine that wait
	ReleasedBy string       // what had to end before it
	Behind     string       // what held the thread or the slot meanwhile, if it was a wait and that is known
	Start, End sim.Duration // since the request was sent
	Wait       bool         // nobody worked on the request
	Times      int          // pieces in a row that it is made of
	Requests   int          // how many requests have it on their path
}

// Length is how long the step takes.
func (s *Step) Length() sim.Duration { return s.End - s.Start }

// Longest is the step of the path that takes longest; nil of an empty path.
func (p *Path) Longest() *Step {
	var longest *Step
	for i := range p.Steps {
		if longest == nil || p.Steps[i].Length() > longest.Length() {
			longest = &p.Steps[i]
		}
	}
	return longest
}

// check is the promise of a path: its steps tile the time to the first token.
func (p *Path) check() error {
	at := sim.Duration(0)
	for _, s := range p.Steps {
		if s.Start != at || s.End < s.Start {
			return fmt.Errorf("%s under %s: %q of request %d lasts from %v to %v, want it to begin at %v", p.Scenario, p.Protocol, s.Name, p.Request, s.Start, s.End, at)
		}
		at = s.End
	}
	if at != p.TTFT {
		return fmt.Errorf("%s under %s: the steps of request %d add up to %v, TTFT is %v", p.Scenario, p.Protocol, p.Request, at, p.TTFT)
	}
	return nil
}

// Path is the path of one request.
func (r *Recording) Path(request int64) (*Path, error) {
	f, ok := r.find(request)
	if !ok {
		return nil, fmt.Errorf("%s under %s: request %d was not answered", r.Scenario, r.Protocol, request)
	}
	p := r.path(f)
	p.Off = r.slacks(f)
	return p, p.check()
}

// path makes steps of a chain of causes: of each span the wait for its thread and the work. What takes no time is no
// step, and pieces of one name that follow each other on a thread are one.
func (r *Recording) path(f first) *Path {
	p := &Path{Scenario: r.Scenario, Protocol: r.Protocol, Requests: 1, Request: f.request, TTFT: f.ttft}
	cause := ""
	for _, seg := range r.log.Path(f.tail) {
		step := Step{Thread: r.tracks[seg.Track], ReleasedBy: cause, Times: 1, Requests: 1}
		cause = seg.Kind
		released := seg.Start.Add(-seg.Wait)
		if seg.Wait > 0 {
			wait := step
			b := r.blockers(seg.Span)
			wait.Name, wait.Wait, wait.Behind = b.line(), true, b.String()
			wait.Start, wait.End = released.Sub(f.sent), seg.Start.Sub(f.sent)
			p.add(wait)
		}
		if seg.Work > 0 {
			step.Name, step.Wait = seg.Kind, waits(seg.Kind)
			if step.Wait {
				step.Behind = r.blockers(seg.Span).String()
			}
			step.Start, step.End = seg.Start.Sub(f.sent), seg.End.Sub(f.sent)
			p.add(step)
		}
	}
	return p
}

func (p *Path) add(s Step) {
	if n := len(p.Steps); n > 0 {
		if last := &p.Steps[n-1]; last.Name == s.Name && last.Thread == s.Thread && last.Behind == s.Behind {
			last.End, last.Times = s.End, last.Times+1
			return
		}
	}
	p.Steps = append(p.Steps, s)
}

// waits says whether a span is a wait. Their names say so.
func waits(kind string) bool { return strings.HasPrefix(kind, "wait ") }
