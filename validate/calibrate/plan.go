package calibrate

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"pdsim/scenarios"
	"pdsim/validate"
	"pdsim/validate/cases"
)

// Options say what is fitted to what, and how.
type Options struct {
	Parameters  []string              // their paths
	Metrics     []string              // figures that count; empty: all that the cases judge
	Holdout     string                // one of Holdouts, or "case=NAME"
	Seed        uint64                // of the resampling
	Resamples   int                   // for the intervals
	Evaluations int                   // most times that the fitted part is played
	Layers      []scenarios.Layer     // over each scenario, below the parameters
	Progress    func(done, total int) // told after each time, if set; total is a bound
}

// Plan is a calibration that can be made.
type Plan struct {
	opt        Options
	parameters []*Parameter
	list       []*cases.Case
	parts      *parting
}

// Prepare checks that there is something to fit to, and looks for the parameters in the scenarios of all points. Its
// errors are about what was asked for.
func Prepare(list []*cases.Case, opt Options) (*Plan, error) {
	if len(opt.Parameters) == 0 {
		return nil, errors.New("want a parameter to fit, such as backend.post_read, have none")
	}
	specs := map[*cases.Point]*scenarios.Spec{}
	var inOrder []*scenarios.Spec
	for _, c := range list {
		for i := range c.Points {
			p := &c.Points[i]
			sp, err := validate.Spec(c, p, opt.Layers)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", c.Name, p.Name, err)
			}
			specs[p] = sp
			inOrder = append(inOrder, sp)
		}
	}
	plan := &Plan{opt: opt, list: list}
	for i, path := range opt.Parameters {
		if again := func(other string) bool { return overlap(path, other) }; slices.ContainsFunc(opt.Parameters[:i], again) {
			return nil, fmt.Errorf("%s: want each parameter once", path)
		}
		p, err := resolve(path, inOrder)
		if err != nil {
			return nil, err
		}
		plan.parameters = append(plan.parameters, p)
	}
	var err error
	plan.parts, err = divide(opt.Holdout, list, specs)
	if err != nil {
		return nil, fmt.Errorf("holdout: %w", err)
	}
	return plan, nil
}

// figure is a measured figure and a simulated one.
type figure struct {
	family, metric      string
	c                   *cases.Case
	p                   *cases.Point
	measured, simulated float64
}

// residual is the logarithm of simulated over measured. What is measured and not simulated at all is far off.
func (f *figure) residual() float64 {
	const far = 5
	if !(f.simulated > 0) {
		return -far
	}
	return min(max(math.Log(f.simulated/f.measured), -far), far)
}

// play simulates the points that have figures of a part, with the parameters at their places, and returns these figures.
// nil stands for the places that they have.
func (plan *Plan) play(which part, places []float64) ([]figure, error) {
	layers := slices.Clone(plan.opt.Layers)
	for i, place := range places {
		layers = append(layers, plan.parameters[i].layers(place)...)
	}
	var list []*cases.Case
	var owners []*cases.Point // of the points of list, in order
	for _, c := range plan.list {
		some := *c
		some.Points, some.Decisions = nil, nil
		for i := range c.Points {
			if p := &c.Points[i]; plan.wants(c, p, which) {
				some.Points = append(some.Points, *p)
				owners = append(owners, p)
			}
		}
		if len(some.Points) > 0 {
			list = append(list, &some)
		}
	}
	r, err := validate.Run(list, validate.Options{Layers: layers, Bare: true})
	if err != nil {
		return nil, err
	}
	var out []figure
	next := 0
	for i, c := range r.Cases {
		for _, p := range c.Points {
			owner := owners[next]
			next++
			for _, f := range p.Figures {
				if plan.counts(f.Metric) && plan.parts.of(owner, f.Metric) == which && f.Measured > 0 {
					out = append(out, figure{c.Family, f.Metric, list[i], owner, float64(f.Measured), float64(f.Simulated)})
				}
			}
		}
	}
	return out, nil
}

// wants says whether a point may have figures of a part. Of a replayed one they are known when it has been played.
func (plan *Plan) wants(c *cases.Case, p *cases.Point, which part) bool {
	if p.Replay != "" && plan.parts.of(p, "") == which {
		return true
	}
	for metric := range p.Measured {
		if c.Judges(metric) && plan.counts(metric) && plan.parts.of(p, metric) == which {
			return true
		}
	}
	return false
}

// counts says whether a figure is one of those asked for.
func (plan *Plan) counts(metric string) bool {
	return len(plan.opt.Metrics) == 0 || slices.Contains(plan.opt.Metrics, metric)
}
