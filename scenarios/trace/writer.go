package trace

import (
	"bufio"
	"cmp"
	"io"
	"slices"
	"strings"

	"pdsim/sim"
)

// Window is the part of a run that is written: what overlaps it.
type Window struct {
	From, Until sim.Time
}

// Writer writes traces, of one run or of several one after the other.
type Writer struct {
	out    *bufio.Writer
	enc    encoder
	window Window

	tracks    func() []string
	prefix    string // of the present run's processes
	processes map[string]int
	places    map[sim.TrackID]*place // of the present run
	counters  map[sim.TrackID]uint64
	counts    map[sim.TrackID]count // of the window's start, not written yet
	lastTrack uint64
	lastFlow  uint64

	held   []held
	latest sim.Time // end that is furthest
	ids    map[sim.SpanID]*flows
}

// held is a span that waits to be written.
type held struct {
	sim.Span
	flows *flows
}

// flows are the arrows that begin and end at a slice.
type flows struct{ out, in []uint64 }

// count is a counter's value from a time on.
type count struct {
	at    sim.Time
	value int64
}

// horizon is how long a span is held back.
const horizon = 60 * sim.Second

// NewPerfetto returns a writer of Perfetto's protobuf form.
func NewPerfetto(w io.Writer, window Window) *Writer {
	out := bufio.NewWriterSize(w, 1<<16)
	return newWriter(out, &perfetto{out: out}, window)
}

// NewChrome returns a writer of Chrome's JSON form.
func NewChrome(w io.Writer, window Window) *Writer {
	out := bufio.NewWriterSize(w, 1<<16)
	return newWriter(out, &chrome{out: out}, window)
}

func newWriter(out *bufio.Writer, enc encoder, window Window) *Writer {
	return &Writer{out: out, enc: enc, window: window, processes: map[string]int{}}
}

// Begin makes the writer take a further run, whose tracks have these names. Its processes get a prefix.
func (w *Writer) Begin(prefix string, tracks func() []string) {
	w.prefix, w.tracks = prefix, tracks
	w.places, w.counters, w.counts = map[sim.TrackID]*place{}, map[sim.TrackID]uint64{}, map[sim.TrackID]count{}
	w.ids, w.latest = map[sim.SpanID]*flows{}, 0
}

// End writes what is left of the present run.
func (w *Writer) End() {
	w.flush(sim.Never)
	w.startCounters()
}

// Close ends the trace and returns the first error that there was.
func (w *Writer) Close() error {
	w.enc.end()
	return w.out.Flush()
}

// Span takes a span, if it touches the window.
func (w *Writer) Span(sp sim.Span, others []sim.SpanID) {
	if sp.End < w.window.From || sp.Start > w.window.Until {
		return
	}
	h := held{sp, &flows{}}
	for _, on := range append(others[:len(others):len(others)], sp.Cause) {
		if from := w.ids[on]; from != nil {
			w.lastFlow++
			from.out = append(from.out, w.lastFlow)
			h.flows.in = append(h.flows.in, w.lastFlow)
		}
	}
	w.ids[sp.ID] = h.flows
	w.held = append(w.held, h)
	if w.latest = max(w.latest, sp.End); w.held[0].End.Add(2*horizon) < w.latest {
		w.flush(w.latest.Add(-horizon))
	}
}

// flush writes the spans that began before a time, and forgets them.
func (w *Writer) flush(before sim.Time) {
	slices.SortStableFunc(w.held, func(a, b held) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.ID, b.ID)) // what releases another at once comes before it
	})
	n := 0
	for n < len(w.held) && w.held[n].Start <= before {
		w.write(&w.held[n])
		delete(w.ids, w.held[n].ID)
		n++
	}
	w.held = slices.Delete(w.held, 0, n)
}

// write writes one span: the time in line before its thread, then the work.
func (w *Writer) write(h *held) {
	p := w.place(h.Track)
	s := slice{name: h.Kind, request: h.Owner, start: h.Start, end: h.End, flows: h.flows}
	if h.Owner >= 0 && h.Start > h.Ready {
		line := s
		line.start, line.end, line.flows = h.Ready, h.Start, &flows{}
		w.enc.slice(w.lane(p, &p.line, " line", &line), &line)
	}
	if h.Start == h.End {
		w.enc.instant(w.first(p, &s), &s)
		return
	}
	w.enc.slice(w.lane(p, &p.lanes, "", &s), &s)
}

// Count takes a counter's value, if it is of the window.
func (w *Writer) Count(counter sim.TrackID, at sim.Time, value int64) {
	switch {
	case at > w.window.Until:
		return
	case at < w.window.From:
		w.counts[counter] = count{w.window.From, value}
		return
	}
	w.startCounters()
	w.enc.count(w.counter(counter), at, value)
}

// startCounters writes what counters had when the window began.
func (w *Writer) startCounters() {
	if len(w.counts) == 0 {
		return
	}
	for id := range w.tracks() { // in the order of numbers
		if c, ok := w.counts[sim.TrackID(id)]; ok {
			w.enc.count(w.counter(sim.TrackID(id)), c.at, c.value)
		}
	}
	clear(w.counts)
}

func (w *Writer) counter(id sim.TrackID) uint64 {
	uuid, ok := w.counters[id]
	if !ok {
		pid, name := w.process(id)
		w.lastTrack++
		uuid = w.lastTrack
		w.counters[id] = uuid
		w.enc.track(uuid, pid, name, true)
	}
	return uuid
}

// process is the process that a track belongs to, by the part of its name before the slash, and the rest of the name.
func (w *Writer) process(id sim.TrackID) (pid int, name string) {
	owner, name, ok := strings.Cut(w.tracks()[id], "/")
	if !ok {
		owner, name = "between", owner
	}
	owner = w.prefix + owner
	pid, known := w.processes[owner]
	if !known {
		pid = len(w.processes) + 1
		w.processes[owner] = pid
		w.enc.process(pid, owner)
	}
	return pid, name
}
