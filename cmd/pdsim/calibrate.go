package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"pdsim/model/catalogue"
	"pdsim/validate/calibrate"
)

// calibrator is the calibrate verb.
type calibrator struct {
	measured
	fit         []string
	metrics     []string
	holdout     string
	seed        uint64
	resamples   int
	evaluations int
	format      string
	out         string
	overlay     string
}

func newCalibrate() *cobra.Command {
	var c calibrator
	cmd := &cobra.Command{
		Use:   "calibrate [DIR...] --fit PATH",
		Short: "Fit values of the catalogue to measured runs",
		Long: "Calibrate moves values of the catalogue within their ranges until simulated figures are as near as possible to measured\n" +
			"ones, and prints the values with intervals, which of them the data does not determine, and the errors on what was held\n" +
			"out. It writes the values as a file that run, sweep and validate take by --with. What was fitted to is never judged.\n\n" +
			"A path is a value of the catalogue, such as backend.post_read, backend.post_fixed, backend.pool_post,\n" +
			"fabric.read_efficiency, instance.rail_rate, software.launch, software.schedule, software.router_hop or\n" +
			"software.api_server; or a factor on the time of compute: prefill.compute_scale, decode.compute_scale, or compute_scale\n" +
			"for both.",
		Example: "  pdsim calibrate --case p5-efa-transfers --fit backend.post_read --metric kv.avg_post_ms --holdout length\n" +
			"  pdsim calibrate mycases/ --fit compute_scale --fit software.launch --holdout load --overlay mine.toml\n" +
			"  pdsim run p5en-qwen3-32b --with mine.toml",
		Args: cobra.ArbitraryArgs,
		RunE: verb(c.run),
	}
	c.register(cmd)
	f := cmd.Flags()
	f.StringArrayVar(&c.fit, "fit", nil, "a value to fit, by its path; repeatable")
	f.StringArrayVar(&c.metrics, "metric", nil, "figures that count, such as kv.avg_post_ms (default: all that the cases judge); repeatable")
	f.StringVar(&c.holdout, "holdout", "none", "what judges the fit: every second case, load, length or point (odd), what cases do not mark as fitted (marked), cases of a name (case=NAME), or none")
	f.Uint64Var(&c.seed, "seed", 0, "seed of the resampling for intervals")
	f.IntVar(&c.resamples, "resamples", 400, "resamples of the points for intervals")
	f.IntVar(&c.evaluations, "evaluations", 200, "most times that the fitted runs are played for one search; each value that is not determined takes another")
	f.StringVar(&c.overlay, "overlay", "", "file for the fitted values, to be laid over scenarios by --with")
	f.StringVarP(&c.format, "format", "f", "table", "form of the report: table or json")
	f.StringVarP(&c.out, "out", "o", "", "file for the report, written whole or not at all (default: standard output)")
	completeFlags(cmd, "table", "json")
	for flag, words := range map[string][]string{"fit": fittable(), "holdout": calibrate.Holdouts()} {
		if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
			panic("pdsim: " + err.Error()) // the flag was there
		}
	}
	return cmd
}

// fittable is the paths that can be fitted, whatever an entry has there.
func fittable() []string {
	paths := []string{"prefill.compute_scale", "decode.compute_scale", "compute_scale"}
	for _, kind := range catalogue.Kinds() {
		entry, err := catalogue.Blank(kind)
		if err != nil {
			panic("pdsim: " + err.Error()) // the catalogue does not know its own kinds
		}
		for _, f := range catalogue.Facts(entry) {
			paths = append(paths, kind+"."+f.Key)
		}
	}
	return paths
}

func (c *calibrator) check() error {
	switch {
	case c.format != "table" && c.format != "json":
		return misuse("--format %s: want table or json", c.format)
	case c.resamples < 1 || c.resamples > 100_000:
		return misuse("--resamples %d: want 1 to 100000", c.resamples)
	case c.evaluations < 1 || c.evaluations > 100_000:
		return misuse("--evaluations %d: want 1 to 100000", c.evaluations)
	}
	if err := checkWritable("--out", c.out); err != nil {
		return err
	}
	return checkWritable("--overlay", c.overlay)
}

