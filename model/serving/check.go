package serving

import (
	"fmt"

	"pdsim/model/kv"
)

// Check returns an error when the cluster's books do not balance. It may be asked between any two events, and within
// [Client.Ended], and looks at everything.
//
//   - blocks conserved: a block is in use exactly while a leg that is loading, running or held has it;
//   - a leg is in one list of its engine, the one that its state names;
//   - no more than max_num_seqs run;
//   - the counts of finished loads and of what polls look for are those of the lists.
func (c *Cluster) Check() error {
	for _, engines := range [][]*Engine{c.Prefill, c.Decode} {
		for _, e := range engines {
			if err := e.check(); err != nil {
				return fmt.Errorf("%s at %v: %w", e.Name, c.Sim.Now(), err)
			}
		}
	}
	return nil
}

func (e *Engine) check() error {
	if e.dead {
		return nil // its memory is gone with it
	}
	if err := e.Pool.Check(); err != nil {
		return err
	}
	if len(e.running) > e.MaxSeqs {
		return fmt.Errorf("%d requests run, max_num_seqs is %d", len(e.running), e.MaxSeqs)
	}
	books := books{blocks: map[kv.Block]bool{}, legs: map[*Leg]bool{}}
	for i := range e.waiting.len() {
		books.enter(e, e.waiting.at(i), Waiting)
	}
	for _, l := range e.loading {
		books.enter(e, l, Loading)
	}
	for _, l := range e.running {
		books.enter(e, l, Running, Over) // over between its last token and the end of the step's processing
	}
	for _, l := range e.held {
		books.enter(e, l, Held)
	}
	return books.close(e)
}

// books are what the lists of an engine add up to.
type books struct {
	blocks map[kv.Block]bool
	legs   map[*Leg]bool
	ready  int // loads reported
	watch  int // loads and held blocks not reported
	err    error
}

func (b *books) enter(e *Engine, l *Leg, states ...State) {
	in := false
	for _, s := range states {
		in = in || l.State == s
	}
	switch {
	case b.legs[l]:
		b.err = fmt.Errorf("request %d is there twice", l.Request.ID)
	case l.Engine != e || !in:
		b.err = fmt.Errorf("request %d is in the list of state %d and in state %d", l.Request.ID, states[0], l.State)
	case l.Request.refs < 1:
		b.err = fmt.Errorf("request %d is in use and counted as free", l.Request.ID)
	case l.State == Waiting && len(l.Blocks) > 0:
		b.err = fmt.Errorf("request %d waits with %d blocks", l.Request.ID, len(l.Blocks))
	}
	b.legs[l] = true
	for _, block := range l.Blocks {
		b.blocks[block] = true
	}
	switch {
	case l.State == Loading && l.ready:
		b.ready++
	case l.State == Loading, l.State == Held:
		b.watch++
	}
}

func (b *books) close(e *Engine) error {
	switch {
	case b.err != nil:
		return b.err
	case len(b.blocks) != e.Pool.Used():
		return fmt.Errorf("%d blocks in use, requests have %d", e.Pool.Used(), len(b.blocks))
	case b.ready != e.ready:
		return fmt.Errorf("%d loads counted as ready, %d are", e.ready, b.ready)
	case b.watch != e.watch:
		return fmt.Errorf("%d things counted as watched, %d are", e.watch, b.watch)
	}
	return nil
}
