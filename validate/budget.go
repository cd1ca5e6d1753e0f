package validate

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/BurntSushi/toml"
)

// Allowance is how far off a figure of a family may be, in percent, and since when and why.
type Allowance struct {
	Median float64 `toml:"median"` // of the absolute errors
	P90    float64 `toml:"p90"`    // their 90th percentile
	Set    string  `toml:"set"`    // day, such as "2026-12-01"
	Why    string  `toml:"why"`
}

// Budget is what errors may grow to before somebody must look: by family and figure, for points that nothing was fitted
// to.
type Budget struct {
	Wrong    int                             `toml:"wrong"` // decisions
	Families map[string]map[string]Allowance `toml:"family"`
}

// ReadBudget reads a budget from TOML. Messages call it name.
func ReadBudget(name string, text []byte) (*Budget, error) {
	b := &Budget{}
	md, err := toml.Decode(string(text), b)
	var at toml.ParseError
	switch {
	case errors.As(err, &at):
		return nil, fmt.Errorf("%s:%d:%d: %s", name, at.Position.Line, at.Position.Col, at.Message)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if unknown := md.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("%s: unknown key %q", name, unknown[0].String())
	}
	for family, figures := range b.Families {
		for metric, a := range figures {
			if !(a.Median >= 0 && a.P90 >= a.Median) || a.Set == "" || a.Why == "" {
				return nil, fmt.Errorf("%s: %s, %s: want a median, a p90 no smaller, when it was set and why", name, family, metric)
			}
		}
	}
	return b, nil
}

// Check says what of a report exceeds the budget, what has no place in it, and what it has that the report lacks.
func (b *Budget) Check(r *Report) []string {
	var wrong []string
	left := map[string]bool{}
	for family, figures := range b.Families {
		for metric := range figures {
			left[family+", "+metric] = true
		}
	}
	for i := range r.Families {
		f := &r.Families[i]
		if f.Points == 0 {
			continue
		}
		key := f.Name + ", " + f.Metric
		a, ok := b.Families[f.Name][f.Metric]
		delete(left, key)
		switch {
		case !ok:
			wrong = append(wrong, key+": want a budget, have none")
		case !(float64(f.MedianAPE) <= a.Median):
			wrong = append(wrong, fmt.Sprintf("%s: want a median error of at most %g %%, have %.2f", key, a.Median, float64(f.MedianAPE)))
		case !(float64(f.P90APE) <= a.P90):
			wrong = append(wrong, fmt.Sprintf("%s: want a 90th percentile of errors of at most %g %%, have %.2f", key, a.P90, float64(f.P90APE)))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(left)) {
		wrong = append(wrong, key+": has a budget and no figures")
	}
	if n := r.Decisions.Total - r.Decisions.Right; n > b.Wrong {
		wrong = append(wrong, fmt.Sprintf("want at most %d wrong decisions of %d, have %d", b.Wrong, r.Decisions.Total, n))
	}
	return wrong
}

// Fit changes the budget to what a report needs, rounded up slightly. An allowance that still holds and is not more than
// half too large stays as it is, with its day and reason.
func (b *Budget) Fit(r *Report, day, why string) {
	old := b.Families
	b.Wrong = r.Decisions.Total - r.Decisions.Right
	b.Families = map[string]map[string]Allowance{}
	for i := range r.Families {
		f := &r.Families[i]
		if f.Points == 0 {
			continue
		}
		median, p90 := float64(f.MedianAPE), float64(f.P90APE)
		a, ok := old[f.Name][f.Metric]
		if holds := median <= a.Median && p90 <= a.P90; !ok || !holds || a.Median > 1.5*roundUp(median) || a.P90 > 1.5*roundUp(p90) {
			a = Allowance{Median: roundUp(median), P90: roundUp(p90), Set: day, Why: why}
		}
		if b.Families[f.Name] == nil {
			b.Families[f.Name] = map[string]Allowance{}
		}
		b.Families[f.Name][f.Metric] = a
	}
}

// roundUp is a twentieth more, and half a percent at least, in steps of half a percent.
func roundUp(percent float64) float64 { return math.Ceil(2*max(1.05*percent, percent+0.2)) / 2 }

// Text is the budget as TOML, in order.
func (b *Budget) Text(head string) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%swrong = %d # decisions\n", head, b.Wrong)
	for _, family := range slices.Sorted(maps.Keys(b.Families)) {
		fmt.Fprintf(&out, "\n[family.%q]\n", family)
		for _, metric := range slices.Sorted(maps.Keys(b.Families[family])) {
			a := b.Families[family][metric]
			fmt.Fprintf(&out, "%q = { median = %s, p90 = %s, set = %q, why = %q }\n", metric, decimal(a.Median), decimal(a.P90), a.Set, a.Why)
		}
	}
	return out.Bytes()
}

// decimal is a number as TOML has those that need not be whole.
func decimal(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }
