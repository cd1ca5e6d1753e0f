package protocols

import (
	"fmt"

	"pdsim/model/serving"
	"pdsim/sim"
)

// releasedByTheLast: all that a request's first token depended on, on the path and off it, was released when the last of
// its recorded dependencies was met, and by that one.
func (h *history) releasedByTheLast() error {
	if h.log == nil {
		return nil
	}
	for _, r := range h.requests {
		if r.Outcome != serving.Done {
			continue
		}
		seen := map[sim.SpanID]bool{}
		todo := []sim.SpanID{r.Tail}
		for len(todo) > 0 {
			id := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if seen[id] || h.log.At(id).Owner < 0 { // what all requests of a step share
				continue
			}
			seen[id] = true
			if err := h.released(id); err != nil {
				return fmt.Errorf("request %d: %w", r.ID, err)
			}
			sp := h.log.At(id)
			if sp.Owner != r.ID {
				return fmt.Errorf("request %d depended on another's work %+v", r.ID, *sp)
			}
			if sp.Cause != 0 {
				todo = append(todo, sp.Cause)
			}
			for other := range h.log.Others(id) {
				todo = append(todo, other)
			}
		}
	}
	return nil
}

// released checks one span against what it depended on and what it waited behind.
func (h *history) released(id sim.SpanID) error {
	log, sp := h.log, h.log.At(id)
	switch {
	case sp.Start < sp.Ready || sp.End < sp.Start:
		return fmt.Errorf("out of order: %+v", *sp)
	case sp.Behind != 0 && log.At(sp.Behind).End > sp.End:
		return fmt.Errorf("%+v waited behind %+v, which went on", *sp, *log.At(sp.Behind))
	case sp.Cause == 0 && sp.Kind != "send":
		return fmt.Errorf("nothing released %+v", *sp)
	case sp.Cause == 0:
		return nil
	case log.At(sp.Cause).End != sp.Ready:
		return fmt.Errorf("%+v was ready when its cause %+v had not just ended", *sp, *log.At(sp.Cause))
	}
	for other := range log.Others(id) {
		if log.At(other).End > sp.Ready {
			return fmt.Errorf("%+v depended on %+v, which ended after its cause", *sp, *log.At(other))
		}
	}
	return nil
}
