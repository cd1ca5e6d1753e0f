package trace

import "pdsim/sim"

// place is where a track of the run is in the trace.
type place struct {
	pid   int
	name  string
	lanes []lane // of what it does
	line  []lane // of what stands in line for it
}

// lane is a track of the trace. Its slices nest.
type lane struct {
	uuid uint64
	open []span   // slices that lie within each other, the innermost last
	last sim.Time // the latest start
	end  sim.Time // the latest end
}

// span is the extent of a slice, with whose it is.
type span struct {
	end     sim.Time
	request int64
}

func (w *Writer) place(id sim.TrackID) *place {
	p := w.places[id]
	if p == nil {
		p = &place{}
		p.pid, p.name = w.process(id)
		w.places[id] = p
	}
	return p
}

// lane finds the first lane that takes a slice, or makes one.
func (w *Writer) lane(p *place, lanes *[]lane, suffix string, s *slice) uint64 {
	for i := range *lanes {
		if l := &(*lanes)[i]; l.takes(s) {
			l.put(s)
			return l.uuid
		}
	}
	w.lastTrack++
	l := lane{uuid: w.lastTrack}
	l.put(s)
	*lanes = append(*lanes, l)
	w.enc.track(l.uuid, p.pid, p.name+suffix, false)
	return l.uuid
}

// first is the first lane of what a track does, for moments, which are in nobody's way.
func (w *Writer) first(p *place, s *slice) uint64 {
	if len(p.lanes) > 0 {
		return p.lanes[0].uuid
	}
	return w.lane(p, &p.lanes, "", s)
}

// takes says whether a slice comes after all that is in the lane, or lies within what is its whole: work of the engine
// that it is part of, or of the same request.
func (l *lane) takes(s *slice) bool {
	if s.start >= l.end {
		return true
	}
	if s.start < l.last {
		return false
	}
	for i := len(l.open) - 1; i >= 0; i-- {
		if o := l.open[i]; o.end > s.start {
			return s.end <= o.end && (o.request < 0 || o.request == s.request)
		}
	}
	return true
}

// put adds a slice that the lane takes.
func (l *lane) put(s *slice) {
	for len(l.open) > 0 && l.open[len(l.open)-1].end <= s.start {
		l.open = l.open[:len(l.open)-1]
	}
	l.open = append(l.open, span{s.end, s.request})
	l.last, l.end = s.start, max(l.end, s.end)
}
