package sim

import (
	"fmt"
	"testing"
)

// resender starts a transfer again whenever one has arrived.
type resender struct {
	s     *Sim
	f     *Fabric
	id    HandlerID
	flows []Flow
	n     int
}

func (r *resender) Handle(_ Op, arg uint32) {
	r.f.Send(r.flows[arg])
	if r.n++; r.n%64 == 0 {
		r.s.Stop()
	}
}

// newResender keeps a number of transfers of unequal lengths in flight over rails rail pairs.
func newResender(active, rails int) *resender {
	s := New(1, nil)
	r := &resender{s: s, f: s.NewFabric()}
	r.id = s.Register(r)
	for i := range rails {
		r.f.Link(fmt.Sprint("tx", i), 25e9, 400)
		r.f.Link(fmt.Sprint("rx", i), 25e9, 400)
	}
	for i := range active {
		rail := LinkID(2 * (i % rails))
		r.flows = append(r.flows, Flow{From: rail, To: rail + 1, Bytes: int64(1e6 + 1000*i), Messages: 60, Ceiling: 20e9, Latency: 16e3, Then: Call{To: r.id, Arg: uint32(i)}})
		if i%2 == 1 {
			r.flows[i].Limit = int64(1e9 + 1e6*i)
		}
		r.f.Send(r.flows[i])
	}
	return r
}

// BenchmarkSend is one transfer from start to delivery while others are in flight, all on one pair of links or spread
// over sixteen.
func BenchmarkSend(b *testing.B) {
	for _, active := range []int{1, 8, 64} {
		for _, rails := range []int{1, 16} {
			b.Run(fmt.Sprintf("active=%d/rails=%d", active, rails), func(b *testing.B) {
				r := newResender(active, rails)
				r.n = 0
				b.ReportAllocs()
				for b.Loop() {
					if err := r.s.Run(Never); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(r.n), "ns/send")
			})
		}
	}
}
