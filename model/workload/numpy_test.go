package workload

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"pdsim/sim"
)

// TestInstantsAreNumpys checks arrival times against those of numpy 2, made with
//
//	np.random.seed(seed); gaps = [np.random.gamma(shape=b, scale=1/(rate*b)) for _ in range(n)]
//
// added up, multiplied by (n/rate)/last, and rounded to nanoseconds. Digest is h = h*1000003 + t over all n.
func TestInstantsAreNumpys(t *testing.T) {
	tests := []struct {
		rate   Rate
		want   [4]sim.Time // the first, the second, number n/2 and the last
		digest uint64
	}{
		{Rate{100, 8, 1.0, 0}, [4]sim.Time{108294220, 279188050, 7208320639, 12500000000}, 1763425449686222021},
		{Rate{100, 8, 4.0, 0}, [4]sim.Time{251623828, 389528354, 6190528703, 12500000000}, 2341020115521952814},
		{Rate{100, 8, 0.5, 0}, [4]sim.Time{76658804, 172045900, 5430920970, 12500000000}, 13001173433501646025},
		{Rate{1000, 2.5, 0.1, 0}, [4]sim.Time{8420712, 29927199, 179984428214, 400000000000}, 17814590466527418855},
		{Rate{1000, 3, 1.7, 0}, [4]sim.Time{930166890, 1309013360, 161380839488, 333333333333}, 14389990965895000249},
		{Rate{100, 8, 1.0, 42}, [4]sim.Time{64125321, 475457363, 6257191677, 12500000000}, 7316037365754373172},
		{Rate{100, 8, 4.0, 42}, [4]sim.Time{149730370, 258252469, 6322630445, 12500000000}, 8018543063888001306},
		{Rate{100, 8, 0.5, 42}, [4]sim.Time{34573862, 196997229, 6324051308, 12500000000}, 11782650078473982358},
		{Rate{1000, 2.5, 0.1, 42}, [4]sim.Time{193324, 157365827, 171457582748, 400000000000}, 17950775979550187087},
		{Rate{1000, 3, 1.7, 42}, [4]sim.Time{388218487, 619476162, 161348093528, 333333333333}, 17642694875278459975},
		{Rate{100, 8, 1.0, 4294967295}, [4]sim.Time{11800688, 291478008, 6497191391, 12500000000}, 8160489824426358215},
		{Rate{100, 8, 4.0, 4294967295}, [4]sim.Time{157637393, 316827004, 6273874870, 12500000000}, 9060358615869301757},
		{Rate{100, 8, 0.5, 4294967295}, [4]sim.Time{2307499, 212338843, 7703317678, 12500000000}, 17317631936464428521},
		{Rate{1000, 2.5, 0.1, 4294967295}, [4]sim.Time{0, 351470513, 195723489694, 400000000000}, 8718151926338904247},
		{Rate{1000, 3, 1.7, 4294967295}, [4]sim.Time{438921981, 884504656, 171273050874, 333333333333}, 10457002088646375184},
	}
	for _, test := range tests {
		times := newInstants(test.rate)
		var have []sim.Time
		digest := uint64(0)
		for at, ok := times.next(); ok; at, ok = times.next() {
			have = append(have, at)
			digest = digest*1000003 + uint64(at)
		}
		n := len(have)
		if n != test.rate.Requests {
			t.Fatalf("%+v: %d instants", test.rate, n)
		}
		if got := [4]sim.Time{have[0], have[1], have[n/2], have[n-1]}; got != test.want || digest != test.digest {
			t.Errorf("%+v:\n got %v, digest %d\nwant %v, digest %d", test.rate, got, digest, test.want, test.digest)
		}
	}
}

// The first raw numbers of np.random.seed(5489) and np.random.random_sample(), whose seed is the generator's default.
func TestUniformIsNumpys(t *testing.T) {
	var r numpyRandom
	r.seed(5489)
	for i, want := range []float64{0.8147236863931789, 0.9057919370756192, 0.12698681629350606, 0.9133758561390194} {
		if got := r.float64(); got != want {
			t.Errorf("number %d = %v, want %v", i, got, want)
		}
	}
}

func TestInstantsWithoutRandomness(t *testing.T) {
	inf := math.Inf(1)
	tests := []struct {
		name string
		rate Rate
		want []sim.Time
	}{
		{"all at once", Rate{3, inf, 1, 0}, []sim.Time{0, 0, 0}},
		{"constant gaps", Rate{4, 8, inf, 0}, []sim.Time{125e6, 250e6, 375e6, 500e6}},
		{"one request", Rate{1, 4, 1, 7}, []sim.Time{250e6}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			times := newInstants(test.rate)
			for i, want := range test.want {
				if at, ok := times.next(); !ok || at != want {
					t.Errorf("instant %d = %v, %v, want %v", i, at, ok, want)
				}
			}
			if _, ok := times.next(); ok {
				t.Error("one too many")
			}
		})
	}
}

func TestInstantsRiseToTheSpan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := Rate{
			Requests:   rapid.IntRange(1, 300).Draw(t, "requests"),
			PerSecond:  rapid.Float64Range(0.01, 1000).Draw(t, "rate"),
			Burstiness: rapid.Float64Range(0.05, 20).Draw(t, "burstiness"),
			Seed:       rapid.Uint64Range(0, math.MaxUint32).Draw(t, "seed"),
		}
		times, last := newInstants(rate), sim.Time(0)
		for range rate.Requests {
			at, ok := times.next()
			if !ok || at < last {
				t.Fatalf("%v, %v after %v", at, ok, last)
			}
			last = at
		}
		span := float64(rate.Requests) / rate.PerSecond * 1e9
		if math.Abs(float64(last)-span) > 1+1e-15*span {
			t.Fatalf("last at %v, want %.0f ns", last, span)
		}
	})
}

func TestExp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-700, 709).Draw(t, "x")
		if got, want := exp(x), math.Exp(x); math.Abs(got-want) > 1e-15*want {
			t.Fatalf("exp(%v) = %v, want %v", x, got, want)
		}
	})
	for x, want := range map[float64]float64{0: 1, -1000: 0, 1000: math.Inf(1), math.Inf(-1): 0} {
		if got := exp(x); got != want {
			t.Errorf("exp(%v) = %v, want %v", x, got, want)
		}
	}
}
