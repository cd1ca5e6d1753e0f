package main

import (
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"pdsim/scenarios"
)

// runner is the run verb.
type runner struct {
	settings
	records
	requests string
	detailed string
	reports  []*report
	jobs     []*job
}

// job is one scenario under one protocol.
type job struct {
	spec     *scenarios.Spec
	protocol string
	label    string // in the names of files that it has for itself
	result   *scenarios.Result
	rows     *requestLog
	details  *detailLog
	record   recording
}

func newRun() *cobra.Command {
	var r runner
	cmd := &cobra.Command{
		Use:   "run SCENARIO...",
		Short: "Run scenarios under each of their protocols and compare",
		Long: "Run plays scenarios, each a built-in name or a TOML file, under every protocol and prints what the client saw, with\n" +
			"the names and meanings of vllm bench serve, and what transfers and engines did.",
		Example: "  pdsim run p5en-qwen3-32b\n" +
			"  pdsim run p5en-qwen3-32b --set workload.qps=2/s --set decode.block_size=64 --protocol pull\n" +
			"  pdsim run mine.toml --format json --out results.json",
		Args:              wanting(1, math.MaxInt, "a scenario, such as p5en-qwen3-32b"),
		ValidArgsFunction: completeScenarios,
		RunE:              verb(r.run),
	}
	r.settings.register(cmd)
	r.records.register(cmd)
	f := cmd.Flags()
	f.StringVar(&r.requests, "requests", "", "file for one row a request: CSV, or JSON lines when its name ends in .jsonl")
	f.StringVar(&r.detailed, "save-detailed", "", "file as vllm bench serve --save-detailed makes it, a line for each result")
	completeFlags(cmd)
	return cmd
}

func (r *runner) run(cmd *cobra.Command, args []string) error {
	if err := r.settings.check(); err != nil {
		return err
	}
	if err := r.records.check(cmd); err != nil {
		return err
	}
	outputs := []output{{"--out", r.out}, {"--requests", r.requests}, {"--save-detailed", r.detailed}}
	for _, f := range outputs {
		if err := checkWritable(f.option, f.name); err != nil {
			return err
		}
	}
	defer r.discard()
	for _, name := range args {
		if err := r.plan(cmd, name); err != nil {
			return err
		}
	}
	if err := r.label(); err != nil {
		return err
	}
	for _, j := range r.jobs {
		outputs = append(outputs, r.records.outputs(j)...)
	}
	if err := checkDistinct(outputs); err != nil {
		return err
	}
	if err := r.play(cmd.ErrOrStderr()); err != nil {
		return err
	}
	return r.write(cmd.OutOrStdout())
}

// plan loads a scenario and notes what is to be run of it.
func (r *runner) plan(cmd *cobra.Command, name string) error {
	sp, err := r.load(cmd, name)
	if err != nil {
		return err
	}
	r.reports = append(r.reports, &report{spec: sp})
	for _, p := range sp.Run.Protocols {
		j := &job{spec: sp, protocol: p}
		if r.requests != "" {
			j.rows = newRequestLog(sp.Name, p, isLines(r.requests))
		}
		if r.detailed != "" {
			j.details = &detailLog{spec: sp, protocol: p}
		}
		r.records.start(j)
		r.jobs = append(r.jobs, j)
	}
	return nil
}

// play runs all jobs. They do not touch each other, so their order does not show.
func (r *runner) play(stderr io.Writer) error {
	step, end := progress(stderr, len(r.jobs), "runs")
	defer end()
	if err := inParallel(len(r.jobs), func(i int) error { return r.jobs[i].play() }, step); err != nil {
		return err
	}
	for _, j := range r.jobs {
		for _, rep := range r.reports {
			if rep.spec == j.spec {
				rep.results = append(rep.results, j.result)
			}
		}
	}
	return nil
}

func (j *job) play() error {
	session, err := start(j.spec, j.protocol, j.options())
	if err != nil {
		return err
	}
	j.record.attach(session)
	if j.result, err = play(session, j.spec); err != nil {
		return err
	}
	j.result.Set = append([]string{}, j.spec.Set...)
	if err := j.record.close(modelName(j.spec)); err != nil {
		return err
	}
	return j.rows.close()
}

// write writes all files and the results. The files come first: whoever sees results has them.
func (r *runner) write(stdout io.Writer) error {
	if r.requests != "" {
		if err := writeTo(r.requests, nil, r.writeRequests); err != nil {
			return err
		}
	}
	if r.detailed != "" {
		if err := writeTo(r.detailed, nil, r.writeDetailed); err != nil {
			return err
		}
	}
	for _, j := range r.jobs {
		if err := r.records.write(j); err != nil {
			return err
		}
	}
	return writeTo(r.out, stdout, func(w io.Writer) error {
		if r.format != "table" {
			return writeResults(w, r.format, r.results())
		}
		for i, rep := range r.reports {
			if i > 0 {
				fmt.Fprintln(w)
			}
			if err := rep.write(w, columns(stdout)); err != nil {
				return err
			}
		}
		return nil
	})
}

// results is all results in the order of scenarios and protocols.
func (r *runner) results() []*scenarios.Result {
	var all []*scenarios.Result
	for _, rep := range r.reports {
		all = append(all, rep.results...)
	}
	return all
}

// writeResults writes results in a form that programs read.
func writeResults(w io.Writer, format string, results []*scenarios.Result) error {
	if format == "csv" {
		return writeCSV(w, results)
	}
	return writeJSON(w, results)
}
