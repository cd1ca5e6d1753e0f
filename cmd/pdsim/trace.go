package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"pdsim/model/unit"
	"pdsim/scenarios"
	"pdsim/scenarios/trace"
	"pdsim/sim"
)

// tracer is the trace verb.
type tracer struct {
	settings
	from, until string
	window      trace.Window
}

func newTrace() *cobra.Command {
	var t tracer
	cmd := &cobra.Command{
		Use:   "trace SCENARIO -o FILE",
		Short: "Write what happens in a run as a trace for Perfetto or Chrome",
		Long: "Trace plays a scenario and writes everything that happens: a process for each engine with a track for each thread, line\n" +
			"and rail, arrows from what released a piece of work to the work, and counters of requests, blocks, descriptors and\n" +
			"rates. Open the file in ui.perfetto.dev. A name that ends in .json gets Chrome's form, any other Perfetto's. With\n" +
			"several protocols their runs stand in one file, each from its own zero.",
		Example: "  pdsim trace p5en-qwen3-32b --protocol push -o push.pftrace\n" +
			"  pdsim trace p5en-qwen3-32b --set workload.warmup=0 --set workload.iterations=1 --from 2s --until 4s -o both.pftrace",
		Args:              wanting(1, 1, "one scenario, such as p5en-qwen3-32b"),
		ValidArgsFunction: completeScenarios,
		RunE:              verb(t.run),
	}
	t.registerScenario(cmd)
	f := cmd.Flags()
	f.StringVarP(&t.out, "out", "o", "", "file for the trace, written whole or not at all; .json: Chrome's form")
	f.StringVar(&t.from, "from", "0s", "write only what happens from that time of the run on, warm-up included")
	f.StringVar(&t.until, "until", "", "write only what begins up to that time of the run (default: all)")
	completeFlags(cmd)
	return cmd
}

func (t *tracer) run(cmd *cobra.Command, args []string) error {
	if t.out == "" {
		return misuse("trace: want a file, such as -o run.pftrace")
	}
	if err := checkWritable("--out", t.out); err != nil {
		return err
	}
	if err := t.readWindow(); err != nil {
		return err
	}
	sp, err := t.load(cmd, args[0])
	if err != nil {
		return err
	}
	step, end := progress(cmd.ErrOrStderr(), len(sp.Run.Protocols), "runs")
	defer end()
	return writeTo(t.out, nil, func(w io.Writer) error {
		writer := trace.NewPerfetto(w, t.window)
		if strings.HasSuffix(t.out, ".json") {
			writer = trace.NewChrome(w, t.window)
		}
		for _, p := range sp.Run.Protocols {
			if err := t.record(writer, sp, p); err != nil {
				return err
			}
			step()
		}
		return writer.Close()
	})
}

// readWindow reads the part of the run that is wanted.
func (t *tracer) readWindow() error {
	t.window.Until = sim.Never
	for _, f := range []struct {
		option, text string
		to           *sim.Time
	}{{"--from", t.from, &t.window.From}, {"--until", t.until, &t.window.Until}} {
		if f.text == "" {
			continue
		}
		d, err := unit.ParseDuration(f.text)
		if err != nil || d < 0 {
			return misuse("%s %s: want a time such as 1.5s", f.option, f.text)
		}
		*f.to = sim.Time(d)
	}
	if t.window.Until < t.window.From {
		return misuse("--until %s: want it after --from %s", t.until, t.from)
	}
	return nil
}

// record plays the scenario under a protocol into a trace.
func (t *tracer) record(w *trace.Writer, sp *scenarios.Spec, protocol string) error {
	prefix := ""
	if len(sp.Run.Protocols) > 1 {
		prefix = protocol + " "
	}
	session, err := start(sp, protocol, scenarios.Options{Recorder: w})
	if err != nil {
		return err
	}
	w.Begin(prefix, session.Cluster().Sim.Tracks)
	if _, err := play(session, sp); err != nil {
		return err
	}
	w.End()
	return nil
}
