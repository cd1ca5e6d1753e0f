package metric

import "math/bits"

const (
	// A power of two is cut into this many buckets of one width. A bucket's middle is then within 1/1024 of every
	// value in it, which is the 0.1 % that Sample promises.
	bucketsPerOctave = 512
	octaveBits       = 10 // values below 2^octaveBits have a bucket each
	octaves          = 63 - octaveBits
	buckets          = octaves*bucketsPerOctave + 1<<octaveBits
)

// histogram counts values from 0 to 2^63-1 in buckets whose width grows with the value, a kind of floating point with
// nine bits after the leading one.
type histogram struct {
	counts [buckets]uint64
}

// add counts n times v.
func (h *histogram) add(v, n uint64) { h.counts[bucketOf(v)] += n }

// merge counts all that o has counted.
func (h *histogram) merge(o *histogram) {
	for i, n := range o.counts {
		h.counts[i] += n
	}
}

// bucketOf returns the bucket that v falls into.
func bucketOf(v uint64) int {
	shift := max(bits.Len64(v)-octaveBits, 0)
	return shift*bucketsPerOctave + int(v>>shift)
}

// middleOf returns the value that stands for all in a bucket.
func middleOf(bucket int) uint64 {
	shift := max(bucket/bucketsPerOctave-1, 0)
	low := uint64(bucket-shift*bucketsPerOctave) << shift
	return low + 1<<shift/2
}
