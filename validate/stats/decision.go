package stats

import "math"

// Choice is a comparison of two variants by a figure of which less is better, with the spread of each measurement.
type Choice struct {
	First, Second             Pair
	FirstSpread, SecondSpread float64 // standard deviations; NaN or 0 where there were no repetitions
}

// Verdict says which variant wins and by what factor.
type Verdict struct {
	// Judged is false when the measured difference is within its noise, so that there is nothing to be right about.
	Judged bool
	Right  bool // measurement and simulation prefer the same variant

	Measured  float64 // second over first
	Simulated float64
}

// smallest is the difference below which two variants are called equal where no repetitions say how far measurements
// scatter, as a fraction.
const smallest = 0.03

// Judge compares the decisions that measurement and simulation lead to. A measured difference counts when it exceeds
// twice the standard deviation of a difference, or three percent where that is not known.
func (c Choice) Judge() Verdict {
	v := Verdict{Measured: ratio(c.Second.Measured, c.First.Measured), Simulated: ratio(c.Second.Simulated, c.First.Simulated)}
	noise := 2 * math.Hypot(zeroIfNaN(c.FirstSpread), zeroIfNaN(c.SecondSpread))
	noise = max(noise, smallest*math.Abs(c.First.Measured))
	difference := c.Second.Measured - c.First.Measured
	v.Judged = math.Abs(difference) > noise
	v.Right = v.Judged && (difference > 0) == (c.Second.Simulated > c.First.Simulated)
	return v
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return a / b
}

func zeroIfNaN(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return x
}
