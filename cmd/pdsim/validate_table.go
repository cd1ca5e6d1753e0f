package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"pdsim/validate"
)

// write writes a report for people: errors by family, decisions, and every point when they are asked for.
func (v *validator) write(w io.Writer, r *validate.Report, width int) error {
	fmt.Fprintf(w, "pdsim %s\n%d cases, seeds: %d\n", version(), len(r.Cases), v.seeds)
	for _, file := range v.with {
		fmt.Fprintln(w, "with:", file)
	}
	if len(v.set) > 0 {
		fmt.Fprintln(w, "set:", strings.Join(v.set, ", "))
	}
	fmt.Fprint(w, "\nerrors are (simulated - measured) / measured; fitted points are shown apart and not judged\n\n")
	if err := writeReportTable(w, r.FamilyTable(), 2, width); err != nil {
		return err
	}
	if d := &r.Decisions; len(d.List) > 0 {
		fmt.Fprintf(w, "\ndecisions: %d of %d right", d.Right, d.Total)
		if d.FittedTotal > 0 {
			fmt.Fprintf(w, "; on fitted points %d of %d", d.FittedRight, d.FittedTotal)
		}
		fmt.Fprint(w, "\n\n")
		if err := writeReportTable(w, r.DecisionTable(), 3, width); err != nil {
			return err
		}
	}
	if !v.points {
		return nil
	}
	for i := range r.Cases {
		c := &r.Cases[i]
		fmt.Fprintf(w, "\n%s: %s\n\n", c.Name, c.Title)
		if err := writeReportTable(w, c.PointTable(), 3, width); err != nil {
			return err
		}
		if t := c.RequestTable(); len(t.Rows) > 0 {
			fmt.Fprintln(w)
			if err := writeReportTable(w, t, 2, width); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeReportTable writes a table whose first columns are texts, as many columns as the width takes.
func writeReportTable(w io.Writer, t validate.Table, texts, width int) error {
	cols := make([]column, len(t.Head))
	for i, head := range t.Head {
		cols[i] = column{head: strings.ReplaceAll(head, " ", "\n"), right: i >= texts}
		for _, row := range t.Rows {
			cols[i].cells = append(cols[i].cells, row[i])
		}
		if i < texts {
			cols[i].shorten(44)
		}
	}
	n := fitting(cols, width)
	if err := writeTable(w, cols[:n]); err != nil {
		return err
	}
	if n < len(cols) {
		_, err := fmt.Fprintf(w, "%d more columns in a wider terminal; --format markdown has all\n", len(cols)-n)
		return err
	}
	return nil
}

// figureRows is a header and a row for each figure of each point.
func figureRows(r *validate.Report) [][]string {
	rows := [][]string{{
		"family", "case", "point", "protocol", "metric", "judged", "fitted", "repeats", "measured", "spread", "seeds", "simulated",
		"simulated_spread", "error_percent", "by_size", "alone",
	}}
	for i := range r.Cases {
		c := &r.Cases[i]
		for _, p := range c.Points {
			for _, f := range p.Figures {
				rows = append(rows, []string{
					c.Family, c.Name, p.Name, p.Protocol, f.Metric, strconv.FormatBool(f.Judged), strconv.FormatBool(f.Fitted),
					strconv.Itoa(p.Repeats), number(f.Measured), number(f.Spread), strconv.Itoa(p.Seeds), number(f.Simulated),
					number(f.SimulatedSpread), number(f.Error), number(f.BySize), number(f.Alone),
				})
			}
		}
	}
	return rows
}

// number is a figure with six digits, nothing when it is not known.
func number(n validate.Number) string {
	if !n.Known() {
		return ""
	}
	return strconv.FormatFloat(float64(n), 'g', 6, 64)
}
