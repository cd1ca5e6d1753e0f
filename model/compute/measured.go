package compute

import (
	"cmp"
	"fmt"
	"slices"

	"pdsim/sim"
)

// measured is a Model of whole steps as someone timed them.
type measured struct {
	prompt    curve   // by prompt tokens: a prefill less its attention, and not less than reading the weights
	pairNs    float64 // of a query-key pair of a prompt
	decode    surface // by decodes and their context in total: the whole step
	attention surface // by the same: the step less one without context
	perRow    float64 // of a decode that rides along with a prefill, in its matrix products
}

// Measured builds a model from whole-step times of t at c.TP.
//
// A pure decode step is interpolated over sequences and total context. A prefill is split into a part by tokens and a
// part by query-key pairs, so that a chunk with a context can be priced; the rate of a pair is the least-squares one
// over the larger half of the prompts. A mixed step is the prefill, whose matrix products the decodes join at the price
// of a prompt token each, and the decodes' attention: their step less the same step without context.
//
// Small prompts often take longer than larger ones, because launches wobble: noise only adds, so the shorter
// prompt is given the time of the longer.
func Measured(c Config, t *Table) (Model, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	prompts := promptSamples(t, c.TP)
	if len(prompts.x) < 2 {
		return nil, fmt.Errorf("compute: want 2 or more measured prefills at tp = %d, have %d", c.TP, len(prompts.x))
	}
	steps := decodeLadder(t, c.TP)
	if len(steps.size) == 0 {
		return nil, fmt.Errorf("compute: want decode steps at tp = %d with 2 or more contexts a batch, have none", c.TP)
	}
	context, _ := c.limits()
	weightsNs := newBound(&c).weightsNs
	m := &measured{pairNs: pairRate(&prompts)}
	m.prompt = newCurve(int64(c.MaxTokens), tokenSub, func(n int64) float64 {
		x := max(float64(n), float64(prompts.x[0])) // a shorter prompt takes no less: launches
		return max(lineAt(&prompts, x)-float64(m.pairNs*pairsOf(x)), weightsNs)
	})
	last := len(prompts.x) - 1
	longest := float64(prompts.x[last])
	m.perRow = max(prompts.ns[last]-float64(m.pairNs*pairsOf(longest)), 0) / longest
	step := func(n, tokens int64) float64 {
		seqs := float64(max(n, 1))
		return max(stepNs(steps, seqs, float64(tokens)/seqs), weightsNs)
	}
	occurs := func(n, tokens int64) bool { return n > 0 && tokens-tokens/5 <= n*int64(c.MaxContext) }
	m.decode = newSurface(int64(c.MaxSeqs), context, attentionSub, func(n, tokens int64) (float64, bool) {
		return step(n, tokens), occurs(n, tokens)
	})
	m.attention = newSurface(int64(c.MaxSeqs), context, attentionSub, func(n, tokens int64) (float64, bool) {
		return max(step(n, tokens)-step(n, 0), 0), occurs(n, tokens)
	})
	return m, nil
}

// StepTime prices b as Measured says.
func (m *measured) StepTime(b *Batch) sim.Duration {
	seqs := int64(b.Decodes)
	if b.PrefillTokens == 0 {
		if seqs == 0 {
			return 0
		}
		return roundNs(m.decode.at(seqs, b.DecodeContext))
	}
	ns := m.prompt.at(int64(b.PrefillTokens)) + float64(m.pairNs*float64(b.PrefillPairs))
	if seqs > 0 {
		ns += float64(m.perRow*float64(seqs)) + m.attention.at(seqs, b.DecodeContext)
		ns = max(ns, m.decode.at(seqs, b.DecodeContext))
	}
	return roundNs(ns)
}

// pairsOf returns the query-key pairs of a prompt of n tokens.
func pairsOf(n float64) float64 { return n * (n + 1) / 2 }

