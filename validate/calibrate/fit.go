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
	r := &Result{Version: 1, Seed: plan.opt.Seed, Holdout: plan.opt.Holdout, To: points}
	if r.Holdout == "" {
		r.Holdout = "none"
	}
	places, err := plan.search(r, p)
	if err != nil {
		return nil, err
	}
	after, err := plan.play(fitted, places)
	if err != nil {
		return nil, err
	}
	r.Fitted = errorsOf(before, after)
	if before, err = plan.play(heldOut, nil); err == nil {
		after, err = plan.play(heldOut, places)
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
			plan.opt.Progress(times, len(places)*(plan.opt.Evaluations+2*len(places)))
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

// search looks for the best values. Of those that the data does not determine it gives back the least determined one and
// looks again for the others, until it determines all that are left.
func (plan *Plan) search(r *Result, p *problem) ([]float64, error) {
	r.Values = make([]Value, len(plan.parameters))
	places := slices.Clone(p.start)
	free := make([]int, len(plan.parameters))
	for i := range free {
		free[i] = i
	}
	for {
		part := p.part(free)
		s, err := part.search(plan.opt.Evaluations)
		if err != nil {
			return nil, err
		}
		slopes, err := part.slopes(s)
		if err != nil {
			return nil, err
		}
		c := determined(s, slopes)
		if r.Flat == nil {
			r.Flat = plan.flats(c.flat)
		}
		r.Evaluations, r.Limited = r.Evaluations+s.evals, s.limited
		plan.describe(r, part, free, s, slopes, c)
		worst := 0
		for i := range free {
			if c.left[i] > c.left[worst] {
				worst = i
			}
		}
		if c.left[worst] <= vague {
			for i, at := range free {
				places[at] = s.places[i]
			}
			return places, nil
		}
		r.Values[free[worst]].keep()
		if free = slices.Delete(free, worst, worst+1); len(free) == 0 {
			return places, nil
		}
	}
}

// keep gives a parameter its old value back.
func (v *Value) keep() { v.Fitted, v.From, v.Until, v.AtEnd = v.Start, "", "", false }

// describe says of each free parameter what the search, the resamples and the curvature say.
func (plan *Plan) describe(r *Result, p *problem, free []int, s *solution, slopes [][]float64, c certainty) {
	var resamples [][]float64
	if len(r.To) >= fewest {
		resamples = p.resample(s, slopes, plan.opt.Resamples, plan.opt.Seed)
	}
	for i, at := range free {
		parameter, place := plan.parameters[at], s.places[i]
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
		r.Values[at] = v
	}
}
