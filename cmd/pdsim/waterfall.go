package main

import (
	"strings"

	"pdsim/scenarios/explain"
	"pdsim/sim"
)

// The signs of a waterfall. They differ in shape, so that no colour is needed.
const (
	workSign = '█'
	waitSign = '▒'
	slimSign = '▏' // work of less than half a column
	dotSign  = '·' // the same of a wait
)

// axis is a waterfall's time axis: so many columns for so much time.
type timeAxis struct {
	width int
	span  sim.Duration
}

// bar draws the pieces of a step on the axis.
func (a timeAxis) bar(pieces []explain.Step) string {
	if a.span <= 0 {
		return ""
	}
	cells := []rune(strings.Repeat(" ", a.width))
	column := func(d sim.Duration) float64 { return float64(d) * float64(a.width) / float64(a.span) }
	for _, s := range pieces {
		first, last := column(s.Start), column(s.End)
		from := min(int(first), a.width-1)
		if last-first < 0.5 {
			sign := slimSign
			if s.Wait {
				sign = dotSign
			}
			if cells[from] == ' ' {
				cells[from] = sign
			}
			continue
		}
		sign := workSign
		if s.Wait {
			sign = waitSign
		}
		// Ends are rounded alike, so that what touches in time touches here.
		for i := int(first + 0.5); i < max(int(last+0.5), int(first+0.5)+1) && i < a.width; i++ {
			cells[i] = sign
		}
	}
	return strings.TrimRight(string(cells), " ")
}

// label is what a step is called: its name, and what it was behind if that was somebody's work.
func label(s *explain.Step) string {
	name := s.Name
	switch {
	case !s.Wait || s.Behind == "":
	case strings.HasPrefix(name, "behind "):
		name = "behind " + s.Behind
	case strings.Contains(s.Behind, " of ") || strings.HasPrefix(s.Behind, "another's "):
		name += " (" + s.Behind + ")"
	}
	return name
}
