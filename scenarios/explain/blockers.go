package explain

import (
	"fmt"
	"slices"

	"pdsim/sim"
)

// blockers are what a thread did while a span waited for it: of all kinds of work the one that took most of the wait.
type blockers struct {
	kind   string
	owners []int64 // whose work it was; none if it was the engine's own
	own    bool    // it was the request's own
}

// String says what the span waited behind, and of which request.
func (b *blockers) String() string {
	switch len(b.owners) {
	case 0:
		return b.kind
	case 1:
		if b.own {
			return b.kind
		}
		return fmt.Sprintf("%s of request %d", b.kind, b.owners[0])
	}
	return fmt.Sprintf("%s of %d requests", b.kind, len(b.owners))
}

// line is a name for the wait.
func (b *blockers) line() string {
	switch {
	case b.kind == "":
		return "wait for the thread"
	case b.own:
		return "behind its own " + b.kind
	case len(b.owners) == 0:
		return "behind " + b.kind
	}
	return "behind another's " + b.kind
}

// blockers goes back over what a thread did from the end of a span's wait to its release. Each piece that stood in line
// names the one before it; a piece that follows another of the same request has that for its cause.
func (r *Recording) blockers(sp sim.Span) *blockers {
	took := map[string]sim.Duration{}
	found := map[string]*blockers{}
	for id := sp.Behind; id != 0; {
		b := r.log.At(id)
		if b.End <= sp.Ready {
			break
		}
		key := b.Kind
		if b.Owner == sp.Owner {
			key += ", its own"
		}
		took[key] += b.End.Sub(max(b.Start, sp.Ready))
		f := found[key]
		if f == nil {
			f = &blockers{kind: b.Kind, own: b.Owner == sp.Owner}
			found[key] = f
		}
		if b.Owner >= 0 && !slices.Contains(f.owners, b.Owner) {
			f.owners = append(f.owners, b.Owner)
		}
		id = r.before(b)
	}
	most := ""
	for key, d := range took {
		if most == "" || d > took[most] || d == took[most] && key < most {
			most = key
		}
	}
	if most == "" {
		return &blockers{}
	}
	return found[most]
}

// before is the piece that a thread did right before another, if that is known.
func (r *Recording) before(b *sim.Span) sim.SpanID {
	if b.Behind != 0 {
		return b.Behind
	}
	if b.Cause != 0 && r.log.At(b.Cause).Track == b.Track && r.log.At(b.Cause).End == b.Start {
		return b.Cause
	}
	return 0
}
