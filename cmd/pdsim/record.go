package main

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pdsim/model/nixl"
	"pdsim/model/serving"
	"pdsim/scenarios"
	"pdsim/sim"
	"pdsim/validate/write"
)

// records are the files in which a run leaves what a real cluster would: a set for each scenario and protocol.
type records struct {
	timeline   string
	kvLog      string
	interval   time.Duration
	prometheus string
}

func (r *records) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&r.timeline, "timeline", "", "file for the timeline of each request: JSON lines, packed when its name ends in .gz")
	f.StringVar(&r.kvLog, "kv-log", "", "file for the lines \"KV Transfer metrics:\" of the servers' logs")
	f.DurationVar(&r.interval, "kv-log-interval", time.Duration(write.KVInterval), "virtual time between the lines of a server in --kv-log")
	f.StringVar(&r.prometheus, "prometheus", "", "folder for each server's metrics at the end, as Prometheus text: P0.prom, D0.prom")
}

// check looks at the flags.
func (r *records) check(cmd *cobra.Command) error {
	switch {
	case r.interval <= 0:
		return misuse("--kv-log-interval %s: want more than 0s", r.interval)
	case r.kvLog == "" && cmd.Flags().Changed("kv-log-interval"):
		return misuse("--kv-log-interval %s: has no effect without --kv-log", r.interval)
	}
	for _, f := range []struct{ option, name string }{{"--timeline", r.timeline}, {"--kv-log", r.kvLog}} {
		if err := checkWritable(f.option, f.name); err != nil {
			return err
		}
	}
	if r.prometheus == "" {
		return nil
	}
	if info, err := os.Stat(r.prometheus); err == nil && !info.IsDir() {
		return misuse("--prometheus %s: want a folder, have a file", r.prometheus)
	}
	dir := r.prometheus
	if _, err := os.Stat(dir); err != nil {
		dir = filepath.Dir(filepath.Clean(dir)) // where it is to be made
	}
	return checkFolder("--prometheus", r.prometheus, dir)
}

// outputs are what is written of a job.
func (r *records) outputs(j *job) []output {
	var all []output
	for _, f := range []output{{"--timeline", r.timeline}, {"--kv-log", r.kvLog}} {
		if f.name != "" {
			all = append(all, output{f.option, marked(f.name, j.label)})
		}
	}
	if r.prometheus == "" {
		return all
	}
	dir := filepath.Join(r.prometheus, j.label)
	all = append(all, output{"--prometheus", dir})
	for pool, n := range map[string]int{"P": j.spec.Prefill.Instances, "D": j.spec.Decode.Instances} {
		for i := range n {
			all = append(all, output{"--prometheus", filepath.Join(dir, fmt.Sprintf("%s%d.prom", pool, i))})
		}
	}
	return all
}

// any says whether something is to be recorded.
func (r *records) any() bool { return r.timeline+r.kvLog+r.prometheus != "" }

// label tells the jobs apart in the names of files: by what differs among them.
func (r *runner) label() error {
	var seen []string
	for _, j := range r.jobs {
		j.label = j.protocol
		if len(r.reports) > 1 {
			j.label = strings.ReplaceAll(j.spec.Name, "/", "_") + "-" + j.protocol
		}
		if len(r.jobs) == 1 {
			j.label = ""
		}
		if slices.Contains(seen, j.label) && r.records.any() {
			return misuse("two runs would write files marked %s: want scenarios of different names", j.label)
		}
		seen = append(seen, j.label)
	}
	return nil
}

// marked puts a job's label into the name of a file, before what says its kind.
func marked(name, label string) string {
	if label == "" {
		return name
	}
	stem, zip := strings.CutSuffix(name, ".gz")
	kind := filepath.Ext(stem)
	stem = strings.TrimSuffix(stem, kind)
	if zip {
		kind += ".gz"
	}
	return stem + "-" + label + kind
}

