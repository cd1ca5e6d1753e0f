package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"pdsim/scenarios/explain"
	"pdsim/sim"
)

// The room for the bars of a waterfall: the least, and what further columns leave them.
const (
	narrowest = 14
	roomy     = 28
)

// write writes paths as waterfalls that fit a width: one, or two side by side.
func (x *explainer) write(w io.Writer, width int) error {
	writeHead(w, x.spec, x.spec.Set)
	if len(x.whatIf) > 0 {
		fmt.Fprintf(w, "what if: %s\n\n", strings.Join(x.whatIf, ", "))
	}
	for i, pair := range x.pairs() {
		if i > 0 {
			fmt.Fprintln(w)
		}
		var err error
		if len(pair) == 1 {
			err = writeWaterfall(w, pair[0], width)
		} else {
			err = x.writePair(w, pair[0], pair[1], width)
		}
		if err != nil {
			return err
		}
	}
	if len(x.effects) > 0 {
		return x.writeEffects(w, width)
	}
	return nil
}

// pairs are the cases that stand beside each other: each as it is with what it could be, or the first with each other one.
func (x *explainer) pairs() [][]*explained {
	if len(x.cases) == 1 {
		return [][]*explained{x.cases}
	}
	var pairs [][]*explained
	if len(x.whatIf) > 0 {
		for i := 0; i < len(x.cases); i += 2 {
			pairs = append(pairs, x.cases[i:i+2])
		}
		return pairs
	}
	for _, c := range x.cases[1:] {
		pairs = append(pairs, []*explained{x.cases[0], c})
	}
	return pairs
}

// whose says whose path it is.
func whose(p *explain.Path) string {
	if p.Requests > 1 {
		return fmt.Sprintf("mean of %d requests", p.Requests)
	}
	return fmt.Sprintf("request %d", p.Request)
}

// ms writes a time in milliseconds, to the microsecond.
func ms(d sim.Duration) string { return strconv.FormatFloat(d.Milliseconds(), 'f', 3, 64) }

// percent is a part of the whole.
func percent(d, of sim.Duration) string {
	if of == 0 {
		return "-"
	}
	return strconv.FormatFloat(100*float64(d)/float64(of), 'f', 1, 64)
}

// writeWaterfall writes one path.
func writeWaterfall(w io.Writer, x *explained, width int) error {
	p := x.path
	fmt.Fprintf(w, "%s, %s: TTFT %s ms\n\n", x.title(), whose(p), ms(p.TTFT))
	steps, short := foldSteps(p)
	cols := pathColumns(p, steps)
	shown := []int{0, 4, 5} // name, length and share come first, the rest as there is room
	room := width
	for _, i := range shown {
		room -= cols[i].width()
	}
	for _, more := range []struct{ column, leave int }{{1, narrowest}, {3, roomy}, {2, roomy}, {6, roomy}} {
		if more.column == 6 && p.Requests == 1 {
			continue
		}
		if room -= cols[more.column].width(); room < more.leave {
			break
		}
		shown = append(shown, more.column)
	}
	left := width
	var table []column
	for i := range cols {
		for _, s := range shown {
			if s == i {
				table = append(table, cols[i])
				left -= cols[i].width()
			}
		}
	}
	bars := column{head: "0 to TTFT"}
	axis := timeAxis{max(left-2, narrowest-2), p.TTFT}
	for _, s := range steps {
		bars.cells = append(bars.cells, axis.bar(s.pieces))
	}
	if err := writeTable(w, append(table, bars)); err != nil {
		return err
	}
	if short.n > 0 {
		fmt.Fprintf(w, "and %s\n", short)
	}
	return writeSlack(w, p)
}

// shorter is what a table leaves out: steps of a mean that are less than a thousandth of it.
type shorter struct {
	n    int
	time sim.Duration
}

// String says how many steps they are, and how long together.
func (s shorter) String() string {
	return fmt.Sprintf("%d shorter steps, together %s ms", s.n, ms(s.time))
}

// trifle is the length below which a mean's step is left out of a table.
func trifle(p *explain.Path) sim.Duration {
	if p.Requests == 1 {
		return 0
	}
	return p.TTFT / 1000
}

// pathRow is a row of a path's table: a step, or one that comes again and again.
type pathRow struct {
	explain.Step
	pieces []explain.Step
	length sim.Duration
}

// foldSteps parts the steps of a path that a table shows from those that it counts. Reasons to wait that take turns, such as
// a slot and the token budget, are a row each.
func foldSteps(p *explain.Path) (rows []pathRow, rest shorter) {
	first := 0 // row of the present run of waits
	for _, s := range p.Steps {
		if s.Length() < trifle(p) {
			rest.n++
			rest.time += s.Length()
			continue
		}
		if n := len(rows); n > 0 && !(s.Wait && rows[n-1].Wait && rows[n-1].Thread == s.Thread) {
			first = n
		}
		at := len(rows)
		for i := first; i < len(rows); i++ {
			if rows[i].Name == s.Name && s.Wait {
				at = i
			}
		}
		if at == len(rows) {
			rows = append(rows, pathRow{Step: s})
		}
		r := &rows[at]
		r.pieces, r.length = append(r.pieces, s), r.length+s.Length()
	}
	for i := range rows {
		if n := len(rows[i].pieces); n > 1 {
			rows[i].Name += fmt.Sprintf(", %d times", n)
		}
	}
	return rows, rest
}

// rowsOf is a row for each step.
func rowsOf(p *explain.Path) []pathRow {
	var rows []pathRow
	for _, s := range p.Steps {
		rows = append(rows, pathRow{s, []explain.Step{s}, s.Length()})
	}
	return rows
}

// pathColumns are the columns of a path in their order: step, thread, what released it, start, length, share, requests.
func pathColumns(p *explain.Path, rows []pathRow) []column {
	cols := []column{{head: "step"}, {head: "on"}, {head: "released by"}, {head: "start (ms)", right: true}, {head: "takes (ms)", right: true},
		{head: "%", right: true}, {head: "requests", right: true}}
	for i := range rows {
		s := &rows[i]
		for k, cell := range []string{label(&s.Step), s.Thread, s.ReleasedBy, ms(s.Start), ms(s.length), percent(s.length, p.TTFT), strconv.Itoa(s.Requests)} {
			cols[k].cells = append(cols[k].cells, cell)
		}
	}
	return cols
}

// writeSlack lists what was done off the path.
func writeSlack(w io.Writer, p *explain.Path) error {
	if len(p.Off) == 0 {
		return nil
	}
	fmt.Fprint(w, "\noff the path, and by how much it could end later:\n\n")
	cols := slackColumns(p)
	if p.Requests == 1 {
		cols = cols[:5]
	}
	return writeTable(w, cols)
}

// slackColumns are the columns of what is off a path.
func slackColumns(p *explain.Path) []column {
	cols := []column{{head: "step"}, {head: "on"}, {head: "start (ms)", right: true}, {head: "takes (ms)", right: true}, {head: "slack (ms)", right: true}, {head: "requests", right: true}}
	for _, s := range p.Off {
		for k, cell := range []string{s.Name, s.Thread, ms(s.Start), ms(s.End - s.Start), ms(s.Slack), strconv.Itoa(s.Requests)} {
			cols[k].cells = append(cols[k].cells, cell)
		}
	}
	return cols
}
