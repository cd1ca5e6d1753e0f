package main

import (
	"fmt"
	"io"
	"strings"

	"pdsim/scenarios"
)

// write writes the grid: a row for each point, the axes' values, and the figures of each protocol with their ratio, as many
// as the width takes.
func (s *sweeper) write(w io.Writer, width int) error {
	writeHead(w, s.base, s.base.Set)
	if s.carry {
		fmt.Fprint(w, "points one after another on the same servers, in the order of the rows\n\n")
	}
	cols := s.axisColumns()
	for _, c := range cols {
		width -= c.width()
	}
	shown, left := 0, 0
	for i := range gridFigures {
		block := s.figureColumns(&gridFigures[i])
		room := 0
		for _, c := range block {
			room += c.width()
		}
		if room > width && shown > 0 {
			left++
			continue
		}
		width -= room
		shown++
		cols = append(cols, block...)
	}
	if err := writeTable(w, cols); err != nil {
		return err
	}
	if left > 0 {
		fmt.Fprintf(w, "\n%d more figures in a wider terminal; --format json has all\n", left)
	}
	return nil
}

// axisColumns is the values that each point has.
func (s *sweeper) axisColumns() []column {
	var cols []column
	for i, a := range s.axes {
		// The table of a key tells nothing unless two axes differ by it alone.
		table, name, _ := strings.Cut(a.key, ".")
		c := column{head: table + ".\n" + name, right: true}
		for _, p := range s.points {
			c.cells = append(c.cells, p.values[i])
		}
		cols = append(cols, c)
	}
	return cols
}

// figureColumns is one figure of each protocol, and what it is as a multiple of the first protocol's.
func (s *sweeper) figureColumns(f *figure) []column {
	protocols := s.points[0].spec.Run.Protocols
	var cols []column
	add := func(head string, cell func(r []*scenarios.Result) string) {
		c := column{head: head, right: true}
		for _, p := range s.points {
			c.cells = append(c.cells, cell(p.results))
		}
		cols = append(cols, c)
	}
	for k, name := range protocols {
		head := f.name + "\n" + name
		if f.unit != "" {
			head += " (" + f.unit + ")"
		}
		add(head, func(r []*scenarios.Result) string { return f.text(r[k]) })
	}
	for k := range protocols[1:] {
		add(f.name+"\n"+protocols[k+1]+"/"+protocols[0], func(r []*scenarios.Result) string { return f.ratio(r[k+1], r[0]) })
	}
	return cols
}
