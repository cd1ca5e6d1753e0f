package calibrate

import (
	"math"

	"gonum.org/v1/gonum/mat"
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
