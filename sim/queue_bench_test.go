package sim

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// bareEvent is the least that an event can be, 24 bytes, for a yardstick.
type bareEvent struct {
	at, seq uint64
	_       [8]byte // what the event is about
}

func (a *bareEvent) before(b *bareEvent) bool { return a.at < b.at || a.at == b.at && a.seq < b.seq }

// bareHeap is a textbook binary heap: what pdsim's queue is measured against.
type bareHeap []bareEvent

func (q *bareHeap) push(e bareEvent) {
	*q = append(*q, e)
	h := *q
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !e.before(&h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = e
}

func (q *bareHeap) pop() bareEvent {
	h := *q
	top, n := h[0], len(h)-1
	last := h[n]
	*q = h[:n]
	i := 0
	for child := 1; child < n; child = 2*i + 1 {
		if child+1 < n && h[child+1].before(&h[child]) {
			child++
		}
		if !h[child].before(&last) {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = last
	return top
}

// gaps are times to the next event with a mean of 62 ns a pending event, drawn beforehand.
func gaps(depth int) []uint64 {
	r := rand.New(rand.NewPCG(1, 2))
	g := make([]uint64, 1<<14)
	for i := range g {
		g[i] = 1 + uint64(r.ExpFloat64()*62*float64(depth))
	}
	return g
}

var depths = []int{16, 256, 4096, 65536}

// BenchmarkBareHeap is one pop and one push of the yardstick at a steady depth.
func BenchmarkBareHeap(b *testing.B) {
	for _, depth := range depths {
		b.Run(fmt.Sprint(depth), func(b *testing.B) {
			g := gaps(depth)
			var q bareHeap
			seq := uint64(0)
			for range depth {
				seq++
				q.push(bareEvent{at: g[seq%uint64(len(g))], seq: seq})
			}
			b.ReportAllocs()
			for b.Loop() {
				e := q.pop()
				seq++
				e.at, e.seq = e.at+g[seq%uint64(len(g))], seq
				q.push(e)
			}
		})
	}
}

// BenchmarkQueue is one pop and one push of the kernel's queue at a steady depth.
func BenchmarkQueue(b *testing.B) {
	for _, depth := range depths {
		b.Run(fmt.Sprint(depth), func(b *testing.B) {
			g := gaps(depth)
			var q queue
			seq := uint64(0)
			for range depth {
				seq++
				q.push(event{at: Time(g[seq%uint64(len(g))]), key: seq})
			}
			b.ReportAllocs()
			for b.Loop() {
				q.next()
				e := q.take()
				seq++
				e.at, e.key = e.at+Time(g[seq%uint64(len(g))]), seq
				q.push(e)
			}
		})
	}
}

// hopper plants its next event whenever it is called.
type hopper struct {
	s    *Sim
	id   HandlerID
	gaps []uint64
	n    int
}

func (h *hopper) Handle(_ Op, arg uint32) {
	h.n++
	h.s.After(Duration(h.gaps[h.n%len(h.gaps)]), Completion, Call{To: h.id, Arg: arg})
	if h.n%(1<<10) == 0 {
		h.s.Stop()
	}
}

// BenchmarkDispatch is one event from end to end: taken from the queue, handled, and its successor planted.
func BenchmarkDispatch(b *testing.B) {
	for _, depth := range depths {
		b.Run(fmt.Sprint(depth), func(b *testing.B) {
			s := New(1, nil)
			h := &hopper{s: s, gaps: gaps(depth)}
			h.id = s.Register(h)
			for i := range depth {
				s.At(Time(h.gaps[i%len(h.gaps)]), Completion, Call{To: h.id, Arg: uint32(i)})
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := s.Run(Never); err != nil { // 1,024 events
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(h.n), "ns/event")
		})
	}
}
