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

// Record plays a scenario under a protocol.
func Record(sp *scenarios.Spec, protocol string) (*Recording, error) {
	r := &Recording{Scenario: sp.Name, Protocol: protocol, log: &sim.Log{}}
	session, err := scenarios.NewSession(sp, protocol, scenarios.Options{Recorder: r.log, Request: r.ended})
	if err != nil {
		return nil, err
	}
	if r.Result, err = session.Play(sp); err != nil {
		return nil, err
	}
	r.tracks = session.Cluster().Sim.Tracks()
	slices.SortFunc(r.firsts, func(a, b first) int { return cmp.Compare(a.request, b.request) })
	return r, nil
}

func (r *Recording) ended(q *serving.Request) {
	if q.Outcome == serving.Done {
		r.firsts = append(r.firsts, first{q.ID, q.Sent, q.First.Sub(q.Sent), q.Tail})
	}
}

// Requests is the number of requests that were answered.
func (r *Recording) Requests() int { return len(r.firsts) }

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
func (r *Recording) find(request int64) (first, error) {
	i, ok := slices.BinarySearchFunc(r.firsts, request, func(f first, id int64) int { return cmp.Compare(f.request, id) })
	switch {
	case ok:
		return r.firsts[i], nil
	case len(r.firsts) == 0:
		return first{}, r.nobody()
	}
	return first{}, fmt.Errorf("%s under %s: want a request that was answered, %d to %d, have %d", r.Scenario, r.Protocol,
		r.firsts[0].request, r.firsts[len(r.firsts)-1].request, request)
}
