package validate

import (
	"bufio"
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pdsim/model/unit"
	"pdsim/scenarios"
	"pdsim/validate/cases"
	"pdsim/validate/read"
)

// job is one run that points ask for; points that differ only in what was measured share one.
type job struct {
	key      string
	what     string // for messages
	scenario string // a built-in name or a path
	protocol string
	set      []string
	trace    string         // path of the arrivals to play, "" for the scenario's own
	requests []read.Request // measured ones, when there is a trace
	tracked  bool           // timelines are wanted

	outcome outcome
}

// outcome is what came of a job.
type outcome struct {
	figures  []Figures      // one for each seed
	requests []read.Request // timelines of the first seed, in the order of arrival
	bySize   Figures        // size over bandwidth
	alone    Figures        // one request alone
}

// plan makes the jobs of cases; jobOf gives that of each point. Files that scenarios must find on disk go into dir.
func plan(list []*cases.Case, dir string) (jobs []*job, jobOf map[*cases.Point]*job, err error) {
	jobOf = map[*cases.Point]*job{}
	byKey := map[string]*job{}
	for n, c := range list {
		scenario, err := scenarioFile(c, filepath.Join(dir, fmt.Sprint(n)))
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		for i := range c.Points {
			p := &c.Points[i]
			j := &job{what: c.Name + ", " + p.Name, scenario: scenario, protocol: p.Protocol, set: p.Set, tracked: p.Replay != "" || wantsPhases(p)}
			if p.Replay != "" {
				j.trace = filepath.Join(dir, fmt.Sprintf("%d-%d.csv", n, i))
				if j.requests, err = replay(c, p, j.trace); err != nil {
					return nil, nil, fmt.Errorf("%s, %s: %w", c.Name, p.Name, err)
				}
			}
			j.key = fmt.Sprintf("%q", append([]string{j.scenario, j.protocol, j.trace, fmt.Sprint(j.tracked)}, j.set...))
			if byKey[j.key] == nil {
				byKey[j.key] = j
				jobs = append(jobs, j)
			}
			jobOf[p] = byKey[j.key]
		}
	}
	return jobs, jobOf, nil
}

func wantsPhases(p *cases.Point) bool {
	for name := range p.Measured {
		if strings.HasPrefix(name, "phase.") {
			return true
		}
	}
	return false
}

// scenarioFile returns what scenarios.Load takes: the name of a built-in scenario, or the path of a copy of the case's.
func scenarioFile(c *cases.Case, dir string) (string, error) {
	if c.OnDisk || slices.Contains(scenarios.Builtin(), c.Scenario) {
		return c.Scenario, nil
	}
	text, err := fs.ReadFile(c.Folder, c.Scenario)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	file := filepath.Join(dir, filepath.Base(c.Scenario))
	return file, os.WriteFile(file, text, 0o644)
}

// replay reads a point's timeline and writes its arrivals as a trace that scenarios can play.
func replay(c *cases.Case, p *cases.Point, file string) ([]read.Request, error) {
	all, err := requests(c, p)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b read.Request) int { return cmp.Compare(a.Arrival, b.Arrival) })
	f, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	fmt.Fprintln(w, "timestamp_ms,input_length,output_length")
	start := firstArrival(all)
	for i := range all {
		r := &all[i]
		if r.Arrival == read.Never || r.Input < 1 || r.Output < 1 {
			return nil, fmt.Errorf("%s: request %d: want its arrival and its lengths to play it", p.Replay, r.ID)
		}
		ns := int64(r.Arrival - start)
		fmt.Fprintf(w, "%d.%06d,%d,%d\n", ns/1e6, ns%1e6, r.Input, r.Output)
	}
	return all, w.Flush()
}

// requests reads a point's timeline.
func requests(c *cases.Case, p *cases.Point) ([]read.Request, error) {
	f, err := c.Folder.Open(p.Replay)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []read.Request
	var notes *read.Notes
	if p.Format == cases.FormatEngine {
		all, notes, err = read.EngineRun(p.Replay, f, c.Reading)
	} else {
		_, notes, err = read.Timeline(p.Replay, f, c.Reading, func(q *read.Request) error {
			all = append(all, *q)
			return nil
		})
	}
	c.Notes.Add(notes)
	return all, err
}

