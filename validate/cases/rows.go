package cases

import (
	"fmt"
	"math"
	"strings"

	"pdsim/validate/read"
)

// repeats are the rows of a table that are one point.
type repeats struct {
	point   Point
	values  map[string][]float64
	weights map[string][]float64
}

// rows makes points of a table's rows, in the order in which their names first come.
func (c *Case) rows(t *Table) ([]Point, error) {
	f, err := c.Folder.Open(t.File)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	groups := map[string]*repeats{}
	var order []string
	notes, err := read.Rows(t.File, f, c.Reading, func(r read.Row) error {
		p, err := t.point(&r)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", t.File, r.Line, err)
		}
		key := fmt.Sprint(p.Name, p.Fitted)
		g := groups[key]
		if g == nil {
			g = &repeats{point: p, values: map[string][]float64{}, weights: map[string][]float64{}}
			groups[key] = g
			order = append(order, key)
		}
		return g.add(t, &r)
	})
	c.Notes.Add(notes)
	if err != nil {
		return nil, err
	}
	var points []Point
	for _, key := range order {
		points = append(points, groups[key].mean())
	}
	return points, nil
}

// point is a row without its figures.
func (t *Table) point(r *read.Row) (Point, error) {
	p := Point{Measured: map[string]float64{}, Spread: map[string]float64{}}
	var err error
	fill := func(text string) string {
		out, bad := substitute(text, r)
		if bad != nil && err == nil {
			err = bad
		}
		return out
	}
	p.Name, p.Protocol = fill(t.Name), fill(t.Protocol)
	for _, s := range t.Set {
		p.Set = append(p.Set, fill(s))
	}
	if t.Fitted != "" && err == nil {
		switch have := r.Fields[t.Fitted]; have {
		case "yes", "no":
			p.Fitted = have == "yes"
		default:
			err = fmt.Errorf("%s: want yes or no, have %q", t.Fitted, have)
		}
	}
	return p, err
}

// substitute puts a row's values in the place of {column}.
func substitute(text string, r *read.Row) (string, error) {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{")
		out.WriteString(before)
		if !ok {
			return out.String(), nil
		}
		column, after, ok := strings.Cut(rest, "}")
		if !ok {
			return "", fmt.Errorf("want } after {%s", rest)
		}
		value, ok := r.Fields[column]
		if !ok {
			return "", fmt.Errorf("the table has no column %q", column)
		}
		out.WriteString(value)
		text = after
	}
}

// add takes in the figures of a row; empty ones were not measured.
func (g *repeats) add(t *Table, r *read.Row) error {
	weight := 1.0
	if t.Weight != "" {
		w, ok, err := r.Number(t.Weight)
		if err != nil {
			return err
		}
		if !ok || w <= 0 {
			return fmt.Errorf("line %d: %s: want a weight above 0, have %q", r.Line, t.Weight, r.Fields[t.Weight])
		}
		weight = w
	}
	for figure, column := range t.Measured {
		if _, ok := r.Fields[column]; !ok {
			return fmt.Errorf("the table has no column %q", column)
		}
		v, ok, err := r.Number(column)
		if err != nil {
			return err
		}
		if ok {
			g.values[figure] = append(g.values[figure], v)
			g.weights[figure] = append(g.weights[figure], weight)
		}
	}
	return nil
}

// mean is the point with the weighted means of its repetitions, and their weighted standard deviation.
func (g *repeats) mean() Point {
	p := g.point
	for figure, values := range g.values {
		sum, total := 0.0, 0.0
		for i, v := range values {
			w := g.weights[figure][i]
			sum += float64(w * v)
			total += w
		}
		mean := sum / total
		p.Measured[figure] = mean
		p.Repeats = max(p.Repeats, len(values))
		if len(values) < 2 {
			continue
		}
		square := 0.0
		for i, v := range values {
			square += float64(g.weights[figure][i] * (v - mean) * (v - mean))
		}
		n := float64(len(values))
		p.Spread[figure] = math.Sqrt(square / total * n / (n - 1))
	}
	return p
}
