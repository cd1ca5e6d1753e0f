package serving

import "pdsim/sim"

// KillAt makes an engine die at a time of the run, with all that it holds. Requests on it fail; transfers to or from it
// fail once they would have been complete; the router goes on sending requests to it, which fail at once.
func (c *Cluster) KillAt(e *Engine, at sim.Time) {
	c.Sim.At(at, sim.Timeout, sim.Call{To: c.Sim.Register(killer{e}), Op: 0})
}

type killer struct{ e *Engine }

// Handle is the engine's end.
func (k killer) Handle(sim.Op, uint32) {
	e := k.e
	e.dead = true
	var lost []*Leg
	for i := range e.waiting.len() {
		lost = append(lost, e.waiting.at(i))
	}
	lost = append(append(append(lost, e.loading...), e.running...), e.held...)
	e.waiting, e.loading, e.running, e.held = legQueue{}, nil, nil, nil
	for _, l := range lost {
		held := l.State == Held
		e.drop(l)
		if !held { // the blocks of a held leg are gone, which whoever reads them will notice
			e.c.fail(l.Request, "the engine "+e.Name+" died")
		}
	}
	for _, r := range e.flying {
		r.drop()
	}
	e.flying = nil
}