// run plays a job under so many seeds and asks the simple predictors.
func (j *job) run(opt *Options) error {
	for k := range max(opt.Seeds, 1) {
		sp, err := j.load(opt.Layers)
		if err != nil {
			return fmt.Errorf("%s: %w", j.what, err)
		}
		if k > 0 && j.ownSeed() {
			break // the source states its seed: others would be other runs
		}
		sp.Run.Seed += uint64(k)
		f, err := j.play(sp, k == 0)
		if err != nil {
			return fmt.Errorf("%s: %w", j.what, err)
		}
		j.outcome.figures = append(j.outcome.figures, f)
	}
	if opt.Bare {
		return nil
	}
	sp, err := j.load(opt.Layers)
	if err == nil {
		j.typify(sp)
		j.outcome.bySize, err = sizeOverBandwidth(sp, j.protocol)
	}
	if err == nil {
		j.outcome.alone, err = oneRequest(sp, j.protocol)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", j.what, err)
	}
	return nil
}

// typify gives a scenario whose arrivals are recorded their mean lengths and rate, for the simple predictors.
func (j *job) typify(sp *scenarios.Spec) {
	n := len(j.requests)
	if n == 0 {
		return
	}
	input, output := 0, 0
	for i := range j.requests {
		input += j.requests[i].Input
		output += j.requests[i].Output
	}
	sp.Workload.InputTokens, sp.Workload.OutputTokens, sp.Workload.PrefixTokens = max(input/n, 1), max(output/n, 1), 0
	if span := j.requests[n-1].Arrival - j.requests[0].Arrival; span > 0 {
		sp.Workload.QPS = unit.Frequency(float64(n) / span.Seconds())
	}
}

// ownSeed says whether a job's arrivals are given.
func (j *job) ownSeed() bool {
	return j.trace != "" || slices.ContainsFunc(j.set, func(s string) bool { return strings.HasPrefix(s, "run.seed=") })
}

// load loads the job's scenario. What the case states of the run wins over the layers.
func (j *job) load(layers []scenarios.Layer) (*scenarios.Spec, error) {
	set := slices.Clone(j.set)
	if j.trace != "" {
		set = append(set, "workload.kind=trace", "workload.trace="+j.trace, "workload.format=mooncake-lengths", "workload.requests=0")
	}
	all := slices.Clone(layers)
	for _, assignment := range set {
		all = append(all, scenarios.Set(assignment))
	}
	return scenarios.Load(j.scenario, nil, all...)
}

// Spec returns the scenario that a point is run as, without its recorded arrivals. What the case states wins over the
// layers.
func Spec(c *cases.Case, p *cases.Point, layers []scenarios.Layer) (*scenarios.Spec, error) {
	dir, err := os.MkdirTemp("", "pdsim-validate-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	scenario, err := scenarioFile(c, dir)
	if err != nil {
		return nil, err
	}
	j := job{scenario: scenario, set: p.Set}
	return j.load(layers)
}

// play plays the job once.
func (j *job) play(sp *scenarios.Spec, first bool) (Figures, error) {
	if !j.tracked {
		r, err := scenarios.Run(sp, j.protocol, scenarios.Options{})
		if err != nil {
			return nil, err
		}
		return figuresOf(r)
	}
	var all []read.Request
	t := NewTracker(func(q *read.Request) { all = append(all, *q) })
	s, err := scenarios.NewSession(sp, j.protocol, t.Options())
	if err != nil {
		return nil, err
	}
	t.Attach(s)
	r, err := s.Play(sp)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b read.Request) int { return cmp.Compare(a.ID, b.ID) })
	if first {
		j.outcome.requests = all
	}
	f, err := figuresOf(r)
	if err != nil {
		return nil, err
	}
	f.phases(all)
	return f, nil
}
