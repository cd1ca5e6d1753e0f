package nixl

import (
	"slices"
	"testing"

	"pdsim/sim"
)

// A notification is in the inbox one message later and stays there until somebody reads it.
func TestNotificationWaitsToBeRead(t *testing.T) {
	b := newBench(efa(), 1)
	b.Notify(b.a, b.b, Note{Kind: 3, Ref: 7})
	b.run(t)
	notes := b.b.Inbox(nil)
	if len(notes) != 1 || notes[0].Kind != 3 || notes[0].Ref != 7 || notes[0].At != sim.Time(18*sim.Microsecond) {
		t.Fatalf("have %+v", notes)
	}
	if again := b.b.Inbox(nil); len(again) != 0 {
		t.Fatalf("read twice: %+v", again)
	}
}

// libfabric sends a WRITE's notification right behind the writes, and the receiver counts them: nobody polls at the
// writer. A READ's, and with UCX every one, leaves only when the initiator polls: the net does nothing by itself.
// Source: src/plugins/libfabric/libfabric_backend.cpp, src/plugins/ucx/ucx_backend.cpp.
func TestNotificationWithTheData(t *testing.T) {
	for _, c := range []struct {
		name            string
		write, withData bool
		descriptors     int
		after           sim.Duration // from the landing; -1: none comes
	}{
		{"libfabric, write bound by the wire", true, true, 200_000, 0},
		{"libfabric, write of few bytes", true, true, 1, 2 * sim.Microsecond},
		{"libfabric, read", false, true, 1, -1},
		{"UCX, write", true, false, 1, -1},
	} {
		costs := efa()
		costs.NotifyWithWrite, costs.PostWrite, costs.QueueDepth = c.withData, 1_000, 0
		b := newBench(costs, 1)
		x := b.transfer(c.write, c.descriptors, 8<<10)
		x.Note = Note{Ref: 5}
		b.play(t, x)
		notes := b.b.Inbox(nil)
		switch {
		case c.after < 0 && len(notes) == 0:
		case c.after >= 0 && len(notes) == 1 && notes[0].Ref == 5 && notes[0].At.Sub(x.Landed) == c.after:
		default:
			t.Errorf("%s: landed at %v, have %+v", c.name, x.Landed, notes)
		}
	}
}

// watcher notes how many notifications it was told of.
type watcher int

func (w *watcher) Handle(sim.Op, uint32) { *w++ }

func TestLostNotifications(t *testing.T) {
	b := newBench(efa(), 1)
	var lost []uint32
	var told watcher
	b.Lost = func(n Note) { lost = append(lost, n.Ref) }
	b.b.OnNote(sim.Call{To: b.Sim.Register(&told)})
	b.DropNotes(func(n Note) bool { return n.Ref == 1 })
	for ref := range uint32(3) {
		b.Notify(b.a, b.b, Note{Ref: ref})
	}
	b.run(t)
	b.b.Down = true // a dead process hears nothing and says nothing
	b.Notify(b.a, b.b, Note{Ref: 3})
	b.Notify(b.b, b.a, Note{Ref: 4})
	x := b.transfer(true, 1, 100)
	x.Note.Ref = 5
	b.play(t, x)
	slices.Sort(lost)
	if !slices.Equal(lost, []uint32{1, 3, 4, 5}) || told != 2 || len(b.b.Inbox(nil)) != 2 || len(b.a.Inbox(nil)) != 0 {
		t.Errorf("lost %v, told of %d", lost, told)
	}
}

// What is freed is used again: a transfer and a notification allocate nothing once there have been as many at a time.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	b := newBench(efa(), 2)
	var inbox []Note
	one := func() {
		x := b.transfer(true, 500, 8<<10)
		b.play(t, x)
		b.Free(x)
		b.Notify(b.a, b.b, Note{})
		b.run(t)
		inbox = b.b.Inbox(inbox[:0])
	}
	one()
	if n := testing.AllocsPerRun(100, one); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
