package sim

import "math/rand/v2"

// Stream returns the random stream of the given name. It depends on the run's seed and the name alone, so that two
// models that ask for the same name see the same numbers, and one more stream shifts no other.
func (s *Sim) Stream(name string) *rand.Rand { return NewStream(s.seed, name) }

// NewStream returns the stream that a world with the given seed has under that name.
func NewStream(seed uint64, name string) *rand.Rand {
	// FNV-1a spreads the name over the generator's second word.
	h := uint64(14695981039346656037)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	return rand.New(rand.NewPCG(seed, h))
}
