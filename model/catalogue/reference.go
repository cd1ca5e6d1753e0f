package catalogue

import (
	"fmt"
	"io"
	"strings"
)

// Reference writes all values of the catalogue with their sources in Markdown.
func (c *Catalogue) Reference(w io.Writer) error {
	var b strings.Builder
	b.WriteString(referenceHead)
	list(&b, "gpu", "GPUs", c.GPUs)
	list(&b, "instance", "Machines", c.Instances)
	list(&b, "fabric", "Fabrics", c.Fabrics)
	list(&b, "backend", "Versions of the transfer library's backends", c.Backends)
	list(&b, "software", "Serving software", c.Software)
	_, err := io.WriteString(w, b.String())
	return err
}

const referenceHead = `# Catalogue

Every cost that pdsim computes with, its unit and where it comes from. *Inferred* values are not stated by their source;
they follow from it or are a guess near it, within the range. A scenario replaces any of them, for whichever entry it
uses, in its table ` + "`[costs]`" + `: ` + "`--set costs.backend.post_read=2.2us`" + `.

This page is made from the TOML files in model/catalogue.
`

func list[T any](b *strings.Builder, kind, title string, entries map[string]*T) {
	fmt.Fprintf(b, "\n## %s\n\nIn overrides: `costs.%s.KEY`.\n", title, kind)
	for _, key := range Names(entries) {
		fmt.Fprintf(b, "\n### %s\n\n| key | value | range | source |\n|---|---|---|---|\n", key)
		for _, f := range Facts(entries[key]) {
			between, inferred := "", ""
			if f.Low != "" {
				between = f.Low + " to " + f.High
			}
			if f.Inferred {
				inferred = "*inferred:* "
			}
			fmt.Fprintf(b, "| `%s` | %s | %s | %s%s |\n", f.Key, f.Value, between, inferred, f.Source)
		}
	}
}
