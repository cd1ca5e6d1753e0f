package validate

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"
)

// Table is a table of a report, its cells as text.
type Table struct {
	Head []string
	Rows [][]string
}

// FamilyTable is the errors by family and figure.
func (r *Report) FamilyTable() Table {
	t := Table{Head: []string{
		"family", "figure", "points", "median error (%)", "p90 error (%)", "worst (%)", "bias (%)", "rank", "fitted points",
		"their error (%)", "size/bandwidth (%)", "one request (%)",
	}}
	for _, f := range r.Families {
		t.Rows = append(t.Rows, []string{
			f.Name, f.Metric, fmt.Sprint(f.Points), percent(f.MedianAPE), percent(f.P90APE), percent(f.WorstAPE), signed(f.Bias), decimals(f.Rank, 2),
			fmt.Sprint(f.Fitted), percent(f.FittedAPE), percent(f.BySizeAPE), percent(f.AloneAPE),
		})
	}
	return t
}

// DecisionTable is which variant wins, measured and simulated.
func (r *Report) DecisionTable() Table {
	t := Table{Head: []string{"case", "decision", "figure", "measured factor", "simulated factor", "verdict"}}
	for _, d := range r.Decisions.List {
		verdict := "wrong"
		switch {
		case !d.Beyond:
			verdict = "within noise"
		case d.Right:
			verdict = "right"
		}
		if d.Fitted {
			verdict += ", fitted"
		}
		t.Rows = append(t.Rows, []string{d.Case, d.Name, d.Metric, decimals(d.Measured, 2), decimals(d.Simulated, 2), verdict})
	}
	return t
}

// PointTable is all figures of a case. A mark says which of them were fitted.
func (c *Case) PointTable() Table {
	t := Table{Head: []string{"point", "protocol", "figure", "measured", "spread", "simulated", "spread over seeds", "error (%)", "fitted"}}
	for _, p := range c.Points {
		for _, f := range p.Figures {
			fitted := ""
			if f.Fitted {
				fitted = "yes"
			}
			t.Rows = append(t.Rows, []string{
				p.Name, p.Protocol, f.Metric, figure(f.Measured), figure(f.Spread), figure(f.Simulated), figure(f.SimulatedSpread), signed(f.Error), fitted,
			})
		}
	}
	return t
}

// RequestTable compares requests one by one, for the points of a case that have their times.
func (c *Case) RequestTable() Table {
	t := Table{Head: []string{
		"point", "of each request", "requests", "KS distance", "median, measured", "simulated", "p99, measured", "simulated",
		"median difference (ms)", "p90 difference (ms)",
	}}
	for _, p := range c.Points {
		for _, d := range p.Distributions {
			median, p99 := d.quantile(50), d.quantile(99)
			t.Rows = append(t.Rows, []string{
				p.Name, d.Metric, fmt.Sprint(d.Measured), decimals(d.KS, 2), figure(median.Measured), figure(median.Simulated), figure(p99.Measured), figure(p99.Simulated),
				figure(d.Requests.Median), figure(d.Requests.P90),
			})
		}
	}
	return t
}

func (d *Distribution) quantile(percent Number) Quantile {
	for _, q := range d.Quantiles {
		if q.Percent == percent {
			return q
		}
	}
	return Quantile{Percent: percent, Measured: Number(math.NaN()), Simulated: Number(math.NaN())}
}

// WriteMarkdown writes the report as a page.
func (r *Report) WriteMarkdown(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprint(out, "# Validation\n\nErrors are (simulated - measured) / measured in percent; of a family, medians and percentiles of their absolute\nvalues. Points that parameters were fitted to are shown and not judged.\n\n")
	r.writeSummary(out)
	r.writeCases(out)
	return out.Flush() // which repeats the first error of a write
}

// writeSummary writes the errors of families and the decisions.
func (r *Report) writeSummary(out io.Writer) {
	fmt.Fprint(out, "## Families\n\n")
	r.FamilyTable().markdown(out)
	d := &r.Decisions
	fmt.Fprintf(out, "\n## Decisions\n\n%d of %d right where the measured difference exceeds its noise; on fitted points %d of %d.\n\n", d.Right, d.Total, d.FittedRight, d.FittedTotal)
	r.DecisionTable().markdown(out)
}

// writeCases writes every figure of every case.
func (r *Report) writeCases(out io.Writer) {
	for i := range r.Cases {
		c := &r.Cases[i]
		fmt.Fprintf(out, "\n## %s\n\n%s.\n\n- family: %s\n- source: %s\n- licence: %s\n", c.Name, capital(c.Title), c.Family, c.Source, c.Licence)
		if c.Note != "" {
			fmt.Fprintf(out, "\n%s\n", strings.TrimSpace(c.Note))
		}
		fmt.Fprintln(out)
		c.PointTable().markdown(out)
		if t := c.RequestTable(); len(t.Rows) > 0 {
			fmt.Fprintln(out)
			t.markdown(out)
		}
	}
}

// markdown writes a table; cells are not padded, so that one figure changes one line.
func (t Table) markdown(w io.Writer) {
	fmt.Fprintf(w, "| %s |\n|%s\n", strings.Join(t.Head, " | "), strings.Repeat(" --- |", len(t.Head)))
	for _, row := range t.Rows {
		fmt.Fprintf(w, "| %s |\n", strings.ReplaceAll(strings.Join(row, " | "), "\n", " "))
	}
}

func capital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// percent is an error with one decimal.
func percent(n Number) string { return decimals(n, 1) }

// signed is an error with its sign.
func signed(n Number) string {
	if !n.Known() {
		return ""
	}
	return fmt.Sprintf("%+.1f", float64(n))
}

func decimals(n Number, places int) string {
	if !n.Known() {
		return ""
	}
	return fmt.Sprintf("%.*f", places, float64(n))
}

// figure is a figure with four significant digits.
func figure(n Number) string {
	switch x := math.Abs(float64(n)); {
	case !n.Known():
		return ""
	case x >= 1000:
		return fmt.Sprintf("%.0f", float64(n))
	default:
		return fmt.Sprintf("%.4g", float64(n))
	}
}
