package stats

import (
	"math"
	"testing"
)

func near(t *testing.T, what string, have, want float64) {
	t.Helper()
	if math.IsNaN(have) != math.IsNaN(want) || math.Abs(have-want) > 1e-9 {
		t.Errorf("%s: have %v, want %v", what, have, want)
	}
}

func TestPercentileIsNumpys(t *testing.T) {
	v := []float64{10, 9, 8, 7, 6, 5, 4, 3, 2, 1}
	near(t, "90th", Percentile(v, 90), 9.1) // np.percentile(range(1, 11), 90)
	near(t, "median", Percentile(v, 50), 5.5)
	near(t, "least", Percentile(v, 0), 1)
	near(t, "most", Percentile(v, 100), 10)
	near(t, "of none", Percentile(nil, 50), math.NaN())
}

func TestSum(t *testing.T) {
	e := Sum([]Pair{{100, 110}, {200, 180}, {50, 80}, {0, 3}})
	if e.Points != 3 {
		t.Errorf("points %d", e.Points)
	}
	near(t, "median", e.Median, 10)
	near(t, "P90", e.P90, 50)
	near(t, "worst", e.Worst, 60)
	near(t, "bias", e.Bias, 10)
	near(t, "rank", e.Rank, 1)
	none := Sum(nil)
	near(t, "median of none", none.Median, math.NaN())
	near(t, "rank reversed", Rank([]float64{1, 2, 3}, []float64{3, 2, 1}), -1)
}

func TestSpread(t *testing.T) {
	near(t, "of 1, 2, 3", Spread([]float64{1, 2, 3}), 1)
	near(t, "of one", Spread([]float64{1}), math.NaN())
}

func TestCompare(t *testing.T) {
	d, ok := Compare([]float64{4, 3, 2, 1}, []float64{1, 2, 3, 4, 11, 12, 13, 14})
	if !ok || len(d.Quantiles) != 4 || d.Measured != 4 || d.Simulated != 8 {
		t.Fatalf("%+v", d)
	}
	near(t, "distance", d.KS, 0.5)
	near(t, "median error", d.Quantiles[1].Error(), 100*(7.5-2.5)/2.5)
	if _, ok := Compare(nil, []float64{1}); ok {
		t.Error("compared with nothing")
	}
}

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name   string
		choice Choice
		judged bool
		right  bool
	}{
		{"clear and right", Choice{First: Pair{100, 90}, Second: Pair{200, 100}}, true, true},
		{"clear and wrong", Choice{First: Pair{100, 90}, Second: Pair{200, 80}}, true, false},
		{"within three percent", Choice{First: Pair{100, 90}, Second: Pair{102, 80}}, false, false},
		{"within its spread", Choice{First: Pair{100, 90}, Second: Pair{120, 100}, FirstSpread: 10, SecondSpread: math.NaN()}, false, false},
		{"beyond its spread", Choice{First: Pair{100, 90}, Second: Pair{121, 100}, FirstSpread: 10}, true, true},
	} {
		if v := c.choice.Judge(); v.Judged != c.judged || v.Right != c.right {
			t.Errorf("%s: %+v", c.name, v)
		}
	}
}
