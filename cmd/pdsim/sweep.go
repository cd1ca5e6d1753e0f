package main

import (
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pdsim/scenarios"
)

// mostPoints is the largest grid that a sweep takes: more is a slip of the keyboard.
const mostPoints = 100_000

// sweeper is the sweep verb.
type sweeper struct {
	settings
	vary  []string
	carry bool
	plot  string

	scenario string          // as it was named
	base     *scenarios.Spec // the scenario without the axes
	axes     []axis
	points   []point
}

// point is one combination of the axes' values.
type point struct {
	values  []string // of each axis
	spec    *scenarios.Spec
	results []*scenarios.Result // of each protocol
}

func newSweep() *cobra.Command {
	var s sweeper
	cmd := &cobra.Command{
		Use:   "sweep SCENARIO --vary key=v1,v2,...",
		Short: "Run a scenario at every point of a grid",
		Long: "Sweep plays a scenario at all combinations of the values that --vary lists and prints the grid with the ratio between\n" +
			"protocols. Points run on all cores, on servers of their own; with --carry-state one after another on the same\n" +
			"servers, whose caches and free blocks remember the points before. The first axis is the slowest.",
		Example: "  pdsim sweep p5en-qwen3-32b --vary workload.input_tokens=1024,4096,16384 --vary workload.qps=1,2,4,8\n" +
			"  pdsim sweep p5en-qwen3-32b --vary network.kv_layout=split,packed --vary decode.block_size=16,64 --protocol pull\n" +
			"  pdsim sweep p5en-qwen3-32b --vary workload.input_tokens=1024,4096,16384 --vary workload.qps=2,8 --plot published.svg",
		Args:              wanting(1, 1, "one scenario, such as p5en-qwen3-32b"),
		ValidArgsFunction: completeScenarios,
		RunE:              verb(s.run),
	}
	s.register(cmd)
	f := cmd.Flags()
	f.StringArrayVarP(&s.vary, "vary", "v", nil, "an axis: a key and its values, such as workload.qps=1,2,4,8; repeatable")
	f.BoolVar(&s.carry, "carry-state", false, "play the points one after another on the same servers")
	f.StringVar(&s.plot, "plot", "", "file for a picture, .svg or .png: TTFT and TPOT over prompt lengths or the first axis,\n"+
		"with what the shipped cases measured there")
	completeFlags(cmd)
	return cmd
}

func (s *sweeper) run(cmd *cobra.Command, args []string) error {
	if err := s.check(); err != nil {
		return err
	}
	if err := checkWritable("--out", s.out); err != nil {
		return err
	}
	if err := s.readAxes(); err != nil {
		return err
	}
	if err := s.checkPlot(); err != nil {
		return err
	}
	if err := checkDistinct([]output{{"--out", s.out}, {"--plot", s.plot}}); err != nil {
		return err
	}
	if err := s.plan(cmd, args[0]); err != nil {
		return err
	}
	if err := s.play(cmd.ErrOrStderr()); err != nil {
		return err
	}
	if err := s.writePlot(); err != nil {
		return err
	}
	return writeTo(s.out, cmd.OutOrStdout(), func(w io.Writer) error {
		if s.format != "table" {
			return writeResults(w, s.format, s.results())
		}
		return s.write(w, columns(cmd.OutOrStdout()))
	})
}

// readAxes reads the --vary flags.
func (s *sweeper) readAxes() error {
	if len(s.vary) == 0 {
		return misuse("sweep: want an axis, such as --vary workload.qps=1,2,4,8")
	}
	size := 1
	for _, text := range s.vary {
		a, err := parseAxis(text)
		if err != nil {
			return err
		}
		switch {
		case slices.ContainsFunc(s.axes, func(b axis) bool { return b.key == a.key }):
			return misuse("--vary %s: want each key in one axis", text)
		case a.key == "run.protocols":
			return misuse("--vary %s: protocols are compared at every point; name them with --protocol", text)
		case s.carry && !strings.HasPrefix(a.key, "workload."):
			return misuse("--vary %s: want a key of the workload with --carry-state, since all points share their servers", text)
		}
		if size *= len(a.values); size > mostPoints {
			return misuse("--vary %s: want at most %d points", text, mostPoints)
		}
		s.axes, s.varied = append(s.axes, a), append(s.varied, a.key)
	}
	return nil
}

// plan loads the scenario at every point, so that a mistake in the last one shows before the first one runs.
func (s *sweeper) plan(cmd *cobra.Command, name string) error {
	s.scenario = name
	var wrong scenarios.Mistakes
	for values := range product(s.axes) {
		var layers []scenarios.Layer
		var set []string
		for i, a := range s.axes {
			layers = append(layers, scenarios.Option("--vary "+a.key+"="+values[i], a.key, values[i]))
			set = append(set, a.key+"="+values[i])
		}
		sp, err := s.load(cmd, name, layers...)
		var mistakes *scenarios.Mistakes
		switch {
		case errors.As(err, &mistakes):
			wrong.Merge(mistakes)
			continue
		case err != nil:
			return err
		}
		sp.Set = append(sp.Set, set...)
		s.points = append(s.points, point{values: values, spec: sp, results: make([]*scenarios.Result, len(sp.Run.Protocols))})
	}
	if err := wrong.Err(); err != nil {
		return err
	}
	var err error
	if s.base, err = s.load(cmd, name); err != nil {
		base := *s.points[0].spec // what is wrong, an axis puts right
		base.Set = s.overrides(cmd)
		s.base = &base
	}
	return nil
}

// product yields all combinations of the axes' values, the last axis fastest.
func product(axes []axis) func(yield func([]string) bool) {
	return func(yield func([]string) bool) {
		at := make([]int, len(axes))
		for {
			values := make([]string, len(axes))
			for i, a := range axes {
				values[i] = a.values[at[i]]
			}
			if !yield(values) {
				return
			}
			i := len(axes) - 1
			for ; i >= 0; i-- {
				if at[i]++; at[i] < len(axes[i].values) {
					break
				}
				at[i] = 0
			}
			if i < 0 {
				return
			}
		}
	}
}

// play runs all points under all protocols.
func (s *sweeper) play(stderr io.Writer) error {
	protocols := s.points[0].spec.Run.Protocols
	step, end := progress(stderr, len(s.points)*len(protocols), "points")
	defer end()
	if s.carry {
		return inParallel(len(protocols), func(i int) error { return s.inTurn(i, protocols[i], step) }, func() {})
	}
	return inParallel(len(s.points)*len(protocols), func(i int) error {
		p, k := &s.points[i/len(protocols)], i%len(protocols)
		session, err := start(p.spec, protocols[k], scenarios.Options{})
		if err != nil {
			return err
		}
		return p.play(session, k)
	}, step)
}

// inTurn plays all points under one protocol on the same servers.
func (s *sweeper) inTurn(k int, protocol string, step func()) error {
	session, err := start(s.points[0].spec, protocol, scenarios.Options{})
	if err != nil {
		return err
	}
	for i := range s.points {
		if err := s.points[i].play(session, k); err != nil {
			return err
		}
		step()
	}
	return nil
}

// play runs the point on servers of the k-th protocol.
func (p *point) play(session *scenarios.Session, k int) error {
	r, err := play(session, p.spec)
	if err != nil {
		return err
	}
	r.Set = p.spec.Set
	p.results[k] = r
	return nil
}

// results is all results, a point's protocols side by side.
func (s *sweeper) results() []*scenarios.Result {
	var all []*scenarios.Result
	for _, p := range s.points {
		all = append(all, p.results...)
	}
	return all
}
