package metric

import (
	"math"
	"math/big"
)

// nsPerMs turns nanoseconds into the milliseconds that all statistics are given in.
const nsPerMs = 1e6

// Count returns the number of durations.
func (s *Sample) Count() int { return int(s.count) }

// Min returns the shortest duration in milliseconds, 0 for an empty sample.
func (s *Sample) Min() float64 { return float64(s.min) / nsPerMs }

// Max returns the longest duration in milliseconds, 0 for an empty sample.
func (s *Sample) Max() float64 { return float64(s.max) / nsPerMs }

// Mean returns the mean in milliseconds, 0 for an empty sample.
func (s *Sample) Mean() float64 {
	if s.count == 0 {
		return 0
	}
	mean, _ := new(big.Rat).SetFrac(s.sum.big(), new(big.Int).SetUint64(s.count)).Float64()
	return mean / nsPerMs
}

// Std returns the standard deviation of the population (numpy's std) in milliseconds, 0 for an empty sample.
//
// The variance is (n*sum of squares - square of sum) / n^2, in integers up to the division, so that nothing cancels.
func (s *Sample) Std() float64 {
	if s.count == 0 {
		return 0
	}
	n := new(big.Int).SetUint64(s.count)
	sum := s.sum.big()
	num := new(big.Int).Mul(n, s.squares.big())
	num.Sub(num, sum.Mul(sum, sum))
	variance, _ := new(big.Rat).SetFrac(num, n.Mul(n, n)).Float64()
	return math.Sqrt(variance) / nsPerMs
}

// Median returns the 50th percentile in milliseconds, 0 for an empty sample.
func (s *Sample) Median() float64 { return s.Percentile(50) }

// Percentile returns the p-th percentile in milliseconds, p from 0 to 100, as numpy's default method defines it: the
// value at rank p/100*(n-1) of the sorted values, on the straight line between its two neighbours. It is 0 for an empty
// sample.
func (s *Sample) Percentile(p float64) float64 {
	if s.count == 0 {
		return 0
	}
	p = min(max(p, 0), 100)
	rank := float64(p/100) * float64(s.count-1)
	whole := math.Floor(rank)
	low, high := s.neighbours(uint64(whole))
	t := rank - whole
	diff := high - low
	// The nearer end is the start, as numpy has it, so that t=1 would give the high value exactly. The conversions keep
	// the compiler from fusing the product into the sum, which would differ between machines.
	if t >= 0.5 {
		return (high - float64(diff*(1-t))) / nsPerMs
	}
	return (low + float64(diff*t)) / nsPerMs
}

// neighbours returns the values, in nanoseconds, at ranks k and k+1 of the sorted sample; at its end both are the last.
func (s *Sample) neighbours(k uint64) (low, high float64) {
	s.compact()
	next := min(k+1, s.count-1)
	var seen uint64
	found := false
	visit := func(v, n uint64) bool {
		seen += n
		if !found && seen > k {
			low, found = float64(v), true
		}
		high = float64(v)
		return seen > next
	}
	if s.hist == nil {
		for _, w := range s.kept {
			if visit(w.value, w.n) {
				break
			}
		}
		return low, high
	}
	for i, n := range s.hist.counts {
		if n > 0 && visit(min(max(middleOf(i), s.min), s.max), n) {
			break
		}
	}
	return low, high
}
