package sim

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Queueing theory as in Kleinrock, Queueing Systems, volumes 1 (M/M/1, M/M/m, M/G/1) and 2 (processor sharing). Seeds are
// fixed. The bound is four standard errors of the worst case, the waiting time in M/M/1 at a load of 0.8.

const (
	customers = 500_000
	bound     = 0.06
)

// poisson calls arrive for each of the customers, at exponential gaps of the given mean.
func poisson(s *Sim, mean Duration, arrive func(i int)) {
	r := s.Stream("arrivals")
	i := 0
	var c Call
	next := func() { s.After(Duration(r.ExpFloat64()*float64(mean)), Arrival, c) }
	c = call(s, func() {
		arrive(i)
		if i++; i < customers {
			next()
		}
	})
	next()
}

// exponential and constant are service times with the given mean.
func exponential(r *rand.Rand, mean Duration) func() Duration {
	return func() Duration { return Duration(r.ExpFloat64() * float64(mean)) }
}

func constant(mean Duration) func() Duration { return func() Duration { return mean } }

func near(t *testing.T, what string, got, want, part float64) {
	t.Helper()
	if math.Abs(got-want) > part*want {
		t.Errorf("%s is %.4g, in theory %.4g", what, got, want)
	}
}

func TestMM1AndMD1(t *testing.T) {
	const mean = Millisecond
	for _, rho := range []float64{0.3, 0.6, 0.8} {
		for name, wait := range map[string]float64{"M/M/1": rho / (1 - rho), "M/D/1": rho / (1 - rho) / 2} {
			s := New(1, nil)
			service := constant(mean)
			if name == "M/M/1" {
				service = exponential(s.Stream("service"), mean)
			}
			th := s.NewThread("server")
			poisson(s, Duration(float64(mean)/rho), func(int) { th.Do(Work{Busy: service()}) })
			run(t, s)
			near(t, name+" waiting time", float64(th.Waited())/customers, wait*float64(mean), bound)
			near(t, name+" busy share", th.Busy().Seconds()/s.Now().Seconds(), rho, 0.01)
		}
	}
}

// erlangC is the probability that one who comes to c servers at an offered load of a has to wait.
func erlangC(c int, a float64) float64 {
	b := 1.0 // Erlang's B for no server, and on by its recursion
	for k := 1; k <= c; k++ {
		b = a * b / (float64(k) + a*b)
	}
	rho := a / float64(c)
	return b / (1 - rho*(1-b))
}

func TestMMc(t *testing.T) {
	const mean = Millisecond
	for _, servers := range []int{1, 2, 8} {
		const rho = 0.8
		s := New(1, nil)
		pool := s.NewPool(servers)
		service := exponential(s.Stream("service"), mean)
		came := make([]Time, customers)
		var waited Duration
		var id HandlerID
		id = s.Register(act(func(op Op, arg uint32) {
			if op == 0 { // served
				waited += s.Now().Sub(came[arg])
				s.After(service(), Completion, Call{To: id, Op: 1})
			} else {
				pool.Release(1)
			}
		}))
		poisson(s, Duration(float64(mean)/rho/float64(servers)), func(i int) {
			came[i] = s.Now()
			pool.Acquire(1, Call{To: id, Arg: uint32(i)})
		})
		run(t, s)
		want := erlangC(servers, rho*float64(servers)) / (float64(servers) * (1 - rho)) * float64(mean)
		near(t, "M/M/c waiting time", float64(waited)/customers, want, bound)
		if pool.Free() != servers || pool.Waiting() != 0 {
			t.Errorf("%d of %d servers free, %d waiting", pool.Free(), servers, pool.Waiting())
		}
	}
}

// TestProcessorSharing: the mean sojourn on a shared link depends on the load and the mean size alone, whatever the
// sizes' distribution.
func TestProcessorSharing(t *testing.T) {
	const mean = Millisecond
	for _, rho := range []float64{0.5, 0.7} {
		for name, size := range map[string]func(*rand.Rand) func() Duration{
			"exponential": func(r *rand.Rand) func() Duration { return exponential(r, mean) },
			"constant":    func(*rand.Rand) func() Duration { return constant(mean) },
		} {
			s := New(1, nil)
			f := s.NewFabric()
			tx, rx := f.Link("tx", gigabyte, 0), f.Link("rx", gigabyte, 0)
			next := size(s.Stream("size"))
			came := make([]Time, customers)
			var sojourn Duration
			id := s.Register(act(func(_ Op, i uint32) { sojourn += s.Now().Sub(came[i]) }))
			poisson(s, Duration(float64(mean)/rho), func(i int) {
				came[i] = s.Now()
				f.Send(Flow{From: tx, To: rx, Bytes: int64(next()), Then: Call{To: id, Arg: uint32(i)}})
			})
			run(t, s)
			near(t, name+" sojourn", float64(sojourn)/customers, float64(mean)/(1-rho), bound)
		}
	}
}

// TestStreams: the mean of a stream is right, names make different streams, and a seed makes one.
func TestStreams(t *testing.T) {
	const n = 100_000
	draw := func(seed uint64, name string) (sum float64) {
		r := NewStream(seed, name)
		for range n {
			sum += r.Float64()
		}
		return sum
	}
	a, b := draw(1, "arrivals"), draw(1, "lengths")
	if a == b || a == draw(2, "arrivals") || a != draw(1, "arrivals") {
		t.Error("a stream is not one of its seed and name")
	}
	near(t, "mean of uniforms", a/n, 0.5, 0.01)
	if x := New(7, nil).Stream("x").Uint64(); x != NewStream(7, "x").Uint64() {
		t.Error("a world's stream is not that of its seed")
	}
	if x := NewStream(1, "arrivals").Uint64(); x != 8626657296654601543 {
		t.Errorf("first draw %d: streams are no longer those of earlier versions", x)
	}
}
