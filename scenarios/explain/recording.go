package explain

import (
	"cmp"
	"fmt"
	"slices"

	"pdsim/model/serving"
	"pdsim/scenarios"
	"pdsim/sim"
)

// Recording is a run with all that happened in it.
type Recording struct {
	Scenario string
	Protocol string
	Result   *scenarios.Result

	log    *sim.Log
	tracks []string
	firsts []first // of all requests that got their first token, in the order of their numbers
}

// first is how a request came to its first token.
type first struct {
	request int64
	sent    sim.Time
	ttft    sim.Duration
	tail    sim.SpanID
}

// NewRecording returns an empty recording of a scenario under a protocol. A session that is started with its options
// fills it, and Close ends it.
func NewRecording(sp *scenarios.Spec, protocol string) *Recording {
	return &Recording{Scenario: sp.Name, Protocol: protocol, log: &sim.Log{}}
}

// Options are those of the session that is recorded.
func (r *Recording) Options() scenarios.Options {
	return scenarios.Options{Recorder: r.log, Request: r.ended}
}

// Close ends the recording of a session with the result that it gave.
func (r *Recording) Close(s *scenarios.Session, result *scenarios.Result) {
	r.Result, r.tracks = result, s.Cluster().Sim.Tracks()
	slices.SortFunc(r.firsts, func(a, b first) int { return cmp.Compare(a.request, b.request) })
}

func (r *Recording) ended(q *serving.Request) {
	if q.Outcome == serving.Done {
		r.firsts = append(r.firsts, first{q.ID, q.Sent, q.First.Sub(q.Sent), q.Tail})
	}
}

// Requests is the number of requests that were answered.
func (r *Recording) Requests() int { return len(r.firsts) }

// Answered says whether the request of a number was answered.
func (r *Recording) Answered(request int64) bool {
	_, ok := r.find(request)
	return ok
}

// First is the number of the first request that was answered. There has to be one.
func (r *Recording) First() int64 { return r.firsts[0].request }

// Last is the number of the last request that was answered. There has to be one.
func (r *Recording) Last() int64 { return r.firsts[len(r.firsts)-1].request }

// At returns the number of the request whose TTFT is at a percentile from 0 to 100: so many in a hundred had theirs no
// later. Of several with the same it is the first.
func (r *Recording) At(percentile float64) (int64, error) {
	if len(r.firsts) == 0 {
		return 0, r.nobody()
	}
	byTTFT := slices.Clone(r.firsts)
	slices.SortStableFunc(byTTFT, func(a, b first) int { return cmp.Compare(a.ttft, b.ttft) })
	rank := int(percentile / 100 * float64(len(byTTFT)))
	if float64(rank) < percentile/100*float64(len(byTTFT)) {
		rank++
	}
	return byTTFT[min(max(rank, 1), len(byTTFT))-1].request, nil
}

func (r *Recording) nobody() error {
	return fmt.Errorf("%s under %s: no request was answered%s", r.Scenario, r.Protocol, reason(r.Result))
}

func reason(res *scenarios.Result) string {
	if res.Reason == "" {
		return ""
	}
	return ": " + res.Reason
}

// find is how a request came to its first token.
func (r *Recording) find(request int64) (f first, ok bool) {
	i, ok := slices.BinarySearchFunc(r.firsts, request, func(f first, id int64) int { return cmp.Compare(f.request, id) })
	if !ok {
		return first{}, false
	}
	return r.firsts[i], true
}
