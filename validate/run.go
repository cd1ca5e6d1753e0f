package validate

import (
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"sync"

	"pdsim/scenarios"
	"pdsim/validate/cases"
	"pdsim/validate/stats"
)

// Options say how cases are run.
type Options struct {
	Seeds    int                   // runs of each point whose arrivals are not recorded, under one seed each; 0 means 1
	Workers  int                   // runs at once; 0 means one for each core
	Layers   []scenarios.Layer     // laid over each scenario, below what cases state of their runs
	Bare     bool                  // without the simple predictors
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
				errs[i] = jobs[i].run(&opt)
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
