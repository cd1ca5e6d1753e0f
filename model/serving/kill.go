package serving

import (
	"pdsim/model/kv"
	"pdsim/sim"
)

// KillAt makes an engine die at a time of the run, with all that it holds. Requests on it fail; transfers to or from it
// fail once they would have been complete; the router goes on sending requests to it, which fail at once.
func (c *Cluster) KillAt(e *Engine, at sim.Time) {
	c.Sim.At(at, sim.Timeout, sim.Call{To: c.Sim.Register(killer{e}), Op: 0})
}

type killer struct{ e *Engine }

// Handle is the engine's end.
func (k killer) Handle(sim.Op, uint32) {
	e := k.e
	e.dead, e.Agent.Down = true, true
	var lost []*Leg
	for i := range e.waiting.len() {
		lost = append(lost, e.waiting.at(i))
	}
	lost = append(append(append(lost, e.loading...), e.running...), e.held...)
	e.waiting, e.loading, e.running, e.held = legQueue{}, nil, nil, nil
	for _, l := range lost {
		held := l.State == Held
		e.drop(l)
		if held { // whoever reads the blocks will notice
			l.stale = append([]kv.Block(nil), l.Blocks...)
			continue
		}
		e.c.fail(l.Request, "the engine "+e.Name+" died")
	}
	e.forget()
}

// forget lets go of the requests in a dead engine's hands.
func (e *Engine) forget() {
	lists := []*[]*Request{&e.loads, &e.flying, &e.broken, &e.forwarded}
	for k := range e.inFlight {
		lists = append(lists, &e.steps[(e.first+k)%2].loads)
	}
	for _, list := range lists {
		for _, r := range *list {
			r.drop()
		}
		*list = nil
	}
	for _, n := range e.Agent.Inbox(nil) {
		e.c.requests[n.Ref].drop()
	}
}
