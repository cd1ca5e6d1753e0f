package sim

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// list is the queue as one would write it without a thought for speed.
type list []event

func (l *list) next() Time {
	if len(*l) == 0 {
		return Never
	}
	return slices.MinFunc(*l, order).at
}

func (l *list) take() event {
	e := slices.MinFunc(*l, order)
	*l = slices.DeleteFunc(*l, func(x event) bool { return x == e })
	return e
}

func order(a, b event) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.key, b.key)) }

func TestHeapAgainstList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q queue
		var l list
		seq := uint64(0)
		draw := func(at Time) event {
			seq++
			class := rapid.Uint64Range(0, uint64(Timeout)).Draw(t, "class")
			return event{at: at, key: class<<classShift | seq, to: HandlerID(seq % 3), arg: uint32(seq)}
		}
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			switch rapid.IntRange(0, 4).Draw(t, "what") {
			case 0, 1:
				e := draw(rapid.Custom(fewTimes).Draw(t, "at"))
				q.push(e)
				l = append(l, e)
			case 2, 3:
				if got, want := q.next(), l.next(); got != want {
					t.Fatalf("next at %v, want %v", got, want)
				}
				if len(l) > 0 {
					if got, want := q.take(), l.take(); got != want {
						t.Fatalf("took %+v, want %+v", got, want)
					}
				}
			case 4:
				if len(l) > 0 {
					moveOne(t, &q, l, draw(0))
				}
			}
			if q.size() != len(l) {
				t.Fatalf("%d pending, want %d", q.size(), len(l))
			}
		}
	})
}

// fewTimes makes ties likely.
func fewTimes(t *rapid.T) Time { return Time(rapid.IntRange(0, 20).Draw(t, "few")) }

// moveOne replaces a random entry that is the only one of its handler at its time.
func moveOne(t *rapid.T, q *queue, l list, e event) {
	i := rapid.IntRange(0, len(l)-1).Draw(t, "which")
	for j := range l {
		if j != i && l[j].at == l[i].at && l[j].to == l[i].to {
			return
		}
	}
	e.to = l[i].to
	e.at = Time(rapid.IntRange(0, int(l[i].at)).Draw(t, "earlier"))
	if e.at == l[i].at {
		return
	}
	q.replace(l[i].at, e)
	l[i] = e
}

// TestTiesAreFirstInFirstOut pins the order that every history rests on.
func TestTiesAreFirstInFirstOut(t *testing.T) {
	var q queue
	for i := range 1000 {
		q.push(event{at: 7, key: uint64(i), arg: uint32(i)})
	}
	for i := range 1000 {
		q.next()
		if e := q.take(); e.arg != uint32(i) {
			t.Fatalf("took the one planted as number %d, want %d", e.arg, i)
		}
	}
}

func TestRing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r ring[int]
		var want []int
		for i := range rapid.IntRange(1, 200).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "push") || len(want) == 0 {
				r.push(i)
				want = append(want, i)
			} else {
				if *r.front() != want[0] || r.pop() != want[0] {
					t.Fatalf("took another than %d", want[0])
				}
				want = want[1:]
			}
			if r.len() != len(want) {
				t.Fatalf("holds %d, want %d", r.len(), len(want))
			}
		}
	})
}
