package protocols

import (
	"fmt"
	"slices"
	"strings"

	"pdsim/model/serving"
	"pdsim/sim"

	"github.com/cockroachdb/datadriven"
)

// kinds names notifications by their number.
var kinds = []string{serving.KVRead: "KVRead", serving.KVWritten: "KVWritten", serving.Register: "Register", serving.Heartbeat: "Heartbeat"}

// The columns of a drawing, as in the diagrams of the protocols' files.
const (
	columnRouter = iota
	columnP
	columnWire
	columnD
	columns
)

var widths = [columns]int{22, 30, 16, 0}

// row is one line of a drawing.
type row struct {
	start  sim.Time
	length sim.Duration
	column int
	text   string
	times  int // how often it comes in a row
}

// draw writes down what has happened since the last drawing, in the order of starts.
func (s *scene) draw(d *datadriven.TestData) string {
	var hidden []string
	if arg, ok := d.Arg("hide"); ok {
		hidden = arg.Vals
	}
	var rows []row
	for _, sp := range s.log.Spans[s.drawn:] {
		free := sp.Start == sp.End && slices.Contains([]string{"tokenize", "api server", "prepare", "matched", "landed"}, sp.Kind)
		waits := strings.HasSuffix(s.c.Sim.Tracks()[sp.Track], "/waiting")
		if !free && !waits && sp.Kind != "last work request" && !slices.Contains(hidden, sp.Kind) {
			rows = append(rows, s.row(sp))
		}
	}
	s.drawn = len(s.log.Spans)
	slices.SortStableFunc(rows, func(a, b row) int { return int(a.start - b.start) })
	var out strings.Builder
	fmt.Fprintf(&out, "%11s %9s  %-*s%-*s%-*s%s\n", "at", "for", widths[columnRouter], "router", widths[columnP], "P", widths[columnWire], "", "D")
	for _, r := range merge(rows) {
		r.write(&out)
	}
	return out.String()
}

// merge turns equal rows that follow each other into one.
func merge(rows []row) []row {
	var out []row
	for _, r := range rows {
		if n := len(out); n > 0 && out[n-1].column == r.column && out[n-1].text == r.text && out[n-1].length == r.length {
			out[n-1].times++
			continue
		}
		out = append(out, r)
	}
	return out
}

func (r row) write(out *strings.Builder) {
	length := ""
	if r.length > 0 {
		length = r.length.String()
	}
	if r.times > 0 {
		r.text += fmt.Sprintf(" x%d", r.times+1)
	}
	indent := 0
	for _, w := range widths[:r.column] {
		indent += w
	}
	fmt.Fprintf(out, "%11v %9s  %s%s\n", r.start, length, strings.Repeat(" ", indent), r.text)
}

// row draws one span: who did what for which request.
func (s *scene) row(sp sim.Span) row {
	r := row{start: sp.Start, length: sp.End.Sub(sp.Start)}
	owner := ""
	if sp.Owner >= 0 {
		owner = fmt.Sprintf(" #%d", sp.Owner)
	}
	switch engine, thread, _ := strings.Cut(s.c.Sim.Tracks()[sp.Track], "/"); {
	case engine == "router", engine == "client":
		r.text = sp.Kind + owner
	case engine == "notifications":
		r.column, r.text = columnWire, arrow(sp.Kind)+owner
	case sp.Kind == "wire" && s.c.Protocol.Writes():
		r.column, r.text = columnWire, "==WRITE==>"+owner
	case sp.Kind == "wire":
		r.column, r.text = columnWire, "<==READ=="+owner
	default:
		r.column, r.text = columnP, thread+": "+sp.Kind+owner
		if engine == "D" {
			r.column = columnD
		}
	}
	return r
}

// arrow is a notification with its direction.
func arrow(kind string) string {
	if kind == kinds[serving.KVWritten] {
		return "-" + kind + "->"
	}
	return "<-" + kind + "-"
}
