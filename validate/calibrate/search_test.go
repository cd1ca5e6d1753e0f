package calibrate

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
)

// linear makes a problem whose residuals are 0 at the truth, with the given slopes and some scatter.
func linear(truth []float64, slopes [][]float64, scatter float64) *problem {
	p := &problem{}
	for range truth {
		p.start = append(p.start, 0.5)
	}
	for j := range slopes[0] {
		p.point = append(p.point, j)
	}
	p.residuals = func(places []float64) ([]float64, error) {
		rs := make([]float64, len(slopes[0]))
		for j := range rs {
			rs[j] = scatter * math.Sin(float64(7*j+1))
			for i := range places {
				rs[j] += slopes[i][j] * (places[i] - truth[i])
			}
		}
		return rs, nil
	}
	return p
}

func solve(t *testing.T, p *problem) (*solution, [][]float64, certainty) {
	t.Helper()
	s, err := p.search(400)
	if err != nil {
		t.Fatal(err)
	}
	slopes, err := p.slopes(s)
	if err != nil {
		t.Fatal(err)
	}
	return s, slopes, determined(s, slopes)
}

// TestSearchFindsTheTruth holds that known values come back, also where they are not linear, and that resampling
// scatters around them.
func TestSearchFindsTheTruth(t *testing.T) {
	truth := []float64{0.3, 0.8}
	p := linear(truth, [][]float64{{1, 0.2, 0.7, 0.1, 0.9, 0.4}, {0.1, 0.9, 0.5, 1, 0.2, 0.6}}, 0)
	straight := p.residuals
	p.residuals = func(places []float64) ([]float64, error) {
		rs, err := straight(places)
		for j := range rs {
			rs[j] = math.Sinh(2 * rs[j])
		}
		return rs, err
	}
	s, _, c := solve(t, p)
	for i := range truth {
		if math.Abs(s.places[i]-truth[i]) > 0.002 || c.left[i] > 0.1 {
			t.Errorf("parameter %d: %v with %v of the range left, want %v", i, s.places[i], c.left[i], truth[i])
		}
	}
	if s.limited || len(c.flat) > 0 {
		t.Errorf("%+v, flat %v", s, c.flat)
	}
	p = linear(truth, [][]float64{{1, 0.2, 0.7, 0.1, 0.9, 0.4}, {0.1, 0.9, 0.5, 1, 0.2, 0.6}}, 0.02)
	s, slopes, _ := solve(t, p)
	all := p.resample(s, slopes, 200, 1)
	if again := p.resample(s, slopes, 200, 1); !reflect.DeepEqual(all, again) {
		t.Error("the same seed gives other resamples")
	}
	low, high := 1.0, 0.0
	for _, places := range all {
		low, high = min(low, places[0]), max(high, places[0])
	}
	if !(low < truth[0] && truth[0] < high && high-low < 0.4) {
		t.Errorf("resamples from %v to %v, want them around %v", low, high, truth[0])
	}
}

// TestWhatDataDoesNotDetermine holds that a parameter without influence stays where it was, and that two which do the same
// are reported as one direction.
func TestWhatDataDoesNotDetermine(t *testing.T) {
	s, _, c := solve(t, linear([]float64{0.3, 0.9}, [][]float64{{1, 2, 1.5, 0.5}, {0, 0, 0, 0}}, 0.01))
	if math.Abs(s.places[0]-0.3) > 0.02 || math.Abs(s.places[1]-0.5) > 0.05 {
		t.Errorf("places %v, want 0.3 and what it began with", s.places)
	}
	if c.left[0] > 0.2 || c.left[1] < 0.99 || len(c.flat) != 1 || math.Abs(c.flat[0][1]) < 0.99 {
		t.Errorf("%+v", c)
	}
	_, _, c = solve(t, linear([]float64{0.4, 0.6}, [][]float64{{1, 2, 1.5, 0.5}, {1, 2, 1.5, 0.5}}, 0.01))
	if len(c.flat) != 1 || math.Abs(c.flat[0][0]+c.flat[0][1]) > 1e-6 || c.left[0] < vague || c.left[1] < vague {
		t.Errorf("two that do the same: %+v", c)
	}
}

// TestSearchStaysInRange holds that a truth beyond the range leads to its end, and that an outlier does not carry the rest
// along.
func TestSearchStaysInRange(t *testing.T) {
	s, _, _ := solve(t, linear([]float64{1.4}, [][]float64{{1, 1, 1}}, 0))
	if s.places[0] < 1-1e-9 {
		t.Errorf("place %v, want the end of the range", s.places[0])
	}
	p := linear([]float64{0.4}, [][]float64{{1, 1, 1, 1, 1, 1, 1}}, 0)
	straight := p.residuals
	p.residuals = func(places []float64) ([]float64, error) {
		rs, err := straight(places)
		rs[3] += 5
		return rs, err
	}
	if s, _, _ := solve(t, p); math.Abs(s.places[0]-0.4) > 0.05 {
		t.Errorf("place %v with one figure far off, want about 0.4", s.places[0])
	}
}

// TestImpossibleDeployments holds that a search goes on where none can be made, and gives up where it begins so.
func TestImpossibleDeployments(t *testing.T) {
	p := linear([]float64{0.6}, [][]float64{{1, 2}}, 0)
	straight := p.residuals
	p.residuals = func(places []float64) ([]float64, error) {
		if places[0] > 0.62 {
			return nil, errors.New("below the peak")
		}
		return straight(places)
	}
	if s, _, _ := solve(t, p); math.Abs(s.places[0]-0.6) > 0.01 {
		t.Errorf("place %v, want 0.6", s.places[0])
	}
	p.start[0] = 0.9
	if _, err := p.search(100); err == nil || err.Error() != "below the peak" {
		t.Errorf("have %v", err)
	}
}

// TestFlatDirections holds how directions are told.
func TestFlatDirections(t *testing.T) {
	plan := &Plan{parameters: []*Parameter{{Path: "a"}, {Path: "b"}, {Path: "c"}}}
	for _, c := range []struct {
		directions [][]float64
		want       string
	}{
		{nil, ""},
		{[][]float64{{0.05, -0.99, 0}}, "b+;"},
		{[][]float64{{-0.6, 0.8, 0}}, "b+ a-;"},
		{[][]float64{{0.7, -0.7, 0}, {0.7, 0.7, 0}}, "a+; b+;"},
		{[][]float64{{0.7, -0.7, 0}, {0, 0, 1}}, "a+ b-; c+;"},
	} {
		var words []string
		for _, f := range plan.flats(c.directions) {
			for i, w := range f.Weights {
				sign := "+"
				if w.Weight < 0 {
					sign = "-"
				}
				if i == len(f.Weights)-1 {
					sign += ";"
				}
				words = append(words, w.Path+sign)
			}
		}
		if have := strings.Join(words, " "); have != c.want {
			t.Errorf("%v: have %q, want %q", c.directions, have, c.want)
		}
	}
}
