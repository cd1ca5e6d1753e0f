package metric

import (
	"math/bits"
	"slices"

	"pdsim/sim"
)

// perSecond counts tokens in buckets of one second from an origin.
type perSecond struct {
	origin sim.Time
	counts []uint64
}

// bucket returns the index of the second that t falls into. What comes before the origin belongs to the first.
func (r *perSecond) bucket(t sim.Time) int {
	return int(max(t.Sub(r.origin), 0) / sim.Second)
}

// start returns the first instant of a bucket.
func (r *perSecond) start(bucket int) sim.Time {
	return r.origin.Add(sim.Duration(bucket) * sim.Second)
}

// add counts n tokens in a bucket.
func (r *perSecond) add(bucket int, n uint64) {
	if need := bucket + 1 - len(r.counts); need > 0 {
		r.counts = append(r.counts, make([]uint64, need)...)
	}
	r.counts[bucket] += n
}

// addEvery counts each tokens at first, first+gap, ... in so many steps.
func (r *perSecond) addEvery(first sim.Time, gap sim.Duration, steps, each int) {
	for done := 0; done < steps; {
		b := r.bucket(first.Add(sim.Duration(done) * gap))
		upTo := steps
		if gap > 0 {
			// The steps before the end of this bucket, rounded up since a step on the border belongs to the next.
			upTo = int(min(sim.Duration(steps), (r.start(b+1).Sub(first)+gap-1)/gap))
		}
		r.add(b, uint64(upTo-done)*uint64(each))
		done = upTo
	}
}

// addSpread counts n tokens at equal distances from first to last, both included.
func (r *perSecond) addSpread(first, last sim.Time, n int) {
	if n <= 0 {
		return
	}
	gaps, length := uint64(n-1), uint64(max(last.Sub(first), 0))
	done := uint64(0)
	for b := r.bucket(first); done < uint64(n); b++ {
		upTo := uint64(n)
		if before := uint64(r.start(b + 1).Sub(first)); before <= length && gaps > 0 {
			// Token k comes k*length/gaps after the first. The product may exceed 64 bits, the quotient is at most gaps.
			hi, lo := bits.Mul64(before, gaps)
			quo, rem := bits.Div64(hi, lo, length)
			upTo = quo
			if rem > 0 {
				upTo++
			}
		}
		r.add(b, upTo-done)
		done = upTo
	}
}

// max returns the largest count of a bucket.
func (r *perSecond) max() uint64 {
	if len(r.counts) == 0 {
		return 0
	}
	return slices.Max(r.counts)
}
