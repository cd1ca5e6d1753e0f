package calibrate

import (
	"errors"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/optimize"
)

// problem is a fit without what is simulated: parameters are places from 0 to 1 in their ranges, residuals are
// logarithms of simulated over measured.
type problem struct {
	start     []float64
	point     []int // of each residual: the point whose figure it is of, from 0
	residuals func(places []float64) ([]float64, error)
}

// part is the problem with only some of its parameters free, by their numbers. The others are where they were.
func (p *problem) part(free []int) *problem {
	some := &problem{point: p.point}
	for _, at := range free {
		some.start = append(some.start, p.start[at])
	}
	some.residuals = func(places []float64) ([]float64, error) {
		all := append([]float64{}, p.start...)
		for i, at := range free {
			all[at] = places[i]
		}
		return p.residuals(all)
	}
	return some
}

// solution is where a search ended.
type solution struct {
	places    []float64
	residuals []float64
	loss      float64
	evals     int
	limited   bool // it was still getting better when its evaluations were used up
}

// kink is the residual at which the loss turns from a square to a line: a quarter off.
const kink = 0.25

// huber is the loss of one residual.
func huber(r float64) float64 {
	if a := math.Abs(r); a > kink {
		return float64(kink * (2*a - kink))
	}
	return float64(r * r)
}

// weight is the factor that makes a square of a residual's loss.
func weight(r float64) float64 { return min(1, kink/math.Abs(r)) }

func meanLoss(rs []float64) float64 {
	sum := 0.0
	for _, r := range rs {
		sum += huber(r)
	}
	return sum / float64(len(rs))
}

// homesick is what it costs to be at the other end of the range: as much as figures that are one percent off. It keeps a
// parameter that little depends on where it was, and moves one that figures follow by less than its interval.
const homesick = 1e-4

// impossible is the loss where no deployment can be made, such as compute below the peaks.
const impossible = 1e3

// first is the size of the search's first steps, as a part of the range.
const first = 0.2

// search looks for the best places by Nelder and Mead's method. Beyond an end of a range the loss is that at the end and
// grows with the distance.
func (p *problem) search(evaluations int) (*solution, error) {
	best := &solution{loss: math.Inf(1)}
	var failed error
	value := func(x []float64) float64 {
		places, extra := make([]float64, len(x)), 0.0
		for i, v := range x {
			places[i] = min(max(v, 0), 1)
			extra += float64((v-places[i])*(v-places[i])) + float64(homesick*(places[i]-p.start[i])*(places[i]-p.start[i]))
		}
		rs, err := p.residuals(places)
		best.evals++
		if err != nil {
			if best.evals == 1 {
				failed = err
			}
			return impossible + extra
		}
		loss := meanLoss(rs) + extra
		if loss < best.loss {
			best.places, best.residuals, best.loss = places, rs, loss
		}
		return loss
	}
	settings := &optimize.Settings{
		FuncEvaluations: evaluations,
		Converger:       &optimize.FunctionConverge{Absolute: 1e-8, Relative: 1e-4, Iterations: 12 * len(p.start)},
	}
	result, err := optimize.Minimize(optimize.Problem{Func: value}, p.start, settings, &optimize.NelderMead{SimplexSize: first})
	switch {
	case failed != nil:
		return nil, failed
	case result == nil:
		return nil, err
	case best.places == nil:
		return nil, errors.New("no values of the parameters make a deployment")
	}
	best.limited = result.Status == optimize.FunctionEvaluationLimit
	return best, nil
}

// stride is the difference of places that slopes are taken over: enough for the noise of a queue to be small beside it.
const stride = 0.1

// slopes returns how residuals change with each place, by differences around the solution.
func (p *problem) slopes(s *solution) ([][]float64, error) {
	all := make([][]float64, len(s.places))
	for i := range s.places {
		ends := [2]float64{max(s.places[i]-stride, 0), min(s.places[i]+stride, 1)}
		var rs [2][]float64
		for k, end := range ends {
			moved := append([]float64{}, s.places...)
			moved[i] = end
			var err error
			if rs[k], err = p.residuals(moved); err != nil { // no deployment there: the slope of the other side
				rs[k], ends[k] = s.residuals, s.places[i]
			}
		}
		if ends[0] == ends[1] {
			return nil, errors.New("no deployment can be made on either side of the solution")
		}
		all[i] = make([]float64, len(s.residuals))
		for j := range all[i] {
			all[i][j] = (rs[1][j] - rs[0][j]) / (ends[1] - ends[0])
		}
	}
	return all, nil
}

// resample refits the linearised problem to points drawn with replacement, so often, and returns the places of each.
func (p *problem) resample(s *solution, slopes [][]float64, times int, seed uint64) [][]float64 {
	points := 0
	for _, n := range p.point {
		points = max(points, n+1)
	}
	dice := rand.New(rand.NewPCG(seed, 0))
	var out [][]float64
	for range times {
		drawn := make([]float64, points)
		for range points {
			drawn[dice.IntN(points)]++
		}
		out = append(out, p.refit(s, slopes, drawn))
	}
	return out
}

// Rounds of reweighting, and of going through the coordinates within each: both have long settled by then.
const reweightings, sweeps = 6, 60

// refit minimises the weighted loss of residuals that are linear in places: squares, weighted anew so that they amount to
// Huber's loss, one coordinate after another within its bounds.
func (p *problem) refit(s *solution, slopes [][]float64, drawn []float64) []float64 {
	places := append([]float64{}, s.places...)
	rs := append([]float64{}, s.residuals...)
	weights := make([]float64, len(rs))
	for range reweightings {
		for j, r := range rs {
			weights[j] = drawn[p.point[j]] * weight(r)
		}
		for range sweeps {
			for i, slope := range slopes {
				up, down := 0.0, 0.0
				for j, g := range slope {
					up += float64(weights[j] * g * rs[j])
					down += float64(weights[j] * g * g)
				}
				if down == 0 {
					continue
				}
				next := min(max(places[i]-up/down, 0), 1)
				for j, g := range slope {
					rs[j] += float64(g * (next - places[i]))
				}
				places[i] = next
			}
		}
	}
	return places
}
