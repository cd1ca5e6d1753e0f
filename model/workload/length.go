package workload

import (
	"fmt"
	"math"
	"math/rand/v2"

	"pdsim/sim"
)

// maxTokens is more than any prompt or answer has; larger numbers are taken for mistakes.
const maxTokens = 1 << 30

// Length is a distribution of lengths in tokens: [Fixed], [Range] or [LogNormal]. What it draws is 1 or more.
type Length interface {
	check() error
	draw(from *draws) int
}

// Fixed is always that many tokens.
type Fixed int

// Range is the distribution of vLLM's random dataset: every length from Mean*(1-Ratio), rounded down, to Mean*(1+Ratio),
// rounded up, is equally likely. The lengths drawn are not vLLM's, which depend on its tokenizer.
type Range struct {
	Mean  int     // tokens
	Ratio float64 // from 0 to below 1 (--random-range-ratio)
}

// LogNormal has many short and a few very long lengths, as chats do. Lengths are rounded to whole tokens.
type LogNormal struct {
	Mean  float64 // tokens, of the lengths themselves and not of their logarithm; before Max is applied
	Sigma float64 // standard deviation of the natural logarithm
	Max   int     // longest, in tokens; 0 for none
}

func (f Fixed) check() error {
	if f < 1 || f > maxTokens {
		return fmt.Errorf("want 1 to %d tokens, have %d", maxTokens, int(f))
	}
	return nil
}

func (f Fixed) draw(*draws) int { return int(f) }

func (r Range) check() error {
	if r.Mean < 1 || r.Mean > maxTokens/2 {
		return fmt.Errorf("mean: want 1 to %d tokens, have %d", maxTokens/2, r.Mean)
	}
	if !(r.Ratio >= 0 && r.Ratio < 1) {
		return fmt.Errorf("range ratio: want 0 to below 1, have %v", r.Ratio)
	}
	return nil
}

func (r Range) draw(from *draws) int {
	low := max(int(math.Floor(float64(r.Mean)*(1-r.Ratio))), 1)
	high := int(math.Ceil(float64(r.Mean) * (1 + r.Ratio)))
	return low + from.rng.IntN(high-low+1)
}

func (l LogNormal) check() error {
	if !(l.Mean >= 1 && l.Mean <= maxTokens) {
		return fmt.Errorf("mean: want 1 to %d tokens, have %v", maxTokens, l.Mean)
	}
	if !(l.Sigma >= 0 && l.Sigma <= 10) {
		return fmt.Errorf("sigma: want 0 to 10, have %v", l.Sigma)
	}
	if l.Max < 0 || l.Max > maxTokens {
		return fmt.Errorf("max: want 0 to %d tokens, have %d", maxTokens, l.Max)
	}
	return nil
}

func (l LogNormal) draw(from *draws) int {
	// The mean of exp(N(mu, sigma)) is exp(mu + sigma^2/2).
	mu := math.Log(l.Mean) - float64(l.Sigma*l.Sigma)/2
	longest := maxTokens
	if l.Max > 0 {
		longest = l.Max
	}
	x := exp(mu + float64(l.Sigma*from.gauss.next(from.rng.Float64)))
	return int(min(max(math.Round(x), 1), float64(longest)))
}

// draws is a random stream for lengths.
type draws struct {
	rng   *rand.Rand
	gauss polar
}

// newDraws returns the stream that a seed has under a name.
func newDraws(seed uint64, name string) *draws { return &draws{rng: sim.NewStream(seed, name)} }

// checkLengths checks distributions given as name and length in turn, and names the first wrong one.
func checkLengths(names []string, lengths ...Length) error {
	for i, l := range lengths {
		if l == nil {
			return fmt.Errorf("%s: want a length, have none", names[i])
		}
		if err := l.check(); err != nil {
			return fmt.Errorf("%s: %w", names[i], err)
		}
	}
	return nil
}
