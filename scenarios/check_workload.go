package scenarios

import (
	"math"
	"slices"

	"pdsim/model/workload"
)

// mostRequests is the largest number of requests of a scenario, all iterations and turns together.
const mostRequests = 1_000_000_000

// longestSpan is the longest time over which requests may arrive, in seconds: 30 years.
const longestSpan = 1e9

// checkWorkload checks what no key of the workload says by itself.
func (a *assembly) checkWorkload() {
	if !a.fine("workload.kind") {
		return
	}
	if a.spec.Workload.Kind == "trace" {
		a.checkTrace()
		return
	}
	for _, path := range []string{"workload.trace", "workload.format", "workload.speed"} {
		a.idle(path, "workload.kind", "synthetic", "")
	}
	a.checkNumber()
	a.checkLengths()
}

// checkNumber checks that a made workload ends, and before the clock does.
func (a *assembly) checkNumber() {
	w := &a.spec.Workload
	switch n := float64(w.Requests) * float64(w.Iterations) * float64(w.Turns); {
	case !a.fine("workload.requests", "workload.iterations", "workload.turns", "workload.qps"):
	case w.Requests == 0 && w.MaxConcurrency > 0:
		a.refuse("workload.requests", "want 1 or more: a closed loop without a number of requests has no end")
	case w.Requests == 0:
		a.refuse("workload.requests", "want 1 or more with workload.kind = \"synthetic\"")
	case n > mostRequests:
		a.refuse("workload.requests", "want at most %d in all iterations and turns, which are %d and %d", mostRequests, w.Iterations, w.Turns)
	case w.QPS > 0 && float64(w.Requests)/float64(w.QPS) > longestSpan:
		a.refuse("workload.qps", "want arrivals within %.0f s", longestSpan)
	}
}

// checkLengths checks that the longest prompt and answer are within what the engines accept.
func (a *assembly) checkLengths() {
	w := &a.spec.Workload
	if !a.fine("workload.input_tokens", "workload.output_tokens", "workload.prefix_tokens", "workload.range_ratio", "prefill.max_model_len", "decode.max_model_len") {
		return
	}
	longest := func(mean int) int { return int(math.Ceil(float64(mean) * (1 + w.RangeRatio))) }
	output := longest(w.OutputTokens)
	for _, e := range []struct {
		path    string
		limit   int
		answers int // tokens that the engine generates
	}{{"prefill.max_model_len", a.spec.Prefill.MaxModelLen, 1}, {"decode.max_model_len", a.spec.Decode.MaxModelLen, output}} {
		if w.PrefixTokens+longest(w.InputTokens)+e.answers > e.limit {
			lengths := []string{"workload.input_tokens", "workload.prefix_tokens", "workload.output_tokens", e.path}
			if e.answers > w.InputTokens {
				lengths[0], lengths[2] = lengths[2], lengths[0]
			}
			a.refuse(a.latest(lengths...), "want prompts and answers within %s = %d: they take %d and %d tokens at most", e.path, e.limit,
				w.PrefixTokens+longest(w.InputTokens), e.answers)
		}
	}
}

// checkTrace checks a recorded workload.
func (a *assembly) checkTrace() {
	w := &a.spec.Workload
	for _, path := range []string{"workload.burstiness", "workload.reseed", "workload.input_tokens",
		"workload.output_tokens", "workload.range_ratio", "workload.prefix_tokens", "workload.turns", "workload.think", "workload.turn_tokens"} {
		a.idle(path, "workload.kind", "trace", "")
	}
	a.idle("workload.qps", "workload.kind", "trace", "; workload.speed changes the rate")
	switch builtin := workload.Builtins(); {
	case w.Trace == "":
		a.refuse("workload.trace", "want a file, or one of %s", oneOf(builtin))
	case slices.Contains(builtin, w.Trace):
	case !isFile(w.Trace):
		a.refuseNear("workload.trace", builtin, "want a file that exists, or one of %s", oneOf(builtin))
	}
	if float64(w.Requests)*float64(w.Iterations) > mostRequests && a.fine("workload.requests", "workload.iterations") {
		a.refuse("workload.requests", "want at most %d in all iterations, which are %d", mostRequests, w.Iterations)
	}
}
