package validate

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"os"
	"runtime"
	"slices"
	"sync"

	"pdsim/validate/cases"
	"pdsim/validate/read"
	"pdsim/validate/stats"
)

// Options say how cases are run.
type Options struct {
	Seeds    int                   // runs of each point whose arrivals are not recorded, under one seed each; 0 means 1
	Workers  int                   // runs at once; 0 means one for each core
	Progress func(done, total int) // told after each run, one call at a time, if set
}

// Run plays cases and compares. Results do not depend on how many runs go on at once.
func Run(list []*cases.Case, opt Options) (*Report, error) {
	dir, err := os.MkdirTemp("", "pdsim-validate-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	jobs, jobOf, err := plan(list, dir)
	if err != nil {
		return nil, err
	}
	if err := runAll(jobs, opt); err != nil {
		return nil, err
	}
	r := &Report{Version: 1}
	for _, c := range list {
		rc := Case{Name: c.Name, Title: c.Title, Family: c.Family, Source: c.Source, Licence: c.Licence, Note: c.Note}
		for i := range c.Points {
			p, err := compare(c, &c.Points[i], jobOf[&c.Points[i]])
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", c.Name, c.Points[i].Name, err)
			}
			rc.Points = append(rc.Points, p)
		}
		r.Cases = append(r.Cases, rc)
		for i := range c.Decisions {
			r.decide(c, &c.Decisions[i], rc.Points, jobOf)
		}
	}
	r.sumUp()
	return r, nil
}

// runAll runs jobs on all cores and returns the error of the first one, by number, that failed.
func runAll(jobs []*job, opt Options) error {
	workers := opt.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	errs := make([]error, len(jobs))
	var (
		mu         sync.Mutex
		next, done int
		wait       sync.WaitGroup
	)
	take := func() (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		next++
		return next - 1, next <= len(jobs)
	}
	for range min(workers, len(jobs)) {
		wait.Go(func() {
			for i, ok := take(); ok; i, ok = take() {
				errs[i] = jobs[i].run(max(opt.Seeds, 1))
				mu.Lock()
				done++
				if opt.Progress != nil {
					opt.Progress(done, len(jobs))
				}
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// compare pairs the figures of a point.
func compare(c *cases.Case, p *cases.Point, j *job) (Point, error) {
	measured := Figures(maps.Clone(p.Measured))
	if p.Replay != "" {
		all, err := FiguresOfRequests(j.requests)
		if err != nil {
			return Point{}, err
		}
		maps.Copy(all, measured) // what the case states goes before what its file gives
		measured = all
	}
	out := Point{Name: p.Name, Protocol: p.Protocol, Fitted: p.Fitted, Repeats: max(p.Repeats, 1), Seeds: len(j.outcome.figures)}
	for _, metric := range slices.Sorted(maps.Keys(measured)) {
		var values []float64
		for _, f := range j.outcome.figures {
			if v, ok := f[metric]; ok {
				values = append(values, v)
			}
		}
		if !c.Judges(metric) || len(values) == 0 && p.Replay != "" {
			continue
		}
		if len(values) == 0 {
			return out, fmt.Errorf("no figure of a result is named %q", metric)
		}
		fig := Figure{
			Metric: metric, Fitted: p.IsFitted(metric), Measured: Number(measured[metric]), Spread: Figures(p.Spread).number(metric),
			Simulated: Number(stats.Mean(values)), SimulatedSpread: Number(stats.Spread(values)),
			BySize: j.outcome.bySize.number(metric), Alone: j.outcome.alone.number(metric),
		}
		fig.Error = Number(stats.Pair{Measured: float64(fig.Measured), Simulated: float64(fig.Simulated)}.Error())
		fig.Judged = !fig.Fitted && fig.Error.Known()
		out.Figures = append(out.Figures, fig)
	}
	if p.Replay != "" {
		out.Distributions = distributions(j.requests, j.outcome.requests)
	}
	return out, nil
}

// quantities are what is compared request by request.
var quantities = []struct {
	name string
	of   func(r *read.Request) (float64, bool)
}{
	{"ttft_ms", func(r *read.Request) (float64, bool) { return r.FirstToken.Ms(r.Arrival) }},
	{"tpot_ms", func(r *read.Request) (float64, bool) {
		ms, ok := r.Last().Ms(r.FirstToken)
		return ms / float64(max(r.Output-1, 1)), ok && r.Output > 1
	}},
	{"queue_ms", func(r *read.Request) (float64, bool) { return r.Admitted.Ms(r.Arrival) }},
	{"post_ms", func(r *read.Request) (float64, bool) { return r.PostEnd.Ms(r.PostStart) }},
	{"seen_after_post_ms", func(r *read.Request) (float64, bool) { return r.Seen.Ms(r.PostEnd) }},
}

// distributions compares timelines whose requests are in the same order.
func distributions(measured, simulated []read.Request) []Distribution {
	var out []Distribution
	for _, q := range quantities {
		var m, s, differences []float64
		for i := range measured {
			v, ok := q.of(&measured[i])
			if ok {
				m = append(m, v)
			}
			if i >= len(simulated) {
				continue
			}
			w, also := q.of(&simulated[i])
			if also {
				s = append(s, w)
			}
			if ok && also {
				differences = append(differences, math.Abs(w-v))
			}
		}
		d, ok := stats.Compare(m, s)
		if !ok {
			continue
		}
		x := Distribution{Metric: q.name, Measured: d.Measured, Simulated: d.Simulated, KS: Number(d.KS), Requests: Differences{
			Number(stats.Percentile(differences, 50)), Number(stats.Percentile(differences, 90)), Number(stats.Percentile(differences, 100)),
		}}
		for _, k := range d.Quantiles {
			x.Quantiles = append(x.Quantiles, Quantile{Number(k.Percent), Number(k.Measured), Number(k.Simulated), Number(k.Error())})
		}
		out = append(out, x)
	}
	return out
}

// decide adds a decision to the report.
func (r *Report) decide(c *cases.Case, d *cases.Decision, points []Point, jobOf map[*cases.Point]*job) {
	var side [2]stats.Pair
	var spread [2]float64
	for i, name := range d.Points {
		p := c.Point(name)
		side[i] = stats.Pair{Measured: math.NaN(), Simulated: jobOf[p].mean(d.Metric)}
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
		Judged: v.Judged, Right: v.Right, Measured: Number(v.Measured), Simulated: Number(v.Simulated),
	}
	r.Decisions.List = append(r.Decisions.List, out)
	if v.Judged {
		r.Decisions.Total++
	}
	if v.Right {
		r.Decisions.Right++
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
