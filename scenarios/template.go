package scenarios

import (
	"fmt"
	"io"
	"strings"
)

// Init writes a scenario's TOML with every key at its default, each with its meaning, unit and values in a comment.
func Init(w io.Writer, name string) error {
	sp := Defaults()
	sp.Name = name
	var b strings.Builder
	b.WriteString("# A pdsim scenario: every key with its default. A key that is left out has it too.\n")
	b.WriteString("# Quantities carry their unit: \"2.4us\", \"5s\", \"4/s\".\n")
	for _, s := range sections {
		if s.name != "" {
			fmt.Fprintf(&b, "\n# %s\n[%s]\n", s.about, s.name)
		}
		for _, k := range keysOf(s.name) {
			_, name := k.split()
			fmt.Fprintf(&b, "\n# %s\n# %s\n%s = %s\n", k.Meaning, k.about(), name, literal(k.field(&sp)))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// about is the key's values and unit in one line.
func (k *Key) about() string {
	if k.Unit == "" {
		return k.Values()
	}
	return k.Values() + " (" + k.Unit + ")"
}

// Reference writes the documentation of all keys in Markdown.
func Reference(w io.Writer) error {
	var b strings.Builder
	b.WriteString(referenceHead)
	for _, s := range sections {
		title := "The scenario"
		if s.name != "" {
			title = "`[" + s.name + "]`"
		}
		if s.name == "decode" {
			fmt.Fprintf(&b, "\n## %s\n\n%s. The keys and their defaults are those of `[prefill]`.\n", title, capital(s.about))
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s.\n\n| key | meaning | values | unit | default |\n|---|---|---|---|---|\n", title, capital(s.about))
		for _, k := range keysOf(s.name) {
			_, name := k.split()
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s | `%s` |\n", name, k.Meaning, k.Values(), k.Unit, k.Default)
		}
	}
	b.WriteString(referenceCosts)
	b.WriteString("\n## Built-in scenarios\n\n| name | what |\n|---|---|\n")
	for _, name := range Builtin() {
		sp, err := Load(name, nil)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", name, sp.Description)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// capital makes a line's first letter large.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

const referenceHead = `# Scenarios

A scenario is a TOML file or the name of a built-in one. This page lists every key; it is made from the same table as
the checks and the template that ` + "`pdsim scenarios init`" + ` writes.

- A quantity carries its unit in a text: ` + "`\"2.4us\"`, `\"5s\"`, `\"4/s\"`" + `. A bare number is in the unit of its column.
- An unknown key, a wrong type, a wrong unit or a value out of range stops the run. All mistakes of a file are told
  at once, ten at most, each with file, line, column and key.
- ` + "`--set table.key=value`" + ` overrides any key, under the same checks. The value is TOML; quotes around a text and
  brackets around a list may be left out: ` + "`--set decode.tp=4 --set run.protocols=pull,push`" + `.
- Files that a scenario names are sought beside it; those that ` + "`--set`" + ` names, in the working directory.
- ` + "`--with FILE`" + ` lays a file with any of these keys over the scenario, under ` + "`--set`" + `; see
  [observing](observing.md).
`

const referenceCosts = `
## ` + "`[costs]`" + `

Replaces values of the catalogue, to ask what if they were others: ` + "`backend.post_read = \"2.2us\"`" + `, or
` + "`--set costs.backend.post_read=2.2us`" + `. The kinds are gpu, instance, fabric, backend and software; a value holds for
whichever entry of its kind the scenario names. All keys, with their values and sources, are in
[the catalogue](catalogue.md). A value that would break physics is refused with the bound that it breaks.
`
