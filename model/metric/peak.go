package metric

import (
	"sort"

	"pdsim/sim"
)

// peak finds the largest number of intervals [start, end) that overlap, from intervals given in order of their ends.
//
// Each interval takes a slot. It goes to the slot that became free last among those that were free when it started, or
// to a new one; the number of slots is then the peak. For a proof, let m(t) be the most that overlap at any instant from
// t on, which falls with t: an interval [s, e) whose end is the latest so far raises m by one from s on, and before s
// just where m was no more than m(s). Seen as the instants at which m falls, that replaces the last such instant up to s
// by e. Memory is that of the slots, not of the intervals.
type peak struct {
	ends []sim.Time // when slots were given back, ascending; some are stale because the slot was taken again
	left []int      // left[i] leads to the first position at or before i that is not stale: a position plus 1, or 0
	live int        // slots
}

// add takes note of one interval. An end before the latest one so far counts as that.
func (p *peak) add(start, end sim.Time) {
	if n := len(p.ends); n > 0 {
		end = max(end, p.ends[n-1])
	}
	if at := p.find(sort.Search(len(p.ends), func(i int) bool { return p.ends[i] > start })); at > 0 {
		p.left[at-1] = at - 1
		p.live--
	}
	p.ends = append(p.ends, end)
	p.left = append(p.left, len(p.ends))
	p.live++
	if len(p.ends) > 2*p.live+1024 {
		p.compact()
	}
}

// find returns the largest position plus 1, up to at, that is not stale, or 0. Each look halves the way for the next.
func (p *peak) find(at int) int {
	for at > 0 && p.left[at-1] != at {
		next := p.left[at-1]
		if next > 0 {
			p.left[at-1] = p.left[next-1]
		}
		at = next
	}
	return at
}

// compact forgets stale positions.
func (p *peak) compact() {
	kept := 0
	for i, end := range p.ends {
		if p.left[i] == i+1 {
			p.ends[kept] = end
			kept++
		}
	}
	p.ends, p.left = p.ends[:kept], p.left[:kept]
	for i := range p.left {
		p.left[i] = i + 1
	}
}
