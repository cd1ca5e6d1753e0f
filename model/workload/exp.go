package workload

import "math"

// exp returns e to the power x with an error of a few units in the last place. math.Exp has assembly on some machines and
// differs there in the last bit, which would be enough to move an arrival by a nanosecond; this one is the same on all.
func exp(x float64) float64 {
	const (
		ln2High = 6.93147180369123816490e-01 // the leading bits of ln 2, so that multiples up to 2^11 are exact
		ln2Low  = 1.90821492927058770002e-10
	)
	switch {
	case math.IsNaN(x) || x > 709.78:
		return math.Inf(1)
	case x < -745.13:
		return 0
	}
	k := math.Floor(float64(x*(1/math.Ln2)) + 0.5)
	r := float64(x-float64(k*ln2High)) - float64(k*ln2Low)
	// Taylor's series from the smallest term; |r| is at most ln(2)/2, and 0.35^14/14! is below 1e-17.
	sum := 1.0
	for n := 14.0; n >= 1; n-- {
		sum = 1 + float64(r*sum)/n
	}
	return math.Ldexp(sum, int(k))
}