func (c *calibrator) run(cmd *cobra.Command, dirs []string) error {
	if err := c.check(); err != nil {
		return err
	}
	stderr := cmd.ErrOrStderr()
	list, err := c.cases(stderr, dirs)
	if err != nil {
		return err
	}
	step, end := progress(stderr, len(c.fit)*(c.evaluations+2*len(c.fit)), "times played")
	plan, err := calibrate.Prepare(list, calibrate.Options{
		Parameters: c.fit, Metrics: c.metrics, Holdout: c.holdout, Seed: c.seed, Resamples: c.resamples, Evaluations: c.evaluations,
		Layers: c.layers(), Progress: func(_, _ int) { step() },
	})
	var r *calibrate.Result
	if err == nil {
		r, err = plan.Fit()
	}
	end()
	if err != nil {
		return misuse("calibrate: %s", err)
	}
	c.tell(stderr, dirs, list)
	if c.overlay != "" {
		by := "pdsim calibrate"
		if err := writeTo(c.overlay, nil, func(w io.Writer) error { return r.WriteOverlay(w, by) }); err != nil {
			return err
		}
	}
	return writeTo(c.out, cmd.OutOrStdout(), func(w io.Writer) error {
		if c.format == "json" {
			return r.WriteJSON(w)
		}
		return c.write(w, r)
	})
}

// write writes the result for people.
func (c *calibrator) write(w io.Writer, r *calibrate.Result) error {
	fmt.Fprintf(w, "pdsim %s\nfitted to %d points, seed %d, holdout %s, played %d times\n", version(), len(r.To), r.Seed, r.Holdout, r.Evaluations)
	for _, file := range c.with {
		fmt.Fprintln(w, "with:", file)
	}
	if len(c.set) > 0 {
		fmt.Fprintln(w, "set:", strings.Join(c.set, ", "))
	}
	if r.Limited {
		fmt.Fprintln(w, "the search was still getting better when its evaluations were used up; see --evaluations")
	}
	fmt.Fprintln(w)
	cols := []column{{head: "parameter"}, {head: "was", right: true}, {head: "fitted", right: true}, {head: "9 of 10\nresamples"}, {head: "range"}, {head: "elasticity", right: true}, {head: "determined"}}
	for _, v := range r.Values {
		interval := "-"
		if v.From != "" {
			interval = v.From + " to " + v.Until
		}
		for i, text := range []string{v.Path, v.Start, v.Fitted, interval, v.Low + " to " + v.High, fmt.Sprintf("%.2f", float64(v.Elasticity)), sureness(&v)} {
			cols[i].cells = append(cols[i].cells, text)
		}
	}
	if err := writeTable(w, cols); err != nil {
		return err
	}
	for _, f := range r.Flat {
		if len(f.Weights) > 1 {
			fmt.Fprintln(w, together(&f))
		}
	}
	fmt.Fprint(w, "\nerrors on what was held out (%)")
	if len(r.HeldOut) == 0 {
		fmt.Fprint(w, ": nothing was, so nothing judges these values; see --holdout\n")
	} else {
		fmt.Fprint(w, "\n\n")
		if err := writeErrors(w, r.HeldOut); err != nil {
			return err
		}
	}
	fmt.Fprint(w, "\nerrors on what was fitted to (%), which judge nothing\n\n")
	return writeErrors(w, r.Fitted)
}

// sureness says in words how far the data determines a value.
func sureness(v *calibrate.Value) string {
	text := "yes"
	if !v.Determined {
		text = fmt.Sprintf("no: %.0f %% of its range left; kept", 100*float64(v.Left))
	}
	if v.AtEnd {
		text += ", at the end of its range"
	}
	return text
}

// together says which parameters the data cannot tell apart.
func together(f *calibrate.Flat) string {
	var words []string
	for _, w := range f.Weights {
		way := "up"
		if w.Weight < 0 {
			way = "down"
		}
		words = append(words, w.Path+" "+way)
	}
	return "not told apart: " + strings.Join(words, " with ") + " leaves these figures as they are"
}

// writeErrors writes errors by family and figure.
func writeErrors(w io.Writer, all []calibrate.Errors) error {
	cols := []column{{head: "family"}, {head: "figure"}, {head: "points", right: true}, {head: "median\nbefore", right: true}, {head: "median\nafter", right: true}, {head: "p90\nafter", right: true}, {head: "bias\nafter", right: true}}
	for _, e := range all {
		for i, text := range []string{
			e.Family, e.Metric, fmt.Sprint(e.Points), fmt.Sprintf("%.1f", float64(e.Before)), fmt.Sprintf("%.1f", float64(e.Median)),
			fmt.Sprintf("%.1f", float64(e.P90)), fmt.Sprintf("%+.1f", float64(e.Bias)),
		} {
			cols[i].cells = append(cols[i].cells, text)
		}
	}
	return writeTable(w, cols)
}
