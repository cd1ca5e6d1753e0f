package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pdsim/scenarios"
	"pdsim/scenarios/explain"
)

// effects are what a tenth more of one parameter does under each protocol.
type effects struct {
	explain.Parameter
	of []explain.Effect
}

// measure runs the scenario once more for each number in it and each protocol.
func (x *explainer) measure(cmd *cobra.Command, name string, stderr io.Writer) error {
	parameters, err := explain.Parameters(x.spec)
	if err != nil {
		return err
	}
	base := x.bases()
	n := len(base)
	all := make([]effects, len(parameters))
	for i, p := range parameters {
		all[i] = effects{p, make([]explain.Effect, n)}
	}
	refused := make([]bool, len(parameters)*n)
	step, end := progress(stderr, len(refused), "runs")
	defer end()
	err = inParallel(len(refused), func(job int) error {
		e, c := &all[job/n], base[job%n]
		effect, ok, err := explain.Sensitivity(e.Parameter, c.recording.Result, func(set string) (*scenarios.Result, error) {
			sp, err := x.load(cmd, name, scenarios.Set(set))
			if err != nil {
				return nil, err
			}
			session, err := start(sp, c.protocol, scenarios.Options{})
			if err != nil {
				return nil, err
			}
			return play(session, sp)
		})
		e.of[job%n], refused[job] = effect, !ok
		return err
	}, step)
	if err != nil {
		return err
	}
	for i := range all {
		if !slices.Contains(refused[i*n:(i+1)*n], true) {
			x.effects = append(x.effects, all[i])
		}
	}
	slices.SortStableFunc(x.effects, func(a, b effects) int { return cmp.Compare(b.largest(base), a.largest(base)) })
	return nil
}

// bases are the cases as the scenario is.
func (x *explainer) bases() []*explained {
	return slices.DeleteFunc(slices.Clone(x.cases), func(c *explained) bool { return c.changed })
}

// largest is the largest relative change under any protocol.
func (e *effects) largest(base []*explained) float64 {
	most := 0.0
	for i, c := range base {
		most = max(most, e.of[i].Largest(c.recording.Result))
	}
	return most
}

// writeEffects lists what a tenth more of each number does, largest effect first.
func (x *explainer) writeEffects(w io.Writer, width int) error {
	fmt.Fprint(w, "\nwhat 10 % more of each number does:\n\n")
	var none []string
	some := slices.DeleteFunc(slices.Clone(x.effects), func(e effects) bool {
		idle := e.largest(x.bases()) == 0
		if idle {
			none = append(none, e.Key)
		}
		return idle
	})
	cols := effectColumns(x.bases(), some)
	// Absolute times go first when there is no room for all, then those of TTFT.
	for _, unit := range []string{"TPOT (ms)", "TTFT (ms)"} {
		if total(cols) > width {
			cols = slices.DeleteFunc(cols, func(c column) bool { return strings.HasSuffix(c.head, unit) })
		}
	}
	if err := writeTable(w, cols); err != nil {
		return err
	}
	if len(none) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "\nno effect: %s\n", wrapped(none, width, "no effect: "))
	return err
}

// total is the room that columns take together.
func total(cols []column) int {
	sum := 0
	for i := range cols {
		sum += cols[i].width()
	}
	return sum
}

// wrapped lists words, in lines of a width of which the first has something before it.
func wrapped(words []string, width int, before string) string {
	var out strings.Builder
	at := len(before)
	for i, word := range words {
		if i < len(words)-1 {
			word += ","
		}
		switch {
		case i == 0:
		case at+1+len(word) > width:
			out.WriteString("\n")
			at = 0
		default:
			out.WriteString(" ")
			at++
		}
		out.WriteString(word)
		at += len(word)
	}
	return out.String()
}

// effectColumns are the parameters with their effects.
func effectColumns(base []*explained, all []effects) []column {
	cols := []column{{head: "key"}, {head: "value", right: true}}
	for _, c := range base {
		for _, what := range []string{"TTFT (ms)", "TTFT (%)", "TPOT (ms)", "TPOT (%)"} {
			cols = append(cols, column{head: c.protocol + "\n" + what, right: true})
		}
	}
	for i := range all {
		e := &all[i]
		cols[0].cells = append(cols[0].cells, e.Key)
		cols[1].cells = append(cols[1].cells, e.Value)
		for k, c := range base {
			r := c.recording.Result
			for j, cell := range []string{change(e.of[k].TTFTMs, 3), relative(e.of[k].TTFTMs, r.MeanTTFTMs), change(e.of[k].TPOTMs, 4), relative(e.of[k].TPOTMs, r.MeanTPOTMs)} {
				cols[2+4*k+j].cells = append(cols[2+4*k+j].cells, cell)
			}
		}
	}
	return cols
}

// change writes a difference with its sign; none is a dash.
func change(x float64, digits int) string {
	text := strconv.FormatFloat(x, 'f', digits, 64)
	if v, err := strconv.ParseFloat(text, 64); err == nil && v == 0 {
		return "-"
	}
	if x > 0 {
		return "+" + text
	}
	return text
}

func relative(x, of float64) string {
	if of == 0 {
		return "-"
	}
	return change(100*x/of, 2)
}
