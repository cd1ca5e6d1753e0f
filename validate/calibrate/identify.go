package calibrate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"pdsim/validate"
)

// certainty is what the data says of the parameters beyond that they lie in their ranges.
type certainty struct {
	left []float64   // of each parameter: what is left of its range's spread, 0 to 1
	flat [][]float64 // directions, as weights of the parameters, in which more than vague of the spread is left
}

// vague is the part of a range's spread that may be left of a parameter that counts as determined.
const vague = 0.5

// quietest is the least that a figure is taken to scatter, as a logarithm: nobody measures a server more closely.
const quietest = 0.005

// determined weighs the curvature of the loss against the ranges. Before the data a place is anywhere from 0 to 1; each
// residual narrows that by its slope over the scatter of residuals.
func determined(s *solution, slopes [][]float64) certainty {
	k, n := len(slopes), len(s.residuals)
	scatter := 0.0
	for _, r := range s.residuals {
		scatter += huber(r)
	}
	scatter = max(scatter/float64(max(n-k, 1)), quietest*quietest)
	information := mat.NewSymDense(k, nil)
	for a := range k {
		for b := a; b < k; b++ {
			sum := 0.0
			for j, r := range s.residuals {
				sum += float64(slopes[a][j] * slopes[b][j] * weight(r))
			}
			sum /= scatter
			if a == b {
				sum += 12 // one over the variance of anywhere from 0 to 1
			}
			information.SetSym(a, b, sum)
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(information, true) {
		panic("calibrate: the curvature is no number") // residuals and slopes are finite
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	c := certainty{left: make([]float64, k)}
	for e, value := range eigen.Values(nil) {
		left := math.Sqrt(12 / value)
		direction := make([]float64, k)
		for i := range k {
			direction[i] = vectors.At(i, e)
			c.left[i] += float64(direction[i] * direction[i] / value)
		}
		if left > vague {
			c.flat = append(c.flat, direction)
		}
	}
	for i := range c.left {
		c.left[i] = math.Sqrt(12 * c.left[i])
	}
	return c
}

// flats names what the data cannot tell. Directions that together leave all of their parameters open are reported as those
// parameters, one by one.
func (plan *Plan) flats(directions [][]float64) []Flat {
	touching := make([]int, len(plan.parameters)) // directions in which each parameter moves
	all := make([]Flat, len(directions))
	for i, direction := range directions {
		all[i] = plan.flat(direction)
		for _, w := range all[i].Weights {
			touching[plan.index(w.Path)]++
		}
	}
	out := []Flat{}
	alone := map[string]bool{}
	for _, f := range all {
		open := true
		for _, w := range f.Weights {
			open = open && touching[plan.index(w.Path)] >= len(f.Weights)
		}
		if !open {
			out = append(out, f)
			continue
		}
		for _, w := range f.Weights {
			if !alone[w.Path] {
				alone[w.Path] = true
				out = append(out, Flat{[]Weight{{w.Path, 1}}})
			}
		}
	}
	return out
}

// index is the number of the parameter of that path.
func (plan *Plan) index(path string) int {
	return slices.IndexFunc(plan.parameters, func(p *Parameter) bool { return p.Path == path })
}

// flat names the parameters that a direction consists of, the largest part first and positive.
func (plan *Plan) flat(direction []float64) Flat {
	const small = 0.2
	var f Flat
	for i, w := range direction {
		if math.Abs(w) > small {
			f.Weights = append(f.Weights, Weight{plan.parameters[i].Path, validate.Number(w)})
		}
	}
	slices.SortStableFunc(f.Weights, func(a, b Weight) int {
		switch x, y := math.Abs(float64(a.Weight)), math.Abs(float64(b.Weight)); {
		case x > y+1e-9:
			return -1
		case x < y-1e-9:
			return 1
		}
		return 0
	})
	if len(f.Weights) > 0 && f.Weights[0].Weight < 0 {
		for i := range f.Weights {
			f.Weights[i].Weight = -f.Weights[i].Weight
		}
	}
	return f
}
