package workload

import (
	"math"

	"gonum.org/v1/gonum/mathext/prng"
)

// numpyRandom draws what numpy's module-level functions draw after np.random.seed(seed): the Mersenne Twister with the
// algorithms that numpy froze as its "legacy" generator. Products within sums are rounded by explicit conversions, so that
// no compiler fuses them and the stream is the same on every machine.
type numpyRandom struct {
	twister prng.MT19937
	gauss   polar
}

// seed puts the generator where np.random.seed puts numpy's.
func (r *numpyRandom) seed(seed uint32) {
	r.twister.Seed(uint64(seed))
	r.gauss = polar{}
}

// float64 returns a uniform number in [0, 1) with 53 random bits, taken from two draws of 32.
func (r *numpyRandom) float64() float64 {
	high := r.twister.Uint32() >> 5
	low := r.twister.Uint32() >> 6
	return (float64(float64(high)*(1<<26)) + float64(low)) / (1 << 53)
}

// exponential returns a draw of the exponential distribution with mean 1.
func (r *numpyRandom) exponential() float64 { return -math.Log(1 - r.float64()) }

// gamma returns a draw of the gamma distribution with the given shape and scale 1.
func (r *numpyRandom) gamma(shape float64) float64 {
	switch {
	case shape == 1:
		return r.exponential()
	case shape < 1:
		return r.gammaBelowOne(shape)
	}
	// Marsaglia and Tsang, A simple method for generating gamma variables, 2000.
	b := shape - 1.0/3
	c := 1 / math.Sqrt(float64(9*b))
	for {
		x, v := 0.0, 0.0
		for v <= 0 {
			x = r.gauss.next(r.float64)
			v = 1 + float64(c*x)
		}
		v = v * v * v
		u := r.float64()
		xx := x * x
		if u < 1-float64(0.0331*xx*xx) {
			return b * v
		}
		if math.Log(u) < float64(0.5*xx)+float64(b*(1-v+math.Log(v))) {
			return b * v
		}
	}
}

// gammaBelowOne is gamma for shapes below 1, by rejection after Ahrens and Dieter, 1974.
func (r *numpyRandom) gammaBelowOne(shape float64) float64 {
	for {
		u, v := r.float64(), r.exponential()
		if u <= 1-shape {
			if x := exp(math.Log(u) / shape); x <= v {
				return x
			}
			continue
		}
		y := -math.Log((1 - u) / shape)
		if x := exp(math.Log(1-shape+float64(shape*y)) / shape); x <= v+y {
			return x
		}
	}
}

// polar draws from the normal distribution by Marsaglia's polar method, which makes two numbers at a time.
type polar struct {
	kept float64
	has  bool
}

// next returns a number of mean 0 and deviation 1, from uniform ones.
func (p *polar) next(uniform func() float64) float64 {
	if p.has {
		p.has = false
		return p.kept
	}
	for {
		x := float64(2*uniform()) - 1
		y := float64(2*uniform()) - 1
		rr := float64(x*x) + float64(y*y)
		if rr >= 1 || rr == 0 {
			continue
		}
		f := math.Sqrt(-2 * math.Log(rr) / rr)
		p.kept, p.has = f*x, true
		return f * y
	}
}
