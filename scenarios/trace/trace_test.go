package trace

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pdsim/scenarios"
	"pdsim/sim"
)

var update = flag.Bool("update", false, "write the golden files")

var all = Window{0, sim.Never}

// record plays a scenario into a writer and closes it.
func record(t testing.TB, w *Writer, protocol string, set ...string) {
	t.Helper()
	sp, err := scenarios.Load("p5en-qwen3-32b", set)
	if err != nil {
		t.Fatal(err)
	}
	session, err := scenarios.NewSession(sp, protocol, scenarios.Options{Recorder: w})
	if err != nil {
		t.Fatal(err)
	}
	w.Begin("", session.Cluster().Sim.Tracks)
	if _, err := session.Play(sp); err != nil {
		t.Fatal(err)
	}
	w.End()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

var one = []string{"workload.warmup=0", "workload.iterations=1", "workload.requests=1", "workload.probe=false", "workload.output_tokens=3"}

// TestOneRequest is the structure of the trace of one request: each track with its slices, and what released each.
func TestOneRequest(t *testing.T) {
	for _, protocol := range []string{"pull", "push"} {
		var out bytes.Buffer
		record(t, NewPerfetto(&out, all), protocol, one...)
		have := draw(open(t, out.Bytes()))
		golden := filepath.Join("testdata", protocol+".txt")
		if *update {
			if err := os.WriteFile(golden, []byte(have), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil || string(want) != have {
			t.Errorf("%v: run go test ./scenarios/trace -update and look at the difference; have\n%s", err, have)
		}
	}
}

// draw writes a trace down by tracks, without times, which change with any cost.
func draw(o *opened) string {
	sources := map[uint64]string{}
	for _, e := range o.events {
		for _, id := range e.flow {
			sources[id] = e.name + " on " + o.name(e.track)
		}
	}
	var tracks []uint64
	for uuid := range o.names {
		tracks = append(tracks, uuid)
	}
	slices.SortFunc(tracks, func(a, b uint64) int { return cmp.Or(strings.Compare(o.name(a), o.name(b)), cmp.Compare(a, b)) })
	var b strings.Builder
	for _, track := range tracks {
		fmt.Fprintf(&b, "%s\n", o.name(track))
		depth := 1
		for _, e := range o.events {
			if e.track != track {
				continue
			}
			switch e.kind {
			case typeEnd:
				depth--
				continue
			case typeCounter:
				continue
			}
			var from []string
			for _, id := range e.ends {
				from = append(from, sources[id])
			}
			line := strings.Repeat("  ", depth) + e.name
			if len(from) > 0 {
				line += " <- " + strings.Join(from, ", ")
			}
			fmt.Fprintln(&b, line)
			if e.kind == typeBegin {
				depth++
			}
		}
	}
	return b.String()
}

// Slices nest on each track, every arrow has one begin and one end, not before it, and all tracks belong to a process.
func TestStructure(t *testing.T) {
	for _, protocol := range []string{"pull", "push"} {
		var out bytes.Buffer
		record(t, NewPerfetto(&out, all), protocol, "workload.requests=40", "workload.iterations=3")
		o := open(t, out.Bytes())
		checkNesting(t, o)
		checkArrows(t, o)
		for uuid, name := range o.names {
			if o.processes[o.parents[uuid]] == "" {
				t.Errorf("track %q has no process", name)
			}
		}
		for _, want := range []string{"P0/engine loop", "P0/gpu", "D0/worker main", "P0/rail1/tx", "P0/rail1/tx bytes/s", "D0/free blocks", "D0/requests running", "between/notifications"} {
			found := false
			for uuid := range o.names {
				found = found || o.name(uuid) == want
			}
			if !found {
				t.Errorf("%s: no track %s", protocol, want)
			}
		}
	}
}

// checkNesting reads events in the order of time, as a viewer does.
func checkNesting(t *testing.T, o *opened) {
	t.Helper()
	events := slices.Clone(o.events)
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	depth := map[uint64]int{}
	for _, e := range events {
		switch {
		case o.counters[e.track] != (e.kind == typeCounter):
			t.Fatalf("%+v on %s", e, o.name(e.track))
		case e.kind == typeBegin:
			depth[e.track]++
		case e.kind == typeEnd:
			if depth[e.track]--; depth[e.track] < 0 {
				t.Fatalf("an end too many on %s at %d", o.name(e.track), e.at)
			}
		}
	}
	for track, d := range depth {
		if d != 0 {
			t.Errorf("%d slices on %s do not end", d, o.name(track))
		}
	}
	checkExtents(t, o)
}

// checkExtents reads each slice's begin and end as written, one after the other, and looks for overlaps without nesting.
func checkExtents(t *testing.T, o *opened) {
	t.Helper()
	type extent struct{ from, to uint64 }
	open := map[uint64][]extent{}
	for i, e := range o.events {
		if e.kind != typeBegin {
			continue
		}
		end := o.events[i+1]
		if end.kind != typeEnd || end.track != e.track || end.at < e.at {
			t.Fatalf("%+v is followed by %+v", e, end)
		}
		s := open[e.track]
		for len(s) > 0 && s[len(s)-1].to <= e.at {
			s = s[:len(s)-1]
		}
		if len(s) > 0 && s[len(s)-1].to < end.at {
			t.Fatalf("%s on %s, %d to %d, overlaps what ends at %d", e.name, o.name(e.track), e.at, end.at, s[len(s)-1].to)
		}
		open[e.track] = append(s, extent{e.at, end.at})
	}
}

func checkArrows(t *testing.T, o *opened) {
	t.Helper()
	begins, ends := map[uint64]uint64{}, map[uint64]uint64{}
	for _, e := range o.events {
		for _, id := range e.flow {
			if _, twice := begins[id]; twice {
				t.Fatalf("arrow %d begins twice", id)
			}
			begins[id] = e.at
		}
		for _, id := range e.ends {
			if _, twice := ends[id]; twice {
				t.Fatalf("arrow %d ends twice", id)
			}
			ends[id] = e.at
		}
	}
	if len(begins) != len(ends) || len(begins) == 0 {
		t.Errorf("%d arrows begin, %d end", len(begins), len(ends))
	}
	for id, at := range ends {
		if begin, ok := begins[id]; !ok || begin > at {
			t.Errorf("arrow %d ends at %d, begins at %d", id, at, begin)
		}
	}
}

// A window holds what overlaps it, and counters begin with their value.
func TestWindow(t *testing.T) {
	w := Window{sim.Time(2 * sim.Second), sim.Time(3 * sim.Second)}
	var out bytes.Buffer
	record(t, NewPerfetto(&out, w), "push", "workload.warmup=0", "workload.iterations=1")
	o := open(t, out.Bytes())
	checkNesting(t, o)
	checkArrows(t, o)
	firsts := 0
	for i, e := range o.events {
		switch {
		case e.kind == typeBegin && (sim.Time(e.at) > w.Until || sim.Time(o.events[i+1].at) < w.From):
			t.Errorf("%s from %d to %d is outside", e.name, e.at, o.events[i+1].at)
		case e.kind == typeCounter && (sim.Time(e.at) < w.From || sim.Time(e.at) > w.Until):
			t.Errorf("a counter at %d", e.at)
		case e.kind == typeCounter && sim.Time(e.at) == w.From:
			firsts++
		}
	}
	if firsts < 5 {
		t.Errorf("%d counters begin with the window", firsts)
	}
}

// TestChrome says that the JSON form holds the same slices.
func TestChrome(t *testing.T) {
	var out, packets bytes.Buffer
	record(t, NewChrome(&out, all), "push", one...)
	record(t, NewPerfetto(&packets, all), "push", one...)
	var have struct {
		Events []struct {
			Phase string  `json:"ph"`
			Name  string  `json:"name"`
			At    float64 `json:"ts"`
		} `json:"traceEvents"`
	}
	if err := json.Unmarshal(out.Bytes(), &have); err != nil {
		t.Fatal(err)
	}
	kinds, want := map[string]int{}, map[string]int{}
	for _, e := range have.Events {
		kinds[e.Phase]++
	}
	for _, e := range open(t, packets.Bytes()).events {
		want[map[uint64]string{typeBegin: "X", typeInstant: "i", typeCounter: "C"}[e.kind]]++
		want["s"] += len(e.flow)
		want["f"] += len(e.ends)
	}
	for _, phase := range []string{"X", "i", "C", "s", "f"} {
		if kinds[phase] != want[phase] || want[phase] == 0 {
			t.Errorf("%d of phase %s, want %d", kinds[phase], phase, want[phase])
		}
	}
	var empty bytes.Buffer
	if err := NewChrome(&empty, all).Close(); err != nil || !json.Valid(empty.Bytes()) {
		t.Errorf("no valid JSON without events: %s", empty.String())
	}
}

// failing is a full disk.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestErrorsShow(t *testing.T) {
	w := NewPerfetto(failing{}, all)
	w.Begin("", func() []string { return []string{"", "P0/thread"} })
	w.Span(sim.Span{ID: 1, Track: 1, Kind: "x", End: 10}, nil)
	w.End()
	if w.Close() == nil {
		t.Error("want the error")
	}
}

// TestPerfettoReadsIt has Perfetto's own tools read a trace, where a python3 with the package perfetto is in the path.
func TestPerfettoReadsIt(t *testing.T) {
	if exec.Command("python3", "-c", "import perfetto").Run() != nil {
		t.Skip("no python3 with the package perfetto")
	}
	file := filepath.Join(t.TempDir(), "push.pftrace")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	record(t, NewPerfetto(f, all), "push", "workload.requests=40", "workload.iterations=1")
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("python3", filepath.Join("testdata", "read.py"), file).CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Fatal(err)
	}
}
