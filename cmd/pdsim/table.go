package main

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// column is one column of a table. A head may have several lines.
type column struct {
	head  string
	right bool // numbers
	cells []string
}

// width is the room that the column takes, with the gap to its neighbour.
func (c *column) width() int {
	widest := 0
	for line := range strings.SplitSeq(c.head, "\n") {
		widest = max(widest, utf8.RuneCountInString(line))
	}
	for _, cell := range c.cells {
		widest = max(widest, utf8.RuneCountInString(cell))
	}
	return widest + 2
}

// shorten cuts the cells so that the column takes no more than a width, but leaves some of each.
func (c *column) shorten(width int) {
	most := max(width-2, 20)
	for i, cell := range c.cells {
		if runes := []rune(cell); len(runes) > most {
			c.cells[i] = string(runes[:most-3]) + "..."
		}
	}
}

// fitting is the number of leading columns that fit into a width, and one at least.
func fitting(cols []column, width int) int {
	for i := range cols {
		if width -= cols[i].width(); width < 0 {
			return max(i, 1)
		}
	}
	return len(cols)
}

// writeTable writes columns of equal length side by side.
func writeTable(w io.Writer, cols []column) error {
	align := make([]tw.Align, len(cols))
	heads := make([]any, len(cols))
	for i, c := range cols {
		align[i], heads[i] = tw.AlignLeft, c.head
		if c.right {
			align[i] = tw.AlignRight
		}
	}
	off := tw.Lines{ShowTop: tw.Off, ShowBottom: tw.Off, ShowFooterLine: tw.Off, ShowHeaderLine: tw.On}
	var out strings.Builder
	t := tablewriter.NewTable(&out,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders:  tw.BorderNone,
			Symbols:  tw.NewSymbols(tw.StyleASCII),
			Settings: tw.Settings{Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off}, Lines: off},
		})),
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: align}),
		tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: align}),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithEastAsian(tw.Off),
	)
	t.Header(heads...)
	for row := range cols[0].cells {
		cells := make([]any, len(cols))
		for i := range cols {
			cells[i] = cols[i].cells[row]
		}
		if err := t.Append(cells...); err != nil {
			return err
		}
	}
	if err := t.Render(); err != nil {
		return err
	}
	for line := range strings.Lines(out.String()) { // cells are padded on both sides
		line = strings.TrimPrefix(strings.TrimRight(line, " \n"), " ")
		if _, err := io.WriteString(w, line+"\n"); err != nil {
			return err
		}
	}
	return nil
}
