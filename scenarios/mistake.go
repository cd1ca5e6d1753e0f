package scenarios

import (
	"fmt"
	"slices"
	"strings"
)

// mostMistakes is how many mistakes are reported at once. Whoever has more wants to see the first ones mend.
const mostMistakes = 10

// Mistake is one thing that is wrong with a scenario, and where it stands.
type Mistake struct {
	File      string // name of the file; empty when Option is set
	Line, Col int    // place in the file, from 1; 0 where it is not known
	Option    string // the command-line option that said it, such as "--set decode.tp=7"
	Key       string // full name of the key, such as "decode.tp"; empty when Want names it
	Want      string // what is wanted, or what is wrong
	Have      string // what is there; empty when Want says it
	Hint      string // what was probably meant, to be put at the end
}

// String is the mistake in one line: the place, the key, what was wanted, what was there.
func (m Mistake) String() string {
	var b strings.Builder
	switch {
	case m.Option != "":
		b.WriteString(m.Option + ": ")
	case m.Line > 0:
		fmt.Fprintf(&b, "%s:%d:%d: ", m.File, m.Line, m.Col)
	case m.File != "":
		b.WriteString(m.File + ": ")
	}
	if m.Key != "" && m.Option == "" {
		b.WriteString(m.Key + ": ")
	}
	b.WriteString(m.Want)
	if m.Have != "" && m.Option == "" { // an option shows its key and value
		b.WriteString(", have " + m.Have)
	}
	b.WriteString(m.Hint)
	return b.String()
}

// Mistakes is the error of a scenario that cannot be run: everything that is wrong with it, the first ten at most.
type Mistakes struct {
	List []Mistake
	Left int // further mistakes that List has no room for
}

// Error has a line for each mistake.
func (m *Mistakes) Error() string {
	lines := make([]string, 0, len(m.List)+1)
	for _, one := range m.List {
		lines = append(lines, one.String())
	}
	if m.Left > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", m.Left))
	}
	return strings.Join(lines, "\n")
}

// Merge takes in the mistakes of another list that are not there yet.
func (m *Mistakes) Merge(o *Mistakes) {
	for _, one := range o.List {
		if !slices.Contains(m.List, one) {
			m.add(one)
		}
	}
	m.Left += o.Left
}

// add takes a mistake in, or counts it when there is no room.
func (m *Mistakes) add(one Mistake) {
	if len(m.List) == mostMistakes {
		m.Left++
		return
	}
	m.List = append(m.List, one)
}

// full says that a further mistake would only be counted.
func (m *Mistakes) full() bool { return len(m.List) == mostMistakes }

// Err is m, or nil without mistakes.
func (m *Mistakes) Err() error {
	if len(m.List) == 0 {
		return nil
	}
	return m
}
