package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"pdsim/scenarios/explain"
	"pdsim/sim"
)

// Bars stay within their axis, and what touches in time touches in the picture.
func TestBarsTile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		axis := timeAxis{width: rapid.IntRange(1, 60).Draw(t, "width")}
		var steps []explain.Step
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			s := explain.Step{Start: axis.span, End: axis.span + sim.Duration(rapid.IntRange(0, 1000).Draw(t, "length")), Wait: rapid.Bool().Draw(t, "wait")}
			steps = append(steps, s)
			axis.span = s.End
		}
		covered := make([]bool, axis.width)
		last := -1
		for _, s := range steps {
			bar := axis.bar([]explain.Step{s})
			if n := utf8.RuneCountInString(bar); n > axis.width {
				t.Fatalf("a bar of %d columns on %d", n, axis.width)
			}
			column := 0
			for _, c := range bar {
				if c == workSign || c == waitSign {
					if column > last+1 && !covered[column-1] && last >= 0 && float64(s.Start)*float64(axis.width)/float64(axis.span)-float64(last) < 0.5 {
						t.Fatalf("a gap before column %d", column)
					}
					covered[column], last = true, column
				}
				column++
			}
		}
	})
	axis := timeAxis{10, 100}
	for _, c := range []struct {
		start, end sim.Duration
		wait       bool
		want       string
	}{{0, 50, false, "█████"}, {50, 100, true, "     ▒▒▒▒▒"}, {98, 100, false, "         ▏"}, {0, 1, true, "·"}} {
		if have := axis.bar([]explain.Step{{Start: c.start, End: c.end, Wait: c.wait}}); have != c.want {
			t.Errorf("%v to %v: have %q, want %q", c.start, c.end, have, c.want)
		}
	}
	if (timeAxis{10, 0}).bar([]explain.Step{{}}) != "" {
		t.Error("want no bar on an axis without length")
	}
}

func TestWrapped(t *testing.T) {
	have := wrapped([]string{"one", "two", "three", "four"}, 16, "none: ")
	if have != "one, two,\nthree, four" || strings.Contains(wrapped(nil, 10, ""), "\n") {
		t.Errorf("have %q", have)
	}
}
