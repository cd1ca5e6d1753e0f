package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pdsim/model/catalogue/name"
	"pdsim/scenarios"
	"pdsim/validate"
	"pdsim/validate/calibrate"
	"pdsim/validate/cases"
	"pdsim/validate/read"
)

// validator is the validate verb.
type validator struct {
	measured
	seeds  int
	points bool
	format string
	out    string
	plot   string
	image  string
}

// measured are the flags that say which measured cases are meant and what is laid under them.
type measured struct {
	results   string
	scenario  string
	only      []string
	with      []string
	set       []string
	keepGoing bool
}

func (m *measured) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&m.results, "results", "", "folder of results of vllm bench serve, named as pull_qps8_in16384_out128_iter1.json")
	f.StringVar(&m.scenario, "scenario", "", "what was deployed when --results were measured: a built-in scenario or a TOML file")
	f.StringArrayVar(&m.only, "case", nil, "only cases of that name, in which * stands for anything; repeatable")
	f.StringArrayVarP(&m.with, "with", "w", nil, "lay a TOML file over each scenario, as calibrate writes it; repeatable, the last wins")
	f.StringArrayVarP(&m.set, "set", "s", nil, "override a key of each scenario, such as costs.backend.post_read=2.2us; repeatable")
	f.BoolVar(&m.keepGoing, "keep-going", false, "skip malformed lines of measurements and count them")
	if err := cmd.RegisterFlagCompletionFunc("scenario", completeScenarios); err != nil {
		panic("pdsim: " + err.Error()) // the flag was there
	}
}

func newValidate() *cobra.Command {
	var v validator
	cmd := &cobra.Command{
		Use:   "validate [DIR...]",
		Short: "Hold simulations against measured runs",
		Long: "Validate plays measured cases and prints how far the simulation is off: the cases that come with pdsim, those in\n" +
			"folders, or a folder of results of vllm bench serve. Points that parameters were fitted to are shown apart. What a\n" +
			"case states of its runs wins over --with and --set.",
		Example: "  pdsim validate\n" +
			"  pdsim validate --case 'p5-*' --points\n" +
			"  pdsim validate --results results/ --scenario mine.toml --set decode.tp=4\n" +
			"  pdsim validate mycases/ --format markdown --out report.md --plot pictures/",
		Args: cobra.ArbitraryArgs,
		RunE: verb(v.run),
	}
	v.register(cmd)
	f := cmd.Flags()
	f.IntVar(&v.seeds, "seeds", 3, "simulations of each run whose arrivals are not recorded, under one seed each")
	f.BoolVar(&v.points, "points", false, "print every point, too")
	f.StringVarP(&v.format, "format", "f", "table", "form of the report: table, json, markdown or csv (a row for each figure)")
	f.StringVarP(&v.out, "out", "o", "", "file for the report, written whole or not at all (default: standard output)")
	f.StringVar(&v.plot, "plot", "", "folder for pictures of simulated against measured figures, one for each family")
	f.StringVar(&v.image, "plot-format", "svg", "form of the pictures: svg or png")
	completeFlags(cmd, validateFormats...)
	return cmd
}

var validateFormats = []string{"table", "json", "markdown", "csv"}

func (v *validator) run(cmd *cobra.Command, dirs []string) error {
	switch {
	case !slices.Contains(validateFormats, v.format):
		return misuse("--format %s: want %s", v.format, strings.Join(validateFormats, ", "))
	case v.image != "svg" && v.image != "png":
		return misuse("--plot-format %s: want svg or png", v.image)
	case v.seeds < 1 || v.seeds > 100:
		return misuse("--seeds %d: want 1 to 100", v.seeds)
	}
	if err := checkWritable("--out", v.out); err != nil {
		return err
	}
	list, err := v.cases(cmd.ErrOrStderr(), dirs)
	if err != nil {
		return err
	}
	v.markFitted(cmd.ErrOrStderr(), list)
	r, err := v.play(cmd.ErrOrStderr(), list, validate.Options{Seeds: v.seeds})
	if err != nil {
		return v.blame(dirs, err)
	}
	v.tell(cmd.ErrOrStderr(), dirs, list)
	if v.plot != "" {
		if err := plotFamilies(r, v.plot, v.image); err != nil {
			return err
		}
	}
	return writeTo(v.out, cmd.OutOrStdout(), func(w io.Writer) error {
		switch v.format {
		case "json":
			return r.WriteJSON(w)
		case "markdown":
			return r.WriteMarkdown(w)
		case "csv":
			return csv.NewWriter(w).WriteAll(figureRows(r))
		}
		return v.write(w, r, columns(cmd.OutOrStdout()))
	})
}

