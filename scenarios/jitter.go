package scenarios

import (
	"math"
	"math/rand/v2"

	"pdsim/model/compute"
	"pdsim/sim"
)

// jittered varies compute times around those of a model: normally distributed, by a fraction of them, never below half.
type jittered struct {
	compute.Model
	sigma float64
	dice  *rand.Rand
}

// StepTime draws the time of one step.
func (j *jittered) StepTime(b *compute.Batch) sim.Duration {
	d := j.Model.StepTime(b)
	factor := max(0.5, 1+float64(j.sigma*j.dice.NormFloat64()))
	return sim.Duration(float64(float64(d) * factor))
}

// scaled multiplies the compute times of a model by a factor.
type scaled struct {
	compute.Model
	factor float64
}

// StepTime is the scaled time of one step.
func (s *scaled) StepTime(b *compute.Batch) sim.Duration {
	return sim.Duration(math.Round(s.factor * float64(s.Model.StepTime(b))))
}

// free is a compute model for an engine whose work is not of interest: its steps take a nanosecond.
type free struct{}

// StepTime is a nanosecond.
func (free) StepTime(*compute.Batch) sim.Duration { return sim.Nanosecond }
