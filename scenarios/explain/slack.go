package explain

import (
	"cmp"
	"slices"

	"pdsim/sim"
)

// Slack is something that had to be done for a first token, but was done early enough not to be on its path.
type Slack struct {
	Name       string
	Thread     string
	Start, End sim.Duration // since the request was sent
	Slack      sim.Duration // by how much it could have ended later
	Requests   int          // how many requests have it off their path
}

// slacks lists what was done for a first token besides its path, in the order of starts.
//
// What is on the path has no slack. Anything else could have ended later by the least that its dependants leave it: the time
// from its end until a dependant got going, or until a dependant's wait was over, and the dependant's own slack.
// Dependants are met before what they depend on, since a dependency has the lower number.
func (r *Recording) slacks(f first) []Slack {
	slack := map[sim.SpanID]sim.Duration{f.tail: 0}
	onPath := map[sim.SpanID]bool{}
	for id := f.tail; id != 0; id = r.log.At(id).Cause {
		onPath[id] = true
	}
	todo := []sim.SpanID{f.tail}
	var off []Slack
	for len(todo) > 0 {
		slices.Sort(todo)
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		sp, left := r.log.At(id), slack[id]
		if onPath[id] {
			left = 0
		} else if sp.End > sp.Start && !waits(sp.Kind) {
			off = append(off, Slack{sp.Kind, r.tracks[sp.Track], sp.Start.Sub(f.sent), sp.End.Sub(f.sent), left, 1})
		}
		if sp.Owner < 0 {
			continue // what led to it is not the request's
		}
		latest := sp.Start
		if waits(sp.Kind) {
			latest = sp.End
		}
		visit := func(on sim.SpanID) {
			spare := latest.Sub(r.log.At(on).End) + left
			if have, met := slack[on]; !met {
				todo = append(todo, on)
				slack[on] = spare
			} else {
				slack[on] = min(have, spare)
			}
		}
		if sp.Cause != 0 {
			visit(sp.Cause)
		}
		for on := range r.log.Others(id) {
			visit(on)
		}
	}
	slices.SortStableFunc(off, func(a, b Slack) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
	return off
}
