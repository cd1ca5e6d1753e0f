package serving

import "pdsim/sim"

// counters are an engine's figures over time, for the recorder.
type counters struct {
	running, waiting, blocks counter
}

// counter is one of them with its latest value.
type counter struct {
	track sim.TrackID
	value int
}

func newCounters(s *sim.Sim, engine string) counters {
	make := func(name string) counter { return counter{s.Track(engine + "/" + name), -1} }
	return counters{make("requests running"), make("requests waiting"), make("free blocks")}
}

// count keeps what has changed.
func (e *Engine) count() {
	if !e.c.Sim.Recording() {
		return
	}
	tell := func(c *counter, value int) {
		if c.value != value {
			c.value = value
			e.c.Sim.Count(c.track, int64(value))
		}
	}
	tell(&e.counters.running, len(e.running))
	tell(&e.counters.waiting, e.waiting.len()+len(e.loading))
	tell(&e.counters.blocks, e.Pool.Free())
}