// recording is what is recorded of one job; what is nil is not wanted.
type recording struct {
	timeline *timelineLog
	lines    *spool // of the KV log
	kvLog    *write.KVLog
	metrics  *write.Metrics
	pages    []write.Page
}

// start begins the recording of a job.
func (r *records) start(j *job) {
	if r.timeline != "" {
		j.record.timeline = newTimelineLog(j.spec.Name, j.protocol)
	}
	if r.kvLog != "" {
		j.record.lines = &spool{}
		j.record.kvLog = write.NewKVLog(j.record.lines, sim.Duration(r.interval))
	}
	if r.prometheus != "" {
		j.record.metrics = write.NewMetrics()
	}
}

// listen adds to the options of a run what the recording has to hear.
func (r *recording) listen(opt *scenarios.Options) (requests []func(*serving.Request)) {
	var transfers []func(*nixl.Transfer, sim.Time, int)
	var troubles []func(*serving.Engine, serving.Trouble, sim.Time)
	if r.timeline != nil {
		requests = append(requests, r.timeline.add)
	}
	if r.kvLog != nil {
		transfers, troubles = append(transfers, r.kvLog.Transfer), append(troubles, r.kvLog.Trouble)
	}
	if r.metrics != nil {
		requests, opt.Begin = append(requests, r.metrics.Request), r.metrics.Begin
		transfers, troubles = append(transfers, r.metrics.Transfer), append(troubles, r.metrics.Trouble)
	}
	opt.Gaps = opt.Gaps || len(requests) > 0
	if len(transfers) > 0 {
		opt.Transfer = func(x *nixl.Transfer, at sim.Time, ranks int) {
			for _, hear := range transfers {
				hear(x, at, ranks)
			}
		}
		opt.Trouble = func(e *serving.Engine, kind serving.Trouble, at sim.Time) {
			for _, hear := range troubles {
				hear(e, kind, at)
			}
		}
	}
	return requests
}

// attach tells the recording of the servers, which stand now.
func (r *recording) attach(s *scenarios.Session) {
	if r.kvLog != nil {
		r.kvLog.Attach(s.Cluster())
	}
	if r.metrics != nil {
		r.metrics.Attach(s.Cluster())
	}
}

// close ends the recording with the run.
func (r *recording) close(model string) error {
	var err error
	if r.timeline != nil {
		err = r.timeline.close()
	}
	if r.kvLog != nil && err == nil {
		if err = r.kvLog.Close(); err == nil {
			err = r.lines.close()
		}
	}
	if r.metrics != nil && err == nil {
		r.pages, err = r.metrics.Pages(model)
		r.metrics = nil // it holds on to the servers
	}
	return err
}

func (r *recording) discard() {
	if r.timeline != nil {
		r.timeline.discard()
	}
	if r.lines != nil {
		r.lines.discard()
	}
}

// write writes a job's files.
func (r *records) write(j *job) error {
	if t := j.record.timeline; t != nil {
		if err := writeZipped(marked(r.timeline, j.label), t.copyTo); err != nil {
			return err
		}
	}
	if l := j.record.lines; l != nil {
		if err := writeZipped(marked(r.kvLog, j.label), l.copyTo); err != nil {
			return err
		}
	}
	if j.record.pages == nil {
		return nil
	}
	dir := filepath.Join(r.prometheus, j.label)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, p := range j.record.pages {
		err := writeTo(filepath.Join(dir, p.Engine+".prom"), nil, func(w io.Writer) error {
			_, err := w.Write(p.Text)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// writeZipped is writeTo for a file that is packed when its name says so.
func writeZipped(name string, write func(w io.Writer) error) error {
	return writeTo(name, nil, func(w io.Writer) error {
		if !strings.HasSuffix(name, ".gz") {
			return write(w)
		}
		zip := gzip.NewWriter(w)
		if err := write(zip); err != nil {
			return err
		}
		return zip.Close()
	})
}
