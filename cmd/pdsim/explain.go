package main

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pdsim/scenarios"
	"pdsim/scenarios/explain"
)

// explainFormats are the forms in which paths are written.
var explainFormats = []string{"table", "json", "markdown"}

// explainer is the explain verb.
type explainer struct {
	settings
	request     int64
	at          string
	whatIf      []string
	sensitivity bool

	percentile float64
	spec       *scenarios.Spec
	cases      []*explained
	effects    []effects
}

// explained is the path of one protocol, as the scenario is or as it could be.
type explained struct {
	spec      *scenarios.Spec
	protocol  string
	changed   bool // with the changes of --what-if
	recording *explain.Recording
	path      *explain.Path
}

// title is what a path is called beside others.
func (x *explained) title() string {
	if x.changed {
		return x.protocol + ", what if"
	}
	return x.protocol
}

func newExplain() *cobra.Command {
	x := explainer{request: -1}
	cmd := &cobra.Command{
		Use:   "explain SCENARIO",
		Short: "Show where time to first token goes, step by step",
		Long: "Explain plays a scenario and prints the critical path from a request's sending to its first token, as a waterfall: each\n" +
			"step begins when what released it has ended, and they add up to TTFT exactly. Without --request or --at it is the mean\n" +
			"over all requests. With two protocols, or with --what-if, two paths stand side by side on one time axis, with what\n" +
			"became of each step. Filled bars are work, hatched ones waits.",
		Example: "  pdsim explain p5en-qwen3-32b --protocol push\n" +
			"  pdsim explain p5en-qwen3-32b --protocol pull --at p99\n" +
			"  pdsim explain p5en-qwen3-32b --protocol pull --what-if network.merge=always\n" +
			"  pdsim explain p5en-qwen3-32b --sensitivity --format markdown --out review.md",
		Args:              wanting(1, 1, "one scenario, such as p5en-qwen3-32b"),
		ValidArgsFunction: completeScenarios,
		RunE:              verb(x.run),
	}
	x.settings.register(cmd)
	f := cmd.Flags()
	f.Lookup("format").Usage = "form of the results: table, json or markdown"
	f.Int64Var(&x.request, "request", -1, "explain the request of that number, in the order of arrival from 0; warm-up and readiness probes count")
	f.StringVar(&x.at, "at", "", "explain the request whose TTFT is at a percentile, such as p50 or p99, or max")
	f.StringArrayVar(&x.whatIf, "what-if", nil, "show what the path becomes with a key set to another value; repeatable, all together")
	f.BoolVar(&x.sensitivity, "sensitivity", false, "list what a tenth more of each number does to TTFT and TPOT")
	if err := cmd.RegisterFlagCompletionFunc("what-if", completeKeys); err != nil {
		panic("pdsim: " + err.Error()) // the flag was there
	}
	completeFlags(cmd, explainFormats...)
	return cmd
}

func (x *explainer) run(cmd *cobra.Command, args []string) error {
	if err := x.check(); err != nil {
		return err
	}
	if err := checkWritable("--out", x.out); err != nil {
		return err
	}
	if err := x.plan(cmd, args[0]); err != nil {
		return err
	}
	stderr := cmd.ErrOrStderr()
	if err := x.play(stderr); err != nil {
		return err
	}
	if x.sensitivity {
		if err := x.measure(cmd, args[0], stderr); err != nil {
			return err
		}
	}
	return writeTo(x.out, cmd.OutOrStdout(), func(w io.Writer) error {
		switch x.format {
		case "json":
			return x.writeJSON(w)
		case "markdown":
			return x.writeMarkdown(w)
		}
		return x.write(w, columns(cmd.OutOrStdout()))
	})
}

// check looks at the flags that say which path is wanted, and how.
func (x *explainer) check() error {
	switch {
	case !slices.Contains(explainFormats, x.format):
		return misuse("--format %s: want table, json or markdown", x.format)
	case x.request >= 0 && x.at != "":
		return misuse("--request %d: want it without --at", x.request)
	case x.at == "":
		return nil
	case x.at == "max":
		x.percentile = 100
		return nil
	}
	text, ok := strings.CutPrefix(x.at, "p")
	p, err := strconv.ParseFloat(text, 64)
	if !ok || err != nil || !(p >= 0 && p <= 100) {
		return misuse("--at %s: want a percentile such as p50 or p99.9, or max", x.at)
	}
	x.percentile = p
	return nil
}

// plan loads the scenario as it is and as it could be.
func (x *explainer) plan(cmd *cobra.Command, name string) error {
	var err error
	if x.spec, err = x.load(cmd, name); err != nil {
		return err
	}
	var changes []scenarios.Layer
	for _, text := range x.whatIf {
		key, value, ok := strings.Cut(text, "=")
		if !ok {
			return misuse("--what-if %s: want key=value", text)
		}
		if key = strings.TrimSpace(key); key == "run.protocols" {
			return misuse("--what-if %s: protocols are compared as they are; name them with --protocol", text)
		}
		changes = append(changes, scenarios.Option("--what-if "+text, key, strings.TrimSpace(value)))
	}
	changed, err := x.load(cmd, name, changes...)
	if err != nil {
		return err
	}
	for _, p := range x.spec.Run.Protocols {
		x.cases = append(x.cases, &explained{spec: x.spec, protocol: p})
		if len(changes) > 0 {
			x.cases = append(x.cases, &explained{spec: changed, protocol: p, changed: true})
		}
	}
	return nil
}

// play records all cases and finds their paths.
func (x *explainer) play(stderr io.Writer) error {
	step, end := progress(stderr, len(x.cases), "runs")
	defer end()
	if err := inParallel(len(x.cases), func(i int) error { return x.cases[i].record() }, step); err != nil {
		return err
	}
	for i, c := range x.cases {
		id := x.request
		if x.at != "" {
			id = -1
			if c.changed { // the same request, not another one that happens to be at the percentile
				id = x.cases[i-1].path.Request
			}
		}
		if err := c.find(id, x.at != "", x.percentile); err != nil {
			return err
		}
	}
	return nil
}

func (x *explained) record() error {
	x.recording = explain.NewRecording(x.spec, x.protocol)
	session, err := start(x.spec, x.protocol, x.recording.Options())
	if err != nil {
		return err
	}
	result, err := play(session, x.spec)
	if err != nil {
		return err
	}
	x.recording.Close(session, result)
	return nil
}

// find finds the path: of the request of that number, of the one at a percentile, or of all.
func (x *explained) find(id int64, single bool, percentile float64) error {
	if !single && id < 0 || x.recording.Requests() == 0 {
		var err error
		if x.path, err = x.recording.Mean(); x.recording.Requests() == 0 {
			return misuse("%s", err)
		}
		return err
	}
	if id < 0 {
		var err error
		if id, err = x.recording.At(percentile); err != nil {
			return err
		}
	}
	if !x.recording.Answered(id) {
		return misuse("--request %d: want a request that was counted and answered, from %d to %d under %s", id, x.recording.First(), x.recording.Last(), x.protocol)
	}
	var err error
	x.path, err = x.recording.Path(id)
	return err
}
