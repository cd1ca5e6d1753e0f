package compute

import "math/bits"

// axis places a count on a grid that is linear within each octave: 2^sub points an octave, so that neighbours differ
// by at most one part in 2^sub and every count below 2^(sub+1) has a point of its own. Finding a place takes a bit
// count, a shift and a mask; no logarithm.
type axis struct {
	sub  uint // log2 of the points of an octave
	last int  // index of the last point
}

// newAxis returns an axis whose last point is at or above top.
func newAxis(top int64, sub uint) axis {
	a := axis{sub: sub, last: 1 << 30}
	i, frac := a.find(top)
	if frac > 0 {
		i++
	}
	return axis{sub: sub, last: max(i, 1)}
}

// find returns the index of the last point at or below x and how far x is on the way to the next one, 0 to 1. Beyond
// the last point it stays on the last segment with a fraction above 1, so that a reader extrapolates linearly.
func (a axis) find(x int64) (int, float64) {
	if x < 0 {
		x = 0
	}
	shift := max(bits.Len64(uint64(x))-1-int(a.sub), 0)
	i := shift<<a.sub + int(x>>shift)
	if i < a.last {
		return i, float64(x&(1<<shift-1)) / float64(int64(1)<<shift)
	}
	from := a.at(a.last - 1)
	return a.last - 1, float64(x-from) / float64(a.at(a.last)-from)
}

// at returns the count at point i; the inverse of find.
func (a axis) at(i int) int64 {
	shift := max(i>>a.sub-1, 0)
	return int64(i-shift<<a.sub) << shift
}

// curve is a function of one count, in nanoseconds: points on an axis and straight lines between them.
type curve struct {
	axis axis
	ns   []float64
}

// newCurve samples f at the points of an axis up to top. Measured times wobble; the curve takes the running maximum,
// so that more work never takes less time.
func newCurve(top int64, sub uint, f func(x int64) float64) curve {
	c := curve{axis: newAxis(top, sub)}
	c.ns = make([]float64, c.axis.last+1)
	for i := range c.ns {
		c.ns[i] = f(c.axis.at(i))
		if i > 0 {
			c.ns[i] = max(c.ns[i], c.ns[i-1])
		}
	}
	return c
}

// at returns the curve's value at x.
func (c *curve) at(x int64) float64 {
	i, frac := c.axis.find(x)
	return lerp(c.ns[i], c.ns[i+1], frac)
}

// surface is a function of two counts, in nanoseconds, bilinear between its points.
type surface struct {
	rows, cols axis
	width      int
	ns         []float64 // row by row
}

// newSurface samples f, which also says whether a cell can occur, and makes the result rise along both axes.
//
// Along columns that is the running maximum, as in newCurve. Along rows the measured times fall in earnest, not by
// noise: eight short sequences decode faster than one with all their tokens. Were the maximum taken, the rarest
// batches would set the price of the common ones, so the offending cells are pooled into their mean instead
// (isotonic regression): a few percent off either way, and still no batch gets cheaper by growing.
func newSurface(topRow, topCol int64, sub uint, f func(row, col int64) (ns float64, occurs bool)) surface {
	s := surface{rows: newAxis(topRow, sub), cols: newAxis(topCol, sub)}
	s.width = s.cols.last + 1
	s.ns = make([]float64, (s.rows.last+1)*s.width)
	occurs := make([]bool, len(s.ns))
	for r := range s.rows.last + 1 {
		for c := range s.width {
			s.ns[r*s.width+c], occurs[r*s.width+c] = f(s.rows.at(r), s.cols.at(c))
		}
	}
	s.riseAlongCols()
	for c := range s.width {
		s.pool(c, occurs)
	}
	s.riseAlongCols()
	return s
}

// riseAlongCols takes the running maximum of each row.
func (s *surface) riseAlongCols() {
	for i := range s.ns {
		if i%s.width > 0 {
			s.ns[i] = max(s.ns[i], s.ns[i-1])
		}
	}
}

// pool makes column c rise with the rows by the pool-adjacent-violators rule, over the cells that occur. The cells
// before the first of those take its value.
func (s *surface) pool(c int, occurs []bool) {
	type block struct {
		sum float64
		n   int
	}
	var blocks []block
	first := 0
	for i := c; i < len(s.ns); i += s.width {
		if !occurs[i] && len(blocks) == 0 {
			first += s.width
			continue
		}
		blocks = append(blocks, block{s.ns[i], 1})
		for n := len(blocks); n > 1; n = len(blocks) {
			a, b := blocks[n-2], blocks[n-1]
			if a.sum/float64(a.n) <= b.sum/float64(b.n) {
				break
			}
			blocks = append(blocks[:n-2], block{a.sum + b.sum, a.n + b.n})
		}
	}
	i := c + first
	for j := c; j < i && i < len(s.ns); j += s.width {
		s.ns[j] = blocks[0].sum / float64(blocks[0].n)
	}
	for _, b := range blocks {
		for range b.n {
			s.ns[i] = b.sum / float64(b.n)
			i += s.width
		}
	}
}

// at returns the surface's value at (row, col).
func (s *surface) at(row, col int64) float64 {
	r, rowFrac := s.rows.find(row)
	c, colFrac := s.cols.find(col)
	i := r*s.width + c
	return lerp(lerp(s.ns[i], s.ns[i+1], colFrac), lerp(s.ns[i+s.width], s.ns[i+s.width+1], colFrac), rowFrac)
}

// lerp goes from a to b. The conversion keeps the compiler from fusing the product and the sum into one instruction,
// which would give other bits on other processors.
func lerp(a, b, frac float64) float64 { return a + float64((b-a)*frac) }
