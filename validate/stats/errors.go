package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Pair is a figure as it was measured and as it was simulated, in the same unit.
type Pair struct {
	Measured, Simulated float64
}

// Error is the signed error in percent of what was measured, NaN when that is 0.
func (p Pair) Error() float64 {
	if p.Measured == 0 {
		return math.NaN()
	}
	return 100 * (p.Simulated - p.Measured) / math.Abs(p.Measured)
}

// Errors sums up the errors of several pairs, all but Rank in percent. Of no pairs all are NaN.
type Errors struct {
	Points int     // pairs with an error
	Median float64 // of the absolute errors
	P90    float64 // 90th percentile of the absolute errors
	Worst  float64 // largest absolute error
	Bias   float64 // median of the signed errors
	Rank   float64 // Kendall's tau between measured and simulated; NaN for fewer than two pairs
}

// Sum sums up the errors of pairs. Pairs without an error are left out.
func Sum(pairs []Pair) Errors {
	var signed, abs, measured, simulated []float64
	for _, p := range pairs {
		e := p.Error()
		if math.IsNaN(e) || math.IsInf(e, 0) {
			continue
		}
		signed = append(signed, e)
		abs = append(abs, math.Abs(e))
		measured, simulated = append(measured, p.Measured), append(simulated, p.Simulated)
	}
	return Errors{
		Points: len(abs), Median: Percentile(abs, 50), P90: Percentile(abs, 90), Worst: Percentile(abs, 100),
		Bias: Percentile(signed, 50), Rank: Rank(measured, simulated),
	}
}

// Rank is Kendall's rank correlation: 1 when both order the points alike, -1 when one reverses the other. It is NaN for
// fewer than two points.
func Rank(measured, simulated []float64) float64 {
	if len(measured) < 2 {
		return math.NaN()
	}
	return stat.Kendall(measured, simulated, nil)
}

// Percentile is the p-th percentile of values in any order, p from 0 to 100, as numpy defines it. It is NaN for no
// values.
func Percentile(values []float64, p float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	rank := p / 100 * float64(len(sorted)-1)
	low := int(math.Floor(rank))
	high := min(low+1, len(sorted)-1)
	return sorted[low] + float64((sorted[high]-sorted[low])*(rank-float64(low)))
}

// Mean is the mean, NaN of no values. It is summed in order, so that it is the same on every machine.
func Mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// Spread is the standard deviation of a sample, dividing by n-1: how far repetitions of one measurement lie apart. It is
// NaN for fewer than two values, and 0 where they differ by no more than rounding does.
func Spread(values []float64) float64 {
	if len(values) < 2 {
		return math.NaN()
	}
	mean, sum := Mean(values), 0.0
	for _, v := range values {
		sum += float64((v - mean) * (v - mean))
	}
	spread := math.Sqrt(sum / float64(len(values)-1))
	if spread < 1e-12*math.Abs(mean) {
		return 0
	}
	return spread
}
