package metric

import (
	"cmp"
	"math/bits"
	"slices"

	"pdsim/sim"
)

// perSecond counts tokens in buckets of one second from an origin. Only buckets with tokens take memory, and of these the
// latest ones: older ones are forgotten but for the largest count. That is exact as long as no answer takes as many
// seconds as are kept, which is nine hours at least; tokens in seconds that are forgotten then count by themselves.
type perSecond struct {
	origin  sim.Time
	seconds []second // those that may still get tokens, in order
	most    uint64   // of those that are forgotten
}

// second is the tokens of one bucket.
type second struct {
	bucket int
	tokens uint64
}

// keptSeconds is how many buckets stay when old ones are forgotten, which happens when there are twice as many.
const keptSeconds = 1 << 15

// bucket returns the index of the second that t falls into. What comes before the origin belongs to the first.
func (r *perSecond) bucket(t sim.Time) int {
	return int(max(t.Sub(r.origin), 0) / sim.Second)
}

// start returns the first instant of a bucket.
func (r *perSecond) start(bucket int) sim.Time {
	return r.origin.Add(sim.Duration(bucket) * sim.Second)
}

// add counts n tokens in a bucket. It is mostly the last one or a new one.
func (r *perSecond) add(bucket int, n uint64) {
	last := len(r.seconds) - 1
	switch {
	case last < 0 || r.seconds[last].bucket < bucket:
		r.seconds = append(r.seconds, second{bucket, n})
		return
	case r.seconds[last].bucket == bucket:
		r.seconds[last].tokens += n
		return
	}
	i, found := slices.BinarySearchFunc(r.seconds, bucket, func(s second, b int) int { return cmp.Compare(s.bucket, b) })
	if found {
		r.seconds[i].tokens += n
	} else {
		r.seconds = slices.Insert(r.seconds, i, second{bucket, n})
	}
}

// forget drops old buckets when there are many.
func (r *perSecond) forget() {
	if len(r.seconds) < 2*keptSeconds {
		return
	}
	old := len(r.seconds) - keptSeconds
	r.most = max(r.most, largest(r.seconds[:old]))
	r.seconds = r.seconds[:copy(r.seconds, r.seconds[old:])]
}

// addEvery counts each tokens at first, first+gap, ... in so many steps.
func (r *perSecond) addEvery(first sim.Time, gap sim.Duration, steps, each int) {
	r.forget()
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
	r.forget()
	gaps, length := uint64(n-1), uint64(max(last.Sub(first), 0))
	for done := uint64(0); done < uint64(n); {
		// Token k comes k*length/gaps after the first. The products may exceed 64 bits, the quotients are at most length
		// and gaps.
		after := uint64(0)
		if done > 0 {
			hi, lo := bits.Mul64(done, length)
			after, _ = bits.Div64(hi, lo, gaps)
		}
		b, upTo := r.bucket(first.Add(sim.Duration(after))), uint64(n)
		if before := uint64(r.start(b + 1).Sub(first)); before <= length && gaps > 0 {
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
func (r *perSecond) max() uint64 { return max(r.most, largest(r.seconds)) }

func largest(list []second) uint64 {
	most := uint64(0)
	for _, s := range list {
		most = max(most, s.tokens)
	}
	return most
}
