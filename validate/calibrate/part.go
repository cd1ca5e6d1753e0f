package calibrate

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"pdsim/scenarios"
	"pdsim/validate/cases"
)

// Holdouts are the ways to part figures into those that are fitted to and those that are held out.
func Holdouts() []string { return []string{"none", "case", "load", "length", "odd", "marked"} }

// part is what a figure is for.
type part int

const (
	unused  part = iota
	fitted       // parameters are fitted to it
	heldOut      // it judges the fit
)

// parting says which point is for what.
type parting struct {
	holdout string
	held    map[*cases.Point]bool
}

// divide parts the points of cases. Of several cases, loads or lengths every second is held out, in their order; of points
// every second. With "case=NAME" those are held out whose names match.
func divide(holdout string, list []*cases.Case, specs map[*cases.Point]*scenarios.Spec) (*parting, error) {
	d := &parting{holdout: holdout, held: map[*cases.Point]bool{}}
	if pattern, ok := strings.CutPrefix(holdout, "case="); ok {
		return d, d.byName(pattern, list)
	}
	switch holdout {
	case "", "none", "marked":
	case "case":
		if len(list) < 2 {
			return nil, fmt.Errorf("want two cases or more to hold one out, have %d", len(list))
		}
		for i, c := range list {
			d.hold(c, i%2 == 1)
		}
	case "odd":
		n := 0
		for _, c := range list {
			for i := range c.Points {
				n++
				d.held[&c.Points[i]] = n%2 == 0
			}
		}
		if n < 2 {
			return nil, fmt.Errorf("want two points or more to hold one out, have %d", n)
		}
	case "load":
		return d, d.by(list, specs, "loads", loadOf)
	case "length":
		return d, d.by(list, specs, "lengths", lengthOf)
	default:
		return nil, fmt.Errorf("want %s or case=NAME, have %q", strings.Join(Holdouts(), ", "), holdout)
	}
	return d, nil
}

func (d *parting) hold(c *cases.Case, held bool) {
	for i := range c.Points {
		d.held[&c.Points[i]] = held
	}
}

// byName holds out the cases whose names match.
func (d *parting) byName(pattern string, list []*cases.Case) error {
	held := 0
	for _, c := range list {
		ok, err := path.Match(pattern, c.Name)
		if err != nil {
			return fmt.Errorf("%s: %w", pattern, err)
		}
		if d.hold(c, ok); ok {
			held++
		}
	}
	if held == 0 || held == len(list) {
		return fmt.Errorf("want some cases that match %s and some that do not, have %d of %d", pattern, held, len(list))
	}
	return nil
}

// loadOf is the load of a run: its rate, and how many requests may be open.
func loadOf(sp *scenarios.Spec) [2]float64 {
	return [2]float64{float64(sp.Workload.QPS), float64(sp.Workload.MaxConcurrency)}
}

// lengthOf is the length of a run's prompts, in tokens.
func lengthOf(sp *scenarios.Spec) [2]float64 {
	return [2]float64{float64(sp.Workload.InputTokens + sp.Workload.PrefixTokens)}
}

// by holds out every second of the values that runs have of something.
func (d *parting) by(list []*cases.Case, specs map[*cases.Point]*scenarios.Spec, what string, of func(*scenarios.Spec) [2]float64) error {
	var values [][2]float64
	for _, sp := range specs {
		values = append(values, of(sp))
	}
	slices.SortFunc(values, func(a, b [2]float64) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	values = slices.Compact(values)
	if len(values) < 2 {
		return fmt.Errorf("want two %s or more to hold one out, have one", what)
	}
	for _, c := range list {
		for i := range c.Points {
			p := &c.Points[i]
			d.held[p] = slices.Index(values, of(specs[p]))%2 == 1
		}
	}
	return nil
}

// of says what a figure of a point is for. What the catalogue was fitted to may be fitted to again but judges nothing.
func (d *parting) of(p *cases.Point, metric string) part {
	marked := p.IsFitted(metric)
	held := d.held[p]
	if d.holdout == "marked" {
		held = !marked
	}
	switch {
	case !held:
		return fitted
	case marked:
		return unused
	}
	return heldOut
}
