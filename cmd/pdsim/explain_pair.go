package main

import (
	"fmt"
	"io"

	"pdsim/scenarios/explain"
	"pdsim/sim"
)

// writePair writes two paths side by side on one time axis, and what became of each step.
func (x *explainer) writePair(w io.Writer, a, b *explained, width int) error {
	for _, c := range []*explained{a, b} {
		fmt.Fprintf(w, "%s, %s: TTFT %s ms\n", c.title(), whose(c.path), ms(c.path.TTFT))
	}
	differences := explain.Compare(a.path, b.path)
	if b.changed {
		writeBinding(w, a.path, b.path, differences)
	}
	fmt.Fprintln(w)
	least := min(trifle(a.path), trifle(b.path))
	differences, short := foldDifferences(differences, least)
	if err := writeTable(w, pairColumns(a, b, differences, width)); err != nil {
		return err
	}
	if short[0].n > 0 {
		fmt.Fprintf(w, "and %s; %s ms\n", short[0], ms(short[1].time))
	}
	fmt.Fprintln(w)
	if err := writeTable(w, differenceColumns(a, b, differences)); err != nil {
		return err
	}
	for _, c := range []*explained{a, b} {
		if len(c.path.Off) > 0 {
			fmt.Fprintf(w, "\n%s:", c.title())
			if err := writeSlack(w, c.path); err != nil {
				return err
			}
		}
	}
	return nil
}

// foldDifferences parts what a table shows from what is short in both paths.
func foldDifferences(all []explain.Difference, least sim.Duration) (shown []explain.Difference, rest [2]shorter) {
	for _, d := range all {
		if max(d.A, d.B) >= least {
			shown = append(shown, d)
			continue
		}
		rest[0].n++
		rest[0].time += d.A
		rest[1].time += d.B
	}
	return shown, rest
}

// writeBinding says which step takes longest, before and after a change, and what the change does to it.
func writeBinding(w io.Writer, a, b *explain.Path, differences []explain.Difference) {
	was, now := a.Longest(), b.Longest()
	if was == nil || now == nil {
		return
	}
	fmt.Fprintf(w, "longest step: %s on %s, %s ms (%s %%)", label(was), was.Thread, ms(was.Length()), percent(was.Length(), a.TTFT))
	for _, d := range differences {
		if d.Name == was.Name && d.Thread == was.Thread && d.Verdict != explain.Same {
			fmt.Fprintf(w, ", %s", verdict(&d))
		}
	}
	fmt.Fprintf(w, "\nnow binds: %s on %s, %s ms (%s %%)\n", label(now), now.Thread, ms(now.Length()), percent(now.Length(), b.TTFT))
}

// pairColumns are a row for each step: its length and its bars in both paths.
func pairColumns(a, b *explained, differences []explain.Difference, width int) []column {
	step := column{head: "step"}
	times := [2]column{{head: a.title() + " (ms)", right: true}, {head: b.title() + " (ms)", right: true}}
	for i := range differences {
		d := &differences[i]
		before, then := d.Pieces()
		step.cells = append(step.cells, d.Name)
		times[0].cells = append(times[0].cells, length(before, d.A))
		times[1].cells = append(times[1].cells, length(then, d.B))
	}
	left := width - times[0].width() - times[1].width()
	step.shorten(max(left-2*narrowest, 20))
	left -= step.width()
	axis := timeAxis{max(left/2-2, narrowest-4), max(a.path.TTFT, b.path.TTFT)}
	bars := [2]column{{head: a.title()}, {head: b.title()}}
	for i := range differences {
		before, then := differences[i].Pieces()
		bars[0].cells = append(bars[0].cells, axis.bar(before))
		bars[1].cells = append(bars[1].cells, axis.bar(then))
	}
	return []column{step, times[0], bars[0], times[1], bars[1]}
}

// length is the time of a step that may not be there.
func length(pieces []explain.Step, d sim.Duration) string {
	if len(pieces) == 0 {
		return "-"
	}
	return ms(d)
}

// differenceColumns are a row for each step that is not the same in both paths, and one for the whole.
func differenceColumns(a, b *explained, differences []explain.Difference) []column {
	cols := []column{{head: "step"}, {head: "on"}, {head: "change (ms)", right: true}, {head: "what became of it"}}
	row := func(cells ...string) {
		for k, cell := range cells {
			cols[k].cells = append(cols[k].cells, cell)
		}
	}
	for i := range differences {
		if d := &differences[i]; d.Verdict != explain.Same {
			row(d.Name, d.Thread, signed(d.Change()), verdict(d))
		}
	}
	row("TTFT", "", signed(b.path.TTFT-a.path.TTFT), "")
	return cols
}

// verdict says what became of a step.
func verdict(d *explain.Difference) string {
	if d.Verdict == explain.Moved {
		return "moved to " + d.To
	}
	return string(d.Verdict)
}

func signed(d sim.Duration) string {
	if d > 0 {
		return "+" + ms(d)
	}
	return ms(d)
}
