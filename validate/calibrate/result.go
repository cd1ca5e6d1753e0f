package calibrate

import (
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"slices"

	"pdsim/validate"
	"pdsim/validate/stats"
)

// Result is what came of a calibration. Errors are in percent of what was measured.
type Result struct {
	Version     int       `json:"version"` // of this form: 1
	Seed        uint64    `json:"seed"`
	Holdout     string    `json:"holdout"`
	Evaluations int       `json:"evaluations"` // times that the fitted part was played
	Limited     bool      `json:"limited"`     // the search was still getting better when they were used up
	Values      []Value   `json:"parameters"`
	Flat        []Flat    `json:"not_determined"`
	Fitted      []Errors  `json:"fitted"`   // of the figures that were fitted to: they judge nothing
	HeldOut     []Errors  `json:"held_out"` // of the figures that judge the fit
	To          []PointID `json:"fitted_to"`
}

// Value is one parameter.
type Value struct {
	Path       string          `json:"path"`
	Entries    []string        `json:"entries"` // of the catalogue
	Start      string          `json:"start"`   // what it was
	Low        string          `json:"low"`     // range
	High       string          `json:"high"`
	Fitted     string          `json:"value"`
	From       string          `json:"from"` // interval that nine of ten resamples lie in; empty of fewer than three points
	Until      string          `json:"to"`
	Elasticity validate.Number `json:"elasticity"` // percent that the fitted figures move for a percent of it, root mean square
	Left       validate.Number `json:"left"`       // of the spread of its range, what the data leaves: 0 to 1
	Determined bool            `json:"determined"` // no more than half of it; others keep their old value
	AtEnd      bool            `json:"at_end"`     // it lies at an end of its range

	parameter *Parameter
}

// Flat is a direction in which parameters can move together, each by its weight in the logarithm of its range, with
// hardly any change of the fitted figures.
type Flat struct {
	Weights []Weight `json:"weights"`
}

// Weight is one parameter's part in a direction, -1 to 1.
type Weight struct {
	Path   string          `json:"path"`
	Weight validate.Number `json:"weight"`
}

// Errors are the errors of one figure in one part of the data.
type Errors struct {
	Family string          `json:"family"`
	Metric string          `json:"metric"`
	Points int             `json:"points"`
	Before validate.Number `json:"median_ape_before"` // with the values as they were
	Median validate.Number `json:"median_ape"`
	P90    validate.Number `json:"p90_ape"`
	Bias   validate.Number `json:"bias"`
}

// PointID names a point of a case.
type PointID struct {
	Case  string `json:"case"`
	Point string `json:"point"`
}

// WriteJSON writes the result.
func (r *Result) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	enc.SetEscapeHTML(false)
	return enc.Encode(r)
}

// errorsOf sums up figures by family and name, as they were before and as they are.
func errorsOf(before, after []figure) []Errors {
	type key struct{ family, metric string }
	pairs := map[key][2][]stats.Pair{}
	for k, figures := range [2][]figure{before, after} {
		for _, f := range figures {
			at := key{f.family, f.metric}
			both := pairs[at]
			both[k] = append(both[k], stats.Pair{Measured: f.measured, Simulated: f.simulated})
			pairs[at] = both
		}
	}
	order := slices.SortedFunc(maps.Keys(pairs), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.family, b.family), cmp.Compare(a.metric, b.metric))
	})
	out := []Errors{}
	for _, k := range order {
		was, is := stats.Sum(pairs[k][0]), stats.Sum(pairs[k][1])
		out = append(out, Errors{
			Family: k.family, Metric: k.metric, Points: is.Points, Before: validate.Number(was.Median), Median: validate.Number(is.Median),
			P90: validate.Number(is.P90), Bias: validate.Number(is.Bias),
		})
	}
	return out
}
