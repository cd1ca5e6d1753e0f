package validate

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"pdsim/validate/cases"
	"pdsim/validate/stats"
)

// sumUp sums the figures of all points up by family and name.
func (r *Report) sumUp() {
	type key struct{ family, metric string }
	type group struct {
		pairs, fitted []stats.Pair
		bySize, alone []float64
	}
	groups := map[key]*group{}
	for _, c := range r.Cases {
		for _, p := range c.Points {
			for _, f := range p.Figures {
				k := key{c.Family, f.Metric}
				if groups[k] == nil {
					groups[k] = &group{}
				}
				g := groups[k]
				pair := stats.Pair{Measured: float64(f.Measured), Simulated: float64(f.Simulated)}
				switch {
				case f.Fitted:
					g.fitted = append(g.fitted, pair)
				case f.Judged:
					g.pairs = append(g.pairs, pair)
					g.bySize = append(g.bySize, known(ape(f.Measured, f.BySize))...)
					g.alone = append(g.alone, known(ape(f.Measured, f.Alone))...)
				}
			}
		}
	}
	order := slices.SortedFunc(maps.Keys(groups), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.family, b.family), cmp.Compare(a.metric, b.metric))
	})
	for _, k := range order {
		g := groups[k]
		if len(g.pairs)+len(g.fitted) == 0 {
			continue // measured as 0 everywhere
		}
		e, fitted := stats.Sum(g.pairs), stats.Sum(g.fitted)
		r.Families = append(r.Families, Family{
			Name: k.family, Metric: k.metric, Points: e.Points, Fitted: len(g.fitted), MedianAPE: Number(e.Median), P90APE: Number(e.P90),
			WorstAPE: Number(e.Worst), Bias: Number(e.Bias), Rank: Number(e.Rank), FittedAPE: Number(fitted.Median),
			BySizeAPE: Number(stats.Percentile(g.bySize, 50)), AloneAPE: Number(stats.Percentile(g.alone, 50)),
		})
	}
}

func known(x float64) []float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return []float64{x}
}

// decide adds a decision to the report.
func (r *Report) decide(c *cases.Case, d *cases.Decision, points []Point, jobOf map[*cases.Point]*job) {
	var side [2]stats.Pair
	var spread [2]float64
	fitted := false
	for i, name := range d.Points {
		p := c.Point(name)
		side[i] = stats.Pair{Measured: math.NaN(), Simulated: jobOf[p].mean(d.Metric)}
		fitted = fitted || p.IsFitted(d.Metric)
		at := slices.IndexFunc(points, func(x Point) bool { return x.Name == p.Name && x.Fitted == p.Fitted })
		for _, f := range points[at].Figures {
			if f.Metric == d.Metric {
				side[i].Measured, spread[i] = float64(f.Measured), float64(f.Spread)
			}
		}
	}
	if d.Factor > 0 {
		side[0].Measured, side[1].Measured = d.Factor, 1
	}
	v := stats.Choice{First: side[0], Second: side[1], FirstSpread: spread[0], SecondSpread: spread[1]}.Judge()
	out := Decision{
		Case: c.Name, Family: c.Family, Name: d.Name, Metric: d.Metric, Points: d.Points,
		Beyond: v.Judged, Right: v.Right, Fitted: fitted, Measured: Number(v.Measured), Simulated: Number(v.Simulated),
	}
	r.Decisions.List = append(r.Decisions.List, out)
	right, total := &r.Decisions.Right, &r.Decisions.Total
	if fitted {
		right, total = &r.Decisions.FittedRight, &r.Decisions.FittedTotal
	}
	if v.Judged {
		*total++
	}
	if v.Right {
		*right++
	}
}

// mean is the mean of a simulated figure over the seeds, NaN when there is none.
func (j *job) mean(metric string) float64 {
	var values []float64
	for _, f := range j.outcome.figures {
		if v, ok := f[metric]; ok {
			values = append(values, v)
		}
	}
	return stats.Mean(values)
}