// promptSamples returns the prefills at tp by tokens, each not above any longer one.
func promptSamples(t *Table, tp int) samples {
	points := slices.DeleteFunc(slices.Clone(t.Prefill), func(p PrefillPoint) bool { return p.TP != tp })
	slices.SortStableFunc(points, func(a, b PrefillPoint) int { return cmp.Compare(a.Tokens, b.Tokens) })
	var s samples
	for _, p := range points {
		if n := len(s.x); n > 0 && s.x[n-1] == int64(p.Tokens) {
			s.ns[n-1] = min(s.ns[n-1], p.Ms*1e6)
			continue
		}
		s.x, s.ns = append(s.x, int64(p.Tokens)), append(s.ns, p.Ms*1e6)
	}
	for i := len(s.ns) - 2; i >= 0; i-- {
		s.ns[i] = min(s.ns[i], s.ns[i+1])
	}
	return s
}

// lineAt interpolates and goes straight on beyond both ends.
func lineAt(s *samples, x float64) float64 {
	last := len(s.x) - 1
	i := 0
	if x > float64(s.x[0]) && x < float64(s.x[last]) {
		return s.at(x)
	}
	if x >= float64(s.x[last]) {
		i = last - 1
	}
	return between(float64(s.x[i]), s.ns[i], float64(s.x[i+1]), s.ns[i+1], x)
}

// stepNs interpolates a decode step of so many sequences with so much context each. Beyond the table it
// goes straight on: a step is a constant, reading the weights, and a part for each sequence and KV token.
func stepNs(l *ladder, seqs, context float64) float64 {
	last := len(l.size) - 1
	if last == 0 {
		return lineAt(&l.samples[0], context)
	}
	i := 0
	for i < last-1 && l.size[i+1] < seqs {
		i++
	}
	return between(l.size[i], lineAt(&l.samples[i], context), l.size[i+1], lineAt(&l.samples[i+1], context), seqs)
}

// pairRate returns the nanoseconds of a query-key pair: the curvature of time over tokens among the larger half of the
// prompts, as the least-squares slope of time a token over (tokens + 1) / 2. Not less than 0.
func pairRate(s *samples) float64 {
	from := len(s.x) / 2
	var n, sumX, sumY, sumXX, sumXY float64
	for i := from; i < len(s.x); i++ {
		tokens := float64(s.x[i])
		x, y := (tokens+1)/2, s.ns[i]/tokens
		n, sumX, sumY = n+1, sumX+x, sumY+y
		sumXX, sumXY = sumXX+float64(x*x), sumXY+float64(x*y)
	}
	spread := float64(n*sumXX) - float64(sumX*sumX)
	if n < 2 || spread <= 0 {
		return 0
	}
	return max((float64(n*sumXY)-float64(sumX*sumY))/spread, 0)
}

// decodeLadder returns the decode steps at tp: by batch, over the context of a sequence. A batch that was measured with
// one context alone is left out, since nothing says what more context costs it.
func decodeLadder(t *Table, tp int) *ladder {
	points := slices.DeleteFunc(slices.Clone(t.Decode), func(p DecodePoint) bool { return p.TP != tp })
	slices.SortStableFunc(points, func(a, b DecodePoint) int {
		return cmp.Or(cmp.Compare(a.Batch, b.Batch), cmp.Compare(a.Context, b.Context), cmp.Compare(a.Ms, b.Ms))
	})
	l := &ladder{}
	for len(points) > 0 {
		batch := points[0].Batch
		var s samples
		for len(points) > 0 && points[0].Batch == batch {
			p := points[0]
			points = points[1:]
			if k := len(s.x); k > 0 && s.x[k-1] == int64(p.Context) {
				continue // measured twice: the faster one was kept
			}
			s.x, s.ns = append(s.x, int64(p.Context)), append(s.ns, p.Ms*1e6)
		}
		if len(s.x) > 1 {
			l.add(float64(batch), s)
		}
	}
	return l
}
