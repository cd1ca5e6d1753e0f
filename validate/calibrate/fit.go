package calibrate

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"pdsim/validate"
	"pdsim/validate/cases"
	"pdsim/validate/stats"
)

// fewest is the number of points below which resampling them says nothing.
const fewest = 3

// Fit makes the calibration.
func (plan *Plan) Fit() (*Result, error) {
	before, err := plan.play(fitted, nil)
	if err != nil {
		return nil, err
	}
	if len(before) <= len(plan.parameters) {
		return nil, fmt.Errorf("want more figures to fit to than parameters, have %d figures and %d parameters", len(before), len(plan.parameters))
	}
	p, points := plan.problem(before)
	s, err := p.search(plan.opt.Evaluations)
	if err != nil {
		return nil, err
	}
	slopes, err := p.slopes(s)
	if err != nil {
		return nil, err
	}
	r := &Result{Version: 1, Seed: plan.opt.Seed, Holdout: plan.opt.Holdout, Evaluations: s.evals, Limited: s.limited, To: points}
	if r.Holdout == "" {
		r.Holdout = "none"
	}
	plan.values(r, p, s, slopes)
	after, err := plan.play(fitted, s.places)
	if err != nil {
		return nil, err
	}
	r.Fitted = errorsOf(before, after)
	if before, err = plan.play(heldOut, nil); err == nil {
		after, err = plan.play(heldOut, s.places)
	}
	if err != nil {
		return nil, err
	}
	r.HeldOut = errorsOf(before, after)
	return r, nil
}

// problem is the fit as numbers, and the points that it fits to. Each set of values is played once.
func (plan *Plan) problem(figures []figure) (*problem, []PointID) {
	p := &problem{}
	var points []PointID
	numbers := map[*cases.Point]int{}
	for _, f := range figures {
		if _, ok := numbers[f.p]; !ok {
			numbers[f.p] = len(points)
			points = append(points, PointID{f.c.Name, f.p.Name})
		}
		p.point = append(p.point, numbers[f.p])
	}
	for _, parameter := range plan.parameters {
		p.start = append(p.start, parameter.place(parameter.start))
	}
	known := map[string][]float64{}
	times := 0
	p.residuals = func(places []float64) ([]float64, error) {
		var key strings.Builder
		for i, place := range places {
			fmt.Fprintln(&key, plan.parameters[i].text(place))
		}
		if rs, ok := known[key.String()]; ok {
			return rs, nil
		}
		now, err := plan.play(fitted, places)
		times++
		if plan.opt.Progress != nil {
			plan.opt.Progress(times, plan.opt.Evaluations+2*len(places))
		}
		if err == nil && len(now) != len(figures) {
			err = errors.New("a figure is missing")
		}
		if err != nil {
			return nil, err
		}
		rs := make([]float64, len(now))
		for j := range now {
			rs[j] = now[j].residual()
		}
		known[key.String()] = rs
		return rs, nil
	}
	return p, points
}

// values says of each parameter what the search, the resamples and the curvature say.
func (plan *Plan) values(r *Result, p *problem, s *solution, slopes [][]float64) {
	c := determined(s, slopes)
	var resamples [][]float64
	if len(r.To) >= fewest {
		resamples = p.resample(s, slopes, plan.opt.Resamples, plan.opt.Seed)
	}
	for i, parameter := range plan.parameters {
		place := s.places[i]
		v := Value{
			Path: parameter.Path, Entries: append([]string{}, parameter.Entries...), Start: parameter.Start, Low: parameter.text(0), High: parameter.text(1),
			Fitted: parameter.text(place), Left: validate.Number(c.left[i]), Determined: c.left[i] <= vague,
			AtEnd: place < 0.001 || place > 0.999, parameter: parameter,
		}
		square := 0.0
		for _, g := range slopes[i] {
			square += float64(g * g)
		}
		wide := math.Log(parameter.high / parameter.low)
		v.Elasticity = validate.Number(math.Sqrt(square/float64(len(slopes[i]))) / wide)
		if len(resamples) > 0 {
			var places []float64
			for _, all := range resamples {
				places = append(places, all[i])
			}
			v.From, v.Until = parameter.text(stats.Percentile(places, 5)), parameter.text(stats.Percentile(places, 95))
		}
		r.Values = append(r.Values, v)
	}
	r.Flat = []Flat{}
	for _, direction := range c.flat {
		r.Flat = append(r.Flat, plan.flat(direction))
	}
}

// flat names the parameters that a direction consists of, the largest part first and positive.
func (plan *Plan) flat(direction []float64) Flat {
	const small = 0.2
	var f Flat
	for i, w := range direction {
		if math.Abs(w) > small {
			f.Weights = append(f.Weights, Weight{plan.parameters[i].Path, validate.Number(w)})
		}
	}
	slices.SortStableFunc(f.Weights, func(a, b Weight) int {
		switch x, y := math.Abs(float64(a.Weight)), math.Abs(float64(b.Weight)); {
		case x > y+1e-9:
			return -1
		case x < y-1e-9:
			return 1
		}
		return 0
	})
	if len(f.Weights) > 0 && f.Weights[0].Weight < 0 {
		for i := range f.Weights {
			f.Weights[i].Weight = -f.Weights[i].Weight
		}
	}
	return f
}