// cases returns the cases that are meant: those of folders, of results, or the shipped ones.
func (m *measured) cases(stderr io.Writer, dirs []string) ([]*cases.Case, error) {
	for _, dir := range append(slices.Clone(dirs), m.results) {
		if info, err := os.Stat(dir); dir != "" && (err != nil || !info.IsDir()) {
			return nil, misuse("%s: no such folder", dir)
		}
	}
	opt := read.Options{KeepGoing: m.keepGoing}
	var list []*cases.Case
	switch {
	case m.results == "" && m.scenario != "":
		return nil, misuse("--scenario %s: want --results with it; cases name their scenarios themselves", m.scenario)
	case m.results != "" && m.scenario == "":
		return nil, misuse("--results %s: want --scenario with what was deployed", m.results)
	case m.results != "" && len(dirs) > 0:
		return nil, misuse("--results %s: want no folders of cases besides, have %s", m.results, dirs[0])
	case m.results != "":
		c, notes, others, err := cases.FromResults(filepath.Clean(m.results), os.DirFS(m.results), m.scenario, opt)
		if err != nil {
			return nil, misuse("%s", err)
		}
		if len(others) > 0 {
			fmt.Fprintf(stderr, "%s: %d other files, such as %s, not read\n", m.results, len(others), others[0])
		}
		c.Notes = *notes
		return []*cases.Case{c}, nil
	case len(dirs) == 0:
		shipped, err := cases.Builtin()
		if err != nil {
			return nil, err
		}
		list = shipped
	}
	for _, dir := range dirs {
		found, err := cases.Dir(dir, opt)
		if err != nil {
			return nil, misuse("%s", err)
		}
		list = append(list, found...)
	}
	return m.filter(list)
}

// filter leaves the cases that --case names.
func (m *measured) filter(list []*cases.Case) ([]*cases.Case, error) {
	if len(m.only) == 0 {
		return list, nil
	}
	var names []string
	for _, c := range list {
		names = append(names, c.Name)
	}
	wanted := map[string]bool{}
	for _, pattern := range m.only {
		some := false
		for _, n := range names {
			ok, err := path.Match(pattern, n)
			if err != nil {
				return nil, misuse("--case %s: %s", pattern, err)
			}
			wanted[n] = wanted[n] || ok
			some = some || ok
		}
		if !some {
			return nil, misuse("--case %s: %s", pattern, name.Unknown("case", pattern, names))
		}
	}
	return slices.DeleteFunc(list, func(c *cases.Case) bool { return !wanted[c.Name] }), nil
}

// layers are the files and settings laid over each scenario.
func (m *measured) layers() []scenarios.Layer {
	var all []scenarios.Layer
	for _, file := range m.with {
		all = append(all, scenarios.Overlay(file))
	}
	for _, assignment := range m.set {
		all = append(all, scenarios.Set(assignment))
	}
	return all
}

// play runs cases with a progress bar.
func (m *measured) play(stderr io.Writer, list []*cases.Case, opt validate.Options) (*validate.Report, error) {
	var step, end func()
	opt.Layers = m.layers()
	opt.Progress = func(_, total int) {
		if step == nil {
			step, end = progress(stderr, total, "runs")
		}
		step()
	}
	defer func() {
		if end != nil {
			end()
		}
	}()
	return validate.Run(list, opt)
}

// blame says whose mistake it is that cases cannot be played: that of whoever brought them or changed them.
func (m *measured) blame(dirs []string, err error) error {
	if m.results != "" || len(dirs) > 0 || len(m.with)+len(m.set) > 0 {
		return misuse("%s", err)
	}
	return err
}

// tell says what was odd about measurements that the user brought.
func (m *measured) tell(stderr io.Writer, dirs []string, list []*cases.Case) {
	if m.results == "" && len(dirs) == 0 {
		return
	}
	for _, c := range list {
		if odd := c.Notes.String(); odd != "" {
			fmt.Fprintf(stderr, "%s: %s\n", c.Name, odd)
		}
		if c.Notes.First != nil {
			fmt.Fprintf(stderr, "%s\n", c.Notes.First)
		}
	}
}

// markFitted marks the points that the files of --with were fitted to.
func (m *measured) markFitted(stderr io.Writer, list []*cases.Case) {
	for _, file := range m.with {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // whoever lays it over a scenario says so
		}
		if n := calibrate.MarkFitted(text, list); n > 0 {
			fmt.Fprintf(stderr, "%s was fitted to %d of these points, which are not judged\n", file, n)
		}
	}
}
