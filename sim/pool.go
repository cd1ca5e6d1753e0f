package sim

import "fmt"

// Pool lends units of a counted resource and lets takers wait, first come first served: a small wish behind a large
// one waits too.
type Pool struct {
	sim     *Sim
	free    int
	waiting ring[taker]
}

type taker struct {
	n    int
	then Call
}

// NewPool returns a pool of n units.
func (s *Sim) NewPool(n int) *Pool {
	if n < 0 {
		panic(fmt.Sprintf("sim: NewPool: %d units", n))
	}
	return &Pool{sim: s, free: n}
}

// Acquire calls then as soon as n units are lent to it: at once, or when earlier takers were served and enough came
// back. Who asks for more than there ever are waits for good, and so does everyone behind.
func (p *Pool) Acquire(n int, then Call) {
	if n < 0 {
		panic(fmt.Sprintf("sim: Pool.Acquire: %d units", n))
	}
	if p.waiting.len() == 0 && p.free >= n {
		p.free -= n
		p.sim.Do(then)
		return
	}
	p.waiting.push(taker{n, then})
}

// Release gives back n units and serves those who wait, each in an event of its own at this instant. The release is
// what they waited for last, so its cause is theirs.
func (p *Pool) Release(n int) {
	if n < 0 {
		panic(fmt.Sprintf("sim: Pool.Release: %d units", n))
	}
	p.free += n
	for p.waiting.len() > 0 && p.waiting.front().n <= p.free {
		t := p.waiting.pop()
		p.free -= t.n
		p.sim.At(p.sim.now, Completion, t.then)
	}
}

// Free is the number of units that nobody holds.
func (p *Pool) Free() int { return p.free }

// Waiting is the number of takers in line.
func (p *Pool) Waiting() int { return p.waiting.len() }
