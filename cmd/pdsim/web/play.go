package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"pdsim/scenarios"
	"pdsim/sim"
)

// What a run may take: spans that are kept, of 64 bytes each; the clock of the simulation, since results have a place for
// each of its seconds; and events, of which millions may come without a span.
const (
	mostSpans  = 1_000_000
	mostTime   = sim.Time(7 * 24 * time.Hour)
	mostEvents = 8_000_000
)

// play plays a scenario under a protocol on servers of its own, when it is its turn, and hands the session and its result
// on in the same turn. It ends a run that the client no longer waits for, and one that records more than it may.
func (s *server) play(ctx context.Context, sp *scenarios.Spec, protocol string, opt scenarios.Options, then func(*scenarios.Session, *scenarios.Result) error) error {
	return s.inTurn(ctx, func() error {
		opt.Recorder = &watch{ctx: ctx, keep: opt.Recorder}
		session, err := scenarios.NewSession(sp, protocol, opt)
		if err != nil {
			return refuse(http.StatusUnprocessableEntity, "%s under %s: %s", sp.Name, protocol, err)
		}
		session.Cluster().Sim.SetBudget(mostEvents)
		r, err := session.Play(sp)
		switch {
		case errors.Is(err, sim.ErrBudget):
			return refuse(http.StatusUnprocessableEntity, "want a run of at most %d events; use the command line", mostEvents)
		case err != nil:
			return err
		}
		return then(session, r)
	})
}

// inTurn does work of the simulator when a slot is free. What it panics with, be it the watch's stop or a broken promise
// of the simulator, becomes an error: the other pages go on.
func (s *server) inTurn(ctx context.Context, do func() error) (err error) {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return tooLong()
	}
	defer func() {
		switch broken := recover().(type) {
		case nil:
		case stop:
			err = broken.err
		default:
			err = fmt.Errorf("internal error: %v\n%s", broken, debug.Stack())
		}
	}()
	if ctx.Err() != nil {
		return tooLong()
	}
	return do()
}

func tooLong() error {
	return refuse(http.StatusUnprocessableEntity, "want a run that takes less than %v; use the command line", playTime)
}

// stop is what a watch ends a run with: an engine in the middle of its work has no other way out.
type stop struct{ err error }

// watch is a recorder that ends runs that take too long or record too much.
type watch struct {
	ctx   context.Context
	keep  sim.Recorder // keeps the spans, if set
	spans int
	calls int
}

// Span keeps a span if it is to be kept.
func (w *watch) Span(sp sim.Span, others []sim.SpanID) {
	w.look(sp.End)
	if w.keep == nil {
		return
	}
	if w.spans++; w.spans > mostSpans {
		panic(stop{refuse(http.StatusUnprocessableEntity, "want a run of at most %d spans; use the command line", mostSpans)})
	}
	w.keep.Span(sp, others)
}

// Count only looks at the time.
func (w *watch) Count(_ sim.TrackID, at sim.Time, _ int64) { w.look(at) }

func (w *watch) look(at sim.Time) {
	if at > mostTime {
		panic(stop{refuse(http.StatusUnprocessableEntity, "want a run of at most seven simulated days; use the command line")})
	}
	if w.calls++; w.calls%1024 == 0 && w.ctx.Err() != nil {
		panic(stop{tooLong()})
	}
}

// each does work for every one of n at once, as far as there are slots, and returns the first error by number.
func each(n int, do func(i int) error) error {
	errs := make([]error, n)
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() { errs[i] = do(i) })
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
