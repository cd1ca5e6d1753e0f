package stats

import (
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Distribution compares two samples of one quantity, which need not be equally large.
type Distribution struct {
	Measured, Simulated int        // sizes of the samples
	KS                  float64    // Kolmogorov-Smirnov distance: the largest gap between the cumulative distributions, 0 to 1
	Quantiles           []Quantile // those of Compare
}

// Quantile is one quantile of both samples.
type Quantile struct {
	Percent float64 // such as 99
	Pair
}

// Compare compares two samples at their 10th, 50th, 90th and 99th percentiles. It returns false when one is empty.
func Compare(measured, simulated []float64) (Distribution, bool) {
	if len(measured) == 0 || len(simulated) == 0 {
		return Distribution{}, false
	}
	m, s := slices.Sorted(slices.Values(measured)), slices.Sorted(slices.Values(simulated))
	d := Distribution{Measured: len(m), Simulated: len(s), KS: stat.KolmogorovSmirnov(m, nil, s, nil)}
	for _, p := range []float64{10, 50, 90, 99} {
		d.Quantiles = append(d.Quantiles, Quantile{p, Pair{Percentile(m, p), Percentile(s, p)}})
	}
	return d, true
}
