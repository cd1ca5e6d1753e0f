package workload

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// drawn returns n lengths.
func drawn(l Length, seed uint64, n int) []int {
	from := newDraws(seed, "test")
	list := make([]int, n)
	for i := range list {
		list[i] = l.draw(from)
	}
	return list
}

func TestRangeReachesItsBounds(t *testing.T) {
	tests := []struct {
		length    Range
		low, high int
	}{
		{Range{10, 0}, 10, 10},
		{Range{10, 0.25}, 7, 13}, // 7.5 down, 12.5 up
		{Range{1, 0.9}, 1, 2},    // never below one token
	}
	for _, test := range tests {
		low, high := math.MaxInt, 0
		for _, n := range drawn(test.length, 1, 1000) {
			low, high = min(low, n), max(high, n)
		}
		if low != test.low || high != test.high {
			t.Errorf("%+v: %d to %d, want %d to %d", test.length, low, high, test.low, test.high)
		}
	}
}

// The mean of 200,000 lengths is within five standard errors of the one asked for.
func TestLogNormalMean(t *testing.T) {
	for _, l := range []LogNormal{{Mean: 1000, Sigma: 0.5}, {Mean: 300, Sigma: 1}, {Mean: 50, Sigma: 0}} {
		const n = 200_000
		sum := 0
		for _, x := range drawn(l, 3, n) {
			sum += x
		}
		deviation := l.Mean * math.Sqrt(math.Exp(l.Sigma*l.Sigma)-1)
		if got := float64(sum) / n; math.Abs(got-l.Mean) > 5*deviation/math.Sqrt(n)+0.01 {
			t.Errorf("%+v: mean %v", l, got)
		}
	}
}

func TestLengthsStayInRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		longest := rapid.IntRange(1, 5000).Draw(t, "max")
		seed := rapid.Uint64().Draw(t, "seed")
		l := LogNormal{
			Mean:  rapid.Float64Range(1, maxTokens).Draw(t, "mean"),
			Sigma: rapid.Float64Range(0, 10).Draw(t, "sigma"),
			Max:   longest,
		}
		if err := l.check(); err != nil {
			t.Fatal(err)
		}
		for _, n := range drawn(l, seed, 20) {
			if n < 1 || n > longest {
				t.Fatalf("%+v draws %d", l, n)
			}
		}
		l.Max = 0
		for _, n := range drawn(l, seed, 20) {
			if n < 1 || n > maxTokens {
				t.Fatalf("%+v draws %d", l, n)
			}
		}
	})
}
