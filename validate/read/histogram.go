package read

import (
	"maps"
	"math"
	"slices"
)

// Histogram returns the histogram of what ScrapeNames calls so, all engines and models together, or false without one.
func (s *Scrape) Histogram(what string) (Histogram, bool) {
	for _, name := range ScrapeNames[what] {
		var sum Histogram
		for i := range s.Histograms {
			if h := &s.Histograms[i]; h.Name == name {
				sum = sum.plus(h, 1)
			}
		}
		if sum.Name != "" {
			return sum, true
		}
	}
	return Histogram{}, false
}

// Value returns the sum of a counter that ScrapeNames calls so, or false without one.
func (s *Scrape) Value(what string) (float64, bool) {
	for _, name := range ScrapeNames[what] {
		sum, found := 0.0, false
		for i := range s.Values {
			if s.Values[i].Name == name {
				sum, found = sum+s.Values[i].Value, true
			}
		}
		if found {
			return sum, true
		}
	}
	return 0, false
}

// Minus returns what came to the histograms and counters since an earlier scrape of the same server. A histogram or
// counter that has become smaller was reset by a restart; it is returned as it is.
func (s *Scrape) Minus(earlier *Scrape) *Scrape {
	out := &Scrape{}
	for _, h := range s.Histograms {
		for i := range earlier.Histograms {
			o := &earlier.Histograms[i]
			if o.Name == h.Name && maps.Equal(o.Labels, h.Labels) && o.Count <= h.Count {
				h = h.plus(o, -1)
			}
		}
		out.Histograms = append(out.Histograms, h)
	}
	for _, v := range s.Values {
		for _, o := range earlier.Values {
			if o.Name == v.Name && maps.Equal(o.Labels, v.Labels) && o.Value <= v.Value {
				v.Value -= o.Value
			}
		}
		out.Values = append(out.Values, v)
	}
	return out
}

// plus adds or, with sign -1, takes away another histogram of the same buckets.
func (h Histogram) plus(o *Histogram, sign float64) Histogram {
	out := Histogram{Name: o.Name, Labels: h.Labels, Count: h.Count + sign*o.Count, Sum: h.Sum + sign*o.Sum, Buckets: slices.Clone(h.Buckets)}
	for _, b := range o.Buckets {
		i := slices.IndexFunc(out.Buckets, func(have Bucket) bool { return have.Bound >= b.Bound })
		switch {
		case i < 0:
			out.Buckets = append(out.Buckets, Bucket{b.Bound, sign * b.Count})
		case out.Buckets[i].Bound == b.Bound:
			out.Buckets[i].Count += sign * b.Count
		default:
			out.Buckets = slices.Insert(out.Buckets, i, Bucket{b.Bound, sign * b.Count})
		}
	}
	return out
}

// Mean is the mean in the histogram's unit, or false when it is empty.
func (h *Histogram) Mean() (float64, bool) {
	if h.Count <= 0 {
		return 0, false
	}
	return h.Sum / h.Count, true
}

// Quantile is the q-quantile, q from 0 to 1, as Prometheus estimates it: on the straight line within its bucket. It
// returns false when the histogram is empty or the quantile is beyond the last bound.
func (h *Histogram) Quantile(q float64) (float64, bool) {
	rank := q * h.Count
	low, below := 0.0, 0.0
	for _, b := range h.Buckets {
		if b.Count >= rank && b.Count > below {
			if math.IsInf(b.Bound, 1) || h.Count <= 0 {
				return 0, false
			}
			return low + (b.Bound-low)*(rank-below)/(b.Count-below), true
		}
		low, below = b.Bound, b.Count
	}
	return 0, false
}
