package explain

import "pdsim/sim"

// Verdict says what became of a step from one path to another.
type Verdict string

// The verdicts.
const (
	Same     Verdict = "same"
	Shrank   Verdict = "shrank"
	Grew     Verdict = "grew"
	Moved    Verdict = "moved"              // to another thread
	Off      Verdict = "moved off the path" // it is still done, but nothing waits for it
	Gone     Verdict = "gone"
	Appeared Verdict = "appeared"
	OnPath   Verdict = "moved onto the path" // it was done before, off the path
)

// Difference is what became of one step.
type Difference struct {
	Name         string
	Thread, To   string // To: where it is in the second path, if that is another thread
	A, B         sim.Duration
	Verdict      Verdict
	before, then []Step
}

// Change is how much longer the step takes in the second path.
func (d *Difference) Change() sim.Duration { return d.B - d.A }

// Pieces are the pieces of the step in the first and in the second path.
func (d *Difference) Pieces() (a, b []Step) { return d.before, d.then }

// Compare sets two paths against each other, step by step, in the order of both: a step is the same if it has the same
// name on the same thread, or failing that the same name. Lengths of a step that comes several times are added up.
func Compare(a, b *Path) []Difference {
	first, second := collect(a), collect(b)
	pair(first, second)
	var out []Difference
	emit := func(s *folded) {
		if s.done {
			return
		}
		s.done = true
		out = append(out, difference(s, s.twin, a, b))
	}
	for _, t := range second {
		if t.twin == nil {
			out = append(out, difference(nil, t, a, b))
			continue
		}
		for _, s := range first { // what comes before the twin in the first path and is not in the second
			if s == t.twin {
				break
			}
			if s.twin == nil {
				emit(s)
			}
		}
		emit(t.twin)
	}
	for _, s := range first {
		emit(s)
	}
	return out
}

// folded is all steps of a path that are of one kind.
type folded struct {
	kind
	pieces []Step
	length sim.Duration
	twin   *folded
	done   bool
}

// collect folds the steps of a path, in the order in which each kind comes first.
func collect(p *Path) []*folded {
	var all []*folded
	byKind := map[kind]*folded{}
	for _, s := range p.Steps {
		k := kindOf(s.Name, s.Thread)
		f := byKind[k]
		if f == nil {
			f = &folded{kind: k}
			byKind[k] = f
			all = append(all, f)
		}
		f.length += s.Length()
		f.pieces = append(f.pieces, s)
	}
	return all
}

// pair finds each step's twin in the other path: on the same thread if there is one, or under the same name.
func pair(first, second []*folded) {
	match := func(same func(s, t *folded) bool) {
		for _, s := range first {
			for _, t := range second {
				if s.twin == nil && t.twin == nil && same(s, t) {
					s.twin, t.twin = t, s
				}
			}
		}
	}
	match(func(s, t *folded) bool { return s.kind == t.kind })
	match(func(s, t *folded) bool { return s.name == t.name })
}

func difference(s, t *folded, a, b *Path) Difference {
	switch {
	case t == nil:
		d := Difference{Name: s.name, Thread: s.thread, A: s.length, Verdict: Gone, before: s.pieces}
		if offPath(b, s.name) {
			d.Verdict = Off
		}
		return d
	case s == nil:
		d := Difference{Name: t.name, Thread: t.thread, B: t.length, Verdict: Appeared, then: t.pieces}
		if offPath(a, t.name) {
			d.Verdict = OnPath
		}
		return d
	}
	d := Difference{Name: s.name, Thread: s.thread, A: s.length, B: t.length, before: s.pieces, then: t.pieces}
	switch {
	case s.thread != t.thread:
		d.Verdict, d.To = Moved, t.thread
	case d.B < d.A:
		d.Verdict = Shrank
	case d.B > d.A:
		d.Verdict = Grew
	default:
		d.Verdict = Same
	}
	return d
}

// offPath says whether a path's requests did something of that name off their path.
func offPath(p *Path, name string) bool {
	for _, s := range p.Off {
		if s.Name == name {
			return true
		}
	}
	return false
}
