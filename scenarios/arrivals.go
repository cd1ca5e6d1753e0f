package scenarios

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"pdsim/model/workload"
	"pdsim/sim"
)

// arrivals makes the source of one iteration of a scenario's workload.
func arrivals(sp *Spec, iteration int) (workload.Source, error) {
	w := &sp.Workload
	if w.Kind == "trace" {
		return openTrace(sp)
	}
	rate := workload.Rate{Requests: w.Requests, PerSecond: float64(w.QPS), Burstiness: w.Burstiness, Seed: sp.Run.Seed}
	if rate.PerSecond == 0 {
		rate.PerSecond = math.Inf(1)
	}
	input, output := length(w.InputTokens, w.RangeRatio), length(w.OutputTokens, w.RangeRatio)
	if w.Turns > 1 {
		return workload.NewConversations(workload.Chat{
			Rate: rate, Turns: workload.Fixed(w.Turns), First: input, User: workload.Fixed(w.TurnTokens), Output: output,
			PrefixTokens: w.PrefixTokens, Think: sim.Duration(w.Think), MaxInput: sp.Decode.MaxModelLen - 2*w.OutputTokens,
		})
	}
	return workload.NewGamma(workload.Bench{Rate: rate, Input: input, Output: output, PrefixTokens: w.PrefixTokens, Iteration: iteration, Reseed: w.Reseed})
}

func length(mean int, ratio float64) workload.Length {
	if ratio > 0 {
		return workload.Range{Mean: mean, Ratio: ratio}
	}
	return workload.Fixed(mean)
}

// openTrace opens a trace. Requests that the servers would refuse are left in: that they fail is a result.
func openTrace(sp *Spec) (workload.Source, error) {
	w := &sp.Workload
	opt := workload.TraceOptions{Speed: w.Speed, Limit: w.Requests, Seed: sp.Run.Seed}
	if slices.Contains(workload.Builtins(), w.Trace) {
		return workload.NewBuiltin(w.Trace, opt)
	}
	f, err := os.Open(w.Trace)
	if err != nil {
		return nil, err
	}
	t, err := workload.NewTrace(workload.Format(w.Format), w.Trace, f, opt)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &traceFile{Trace: t, Closer: f, name: w.Trace}, nil
}

// traceFile is a trace with the file that it comes from.
type traceFile struct {
	*workload.Trace
	io.Closer
	name string
	some bool // it has had an arrival
}

// Next returns the next arrival, or false at the end.
func (t *traceFile) Next() (workload.Arrival, bool) {
	a, ok := t.Trace.Next()
	t.some = t.some || ok
	return a, ok
}

// Err returns the first mistake in the file. One without requests is a mistake, too: all that it gives is zeros.
func (t *traceFile) Err() error {
	if err := t.Trace.Err(); err != nil || t.some {
		return err
	}
	return fmt.Errorf("%s: want at least one request with input and output tokens, have none (%d rows left out)", t.name, t.Skipped())
}

// finish closes a source and returns what went wrong in it, if anything.
func finish(src workload.Source) error {
	if f, ok := src.(io.Closer); ok {
		f.Close()
	}
	if t, ok := src.(interface{ Err() error }); ok {
		return t.Err()
	}
	return nil
}
