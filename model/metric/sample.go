package metric

import (
	"slices"

	"pdsim/sim"
)

// exactLimit is the most different values that a Sample keeps one by one. With more of them it keeps a histogram.
const exactLimit = 200_000

// compactFloor is the shortest list of values that is worth sorting to join equal ones.
const compactFloor = 4096

// weighted is a value in nanoseconds that was seen n times.
type weighted struct {
	value, n uint64
}

// Sample collects durations and answers for their mean, deviation and percentiles, all in milliseconds.
//
// Count, Mean, Std, Min and Max are exact whatever the size, because sums are kept as wide integers: neither the order
// of Add nor the machine changes a bit of them. Percentiles are exact up to 200,000 different values; beyond that they
// come from a histogram of fixed size and are off by at most 0.1 %. Which of the two holds depends on the set of values
// alone, not on their order. The zero Sample is empty and ready for use.
type Sample struct {
	count    uint64
	sum      wide
	squares  wide
	min, max uint64

	kept   []weighted // the values, until there are too many different ones
	sorted bool       // kept is ascending and has no value twice
	full   int        // length at which kept is next compacted
	hist   *histogram // takes over from kept once there are too many
}

// Add records one duration. A negative one is an effect before its cause, and panics.
func (s *Sample) Add(d sim.Duration) { s.AddN(d, 1) }

// AddN records the duration d n times over, at the cost of one. It does nothing when n is not positive.
func (s *Sample) AddN(d sim.Duration, n int) {
	if n <= 0 {
		return
	}
	if d < 0 {
		panic("metric: negative duration " + d.String())
	}
	v, k := uint64(d), uint64(n)
	if s.count == 0 || v < s.min {
		s.min = v
	}
	s.max = max(s.max, v)
	s.count += k
	s.sum.addProduct(v, k)
	s.squares.addSquare(v, k)
	s.keep(v, k)
}

// Merge adds all that o holds, as if each of its durations had been added to s. It leaves o as it is, and o must be
// another sample.
func (s *Sample) Merge(o *Sample) {
	if o.count == 0 {
		return
	}
	if s.count == 0 || o.min < s.min {
		s.min = o.min
	}
	s.max = max(s.max, o.max)
	s.count += o.count
	s.sum.add(&o.sum)
	s.squares.add(&o.squares)
	if o.hist != nil {
		s.spill()
		s.hist.merge(o.hist)
		return
	}
	for _, w := range o.kept {
		s.keep(w.value, w.n)
	}
}

// Exact says whether percentiles are those of the values themselves and not of a histogram.
func (s *Sample) Exact() bool {
	s.compact()
	return s.hist == nil
}

// keep stores n times v, without touching the sums.
func (s *Sample) keep(v, n uint64) {
	if s.hist != nil {
		s.hist.add(v, n)
		return
	}
	// A steady decode repeats one gap many times in a row.
	if last := len(s.kept) - 1; last >= 0 && s.kept[last].value == v {
		s.kept[last].n += n
		return
	}
	s.kept = append(s.kept, weighted{v, n})
	s.sorted = false
	if len(s.kept) >= max(s.full, compactFloor) {
		s.compact()
	}
}

// compact sorts the kept values and joins equal ones, and gives them up for a histogram when too many remain. It waits
// for the list to double before the next time, so that its cost a value stays constant, and never needs more room than
// twice the limit.
func (s *Sample) compact() {
	if s.sorted || s.hist != nil || len(s.kept) == 0 {
		return
	}
	slices.SortFunc(s.kept, func(a, b weighted) int {
		switch {
		case a.value < b.value:
			return -1
		case a.value > b.value:
			return 1
		}
		return 0
	})
	out := s.kept[:1]
	for _, w := range s.kept[1:] {
		if last := &out[len(out)-1]; last.value == w.value {
			last.n += w.n
		} else {
			out = append(out, w)
		}
	}
	s.kept, s.sorted, s.full = out, true, 2*len(out)
	if len(out) > exactLimit {
		s.spill()
	}
}

// spill moves the kept values to the histogram.
func (s *Sample) spill() {
	if s.hist != nil {
		return
	}
	s.hist = new(histogram)
	for _, w := range s.kept {
		s.hist.add(w.value, w.n)
	}
	s.kept = nil
}
