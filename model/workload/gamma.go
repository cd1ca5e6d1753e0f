package workload

import "fmt"

// Bench is a run of `vllm bench serve` with random prompts.
type Bench struct {
	Rate
	Input  Length // tokens of a prompt after the common prefix
	Output Length // tokens of an answer

	// PrefixTokens is a prefix that all prompts have in common; it comes on top of Input, as --random-prefix-len does.
	PrefixTokens int

	// Iteration is the number of an earlier or later run of the same benchmark, from 0. Every iteration has the same
	// prompts and lengths. It also has the same gaps, as the tool has under one --seed, unless Reseed is set: then the
	// gaps are those of Seed+Iteration.
	Iteration int
	Reseed    bool
}

// Gamma yields the arrivals of a Bench. It takes a few kilobytes, however many requests there are, and a Gamma made anew
// from the same Bench yields the same.
type Gamma struct {
	bench         Bench
	times         *instants
	input, output *draws
}

// NewGamma returns the arrivals of b, or says what is wrong with b.
func NewGamma(b Bench) (*Gamma, error) {
	if err := b.Rate.check(); err != nil {
		return nil, err
	}
	if err := checkLengths([]string{"input", "output"}, b.Input, b.Output); err != nil {
		return nil, err
	}
	if b.PrefixTokens < 0 || b.PrefixTokens > maxTokens {
		return nil, fmt.Errorf("prefix: want 0 to %d tokens, have %d", maxTokens, b.PrefixTokens)
	}
	if b.Iteration < 0 {
		return nil, fmt.Errorf("iteration: want 0 or more, have %d", b.Iteration)
	}
	rate := b.Rate
	if b.Reseed {
		rate.Seed = uint64(uint32(rate.Seed + uint64(b.Iteration)))
	}
	return &Gamma{
		bench:  b,
		times:  newInstants(rate),
		input:  newDraws(b.Seed, "workload/input"),
		output: newDraws(b.Seed, "workload/output"),
	}, nil
}

// Next returns the next arrival, or false after the last.
func (g *Gamma) Next() (Arrival, bool) {
	at, ok := g.times.next()
	if !ok {
		return Arrival{}, false
	}
	a := Arrival{
		At:     at,
		Input:  g.bench.PrefixTokens + g.bench.Input.draw(g.input),
		Output: g.bench.Output.draw(g.output),
		Prompt: Prompt{ID: hash(g.bench.Seed, kindOwn, uint64(g.times.done))},
	}
	if g.bench.PrefixTokens > 0 {
		a.Prompt.Prefix = hash(g.bench.Seed, kindPrefix, 0)
		a.Prompt.PrefixTokens = g.bench.PrefixTokens
	}
	return a, true
}
