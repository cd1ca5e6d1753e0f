package main

import (
	"fmt"
	"io"
	"strings"

	"pdsim/scenarios/explain"
)

// writeMarkdown writes the paths for a document, with all columns.
func (x *explainer) writeMarkdown(w io.Writer) error {
	fmt.Fprintf(w, "# %s\n\npdsim %s, hash %s, seed %d", x.spec.Name, version(), x.spec.Hash(), x.spec.Run.Seed)
	for _, set := range x.spec.Set {
		fmt.Fprintf(w, ", `%s`", set)
	}
	fmt.Fprintln(w)
	for _, c := range x.cases {
		fmt.Fprintf(w, "\n## %s, %s: TTFT %s ms\n\n", c.title(), whose(c.path), ms(c.path.TTFT))
		if c.changed {
			fmt.Fprintf(w, "What if: `%s`\n\n", strings.Join(x.whatIf, "`, `"))
		}
		writeMarkdownTable(w, pathColumns(c.path, rowsOf(c.path)))
		if len(c.path.Off) > 0 {
			fmt.Fprint(w, "\nOff the path, and by how much it could end later:\n\n")
			writeMarkdownTable(w, slackColumns(c.path))
		}
	}
	for _, pair := range x.pairs() {
		if len(pair) == 2 {
			fmt.Fprintf(w, "\n## From %s to %s\n\n", pair[0].title(), pair[1].title())
			differences := explain.Compare(pair[0].path, pair[1].path)
			if pair[1].changed {
				writeBinding(w, pair[0].path, pair[1].path, differences)
				fmt.Fprintln(w)
			}
			writeMarkdownTable(w, differenceColumns(pair[0], pair[1], differences))
		}
	}
	if len(x.effects) > 0 {
		fmt.Fprint(w, "\n## What 10 % more of each number does\n\n")
		writeMarkdownTable(w, effectColumns(x.bases(), x.effects))
	}
	return nil
}

// writeMarkdownTable writes columns as a table of Markdown.
func writeMarkdownTable(w io.Writer, cols []column) {
	line := func(cell func(c column) string) {
		for _, c := range cols {
			fmt.Fprintf(w, "| %s ", strings.ReplaceAll(strings.ReplaceAll(cell(c), "\n", " "), "|", "\\|"))
		}
		fmt.Fprintln(w, "|")
	}
	line(func(c column) string { return c.head })
	line(func(c column) string {
		if c.right {
			return "---:"
		}
		return "---"
	})
	for row := range cols[0].cells {
		line(func(c column) string { return c.cells[row] })
	}
}
