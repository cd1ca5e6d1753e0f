package sim

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// dumbRates gives each flow its max-min fair rate by raising all of them together, in fractions, until a link is full
// or a limit is reached; those concerned stop there and the others go on.
func dumbRates(links []int64, flows []dumbFlow) []*big.Rat {
	rates := make([]*big.Rat, len(flows))
	stopped := make([]bool, len(flows))
	for i := range rates {
		rates[i] = new(big.Rat)
	}
	for {
		var step *big.Rat // how far the rising flows can rise together
		least := func(r *big.Rat) {
			if step == nil || r.Cmp(step) < 0 {
				step = r
			}
		}
		for l, rate := range links {
			if room, rising := headroom(l, rate, flows, rates, stopped); rising > 0 {
				least(room.Quo(room, big.NewRat(rising, 1)))
			}
		}
		for i, fl := range flows {
			if !stopped[i] && fl.limit > 0 {
				r := big.NewRat(fl.limit, 1)
				least(r.Sub(r, rates[i]))
			}
		}
		if step == nil {
			return rates
		}
		for i := range flows {
			if !stopped[i] {
				rates[i].Add(rates[i], step)
			}
		}
		for i, fl := range flows {
			full := fl.limit > 0 && rates[i].Cmp(big.NewRat(fl.limit, 1)) >= 0
			for _, l := range fl.links {
				room, _ := headroom(l, links[l], flows, rates, stopped)
				full = full || room.Sign() <= 0
			}
			stopped[i] = stopped[i] || full
		}
	}
}

type dumbFlow struct {
	links []int
	limit int64
}

// headroom is what link l has left and how many rising flows cross it.
func headroom(l int, rate int64, flows []dumbFlow, rates []*big.Rat, stopped []bool) (room *big.Rat, rising int64) {
	room = big.NewRat(rate, 1)
	for i, fl := range flows {
		for _, m := range fl.links {
			if m == l {
				room.Sub(room, rates[i])
				if !stopped[i] {
					rising++
				}
			}
		}
	}
	return room, rising
}

// checkRates compares the present rates with those of a full recomputation. Rates are whole, so each flow that stops at
// a link may leave it a byte a second less than its fraction, and the others what that makes.
func checkRates(t *rapid.T, f *Fabric) {
	var links []int64
	for l := range f.links {
		links = append(links, f.links[l].rate)
	}
	var flows []dumbFlow
	for _, i := range f.active {
		fw := &f.flows[i]
		d := dumbFlow{links: []int{int(fw.From)}, limit: fw.limit}
		if fw.To != fw.From {
			d.links = append(d.links, int(fw.To))
		}
		flows = append(flows, d)
	}
	slack := float64(len(flows) * len(links))
	sums := make([]int64, len(links))
	for k, want := range dumbRates(links, flows) {
		got := f.flows[f.active[k]].rate
		if w, _ := want.Float64(); math.Abs(float64(got)-w) > slack {
			t.Fatalf("flow %d of %+v goes at %d, want %.1f", k, flows, got, w)
		}
		for _, l := range flows[k].links {
			sums[l] += got
		}
	}
	for l, sum := range sums {
		if sum > links[l] {
			t.Fatalf("link %d carries %d of its %d bytes a second", l, sum, links[l])
		}
	}
}

// odometer adds up, exactly, what each flow has carried at the rates seen, in billionths of charged bytes.
type odometer struct {
	f       *Fabric
	at      Time
	rates   map[int64]int64
	carried map[int64]*big.Int
	last    map[int64]int64 // the rate at the end
}

func newOdometer(f *Fabric) *odometer {
	return &odometer{f: f, rates: map[int64]int64{}, carried: map[int64]*big.Int{}, last: map[int64]int64{}}
}

// read must be called at each instant at which rates may have changed, after they have.
func (o *odometer) read() {
	dt := int64(o.f.sim.now - o.at)
	o.at = o.f.sim.now
	for owner, rate := range o.rates {
		part := new(big.Int).Mul(big.NewInt(rate), big.NewInt(dt))
		o.carried[owner].Add(o.carried[owner], part)
		if dt > 0 {
			o.last[owner] = rate
		}
	}
	clear(o.rates)
	for _, i := range o.f.active {
		fw := &o.f.flows[i]
		o.rates[fw.Owner] = fw.rate
		if o.carried[fw.Owner] == nil {
			o.carried[fw.Owner] = new(big.Int)
		}
	}
}

// check compares a flow that has ended now with its charge: there in full, and not yet a nanosecond before.
func (o *odometer) check(t *rapid.T, owner, charge int64) {
	got := o.carried[owner]
	want := new(big.Int).Mul(big.NewInt(charge), big.NewInt(int64(Second)))
	before := new(big.Int).Sub(got, big.NewInt(o.last[owner]))
	if got.Cmp(want) < 0 || charge > 0 && before.Cmp(want) >= 0 {
		t.Fatalf("flow %d carried %v billionths of a byte of its %v when it ended, %v a nanosecond before", owner, got, want, before)
	}
}

// TestFabricAgainstFullRecomputation starts, ends and slows transfers at random.
func TestFabricAgainstFullRecomputation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := New(1, nil)
		f := s.NewFabric()
		draw := func(name string, lo, hi int64) int64 { return rapid.Int64Range(lo, hi).Draw(t, name) }
		rate := func() int64 {
			return rapid.SampledFrom([]int64{1e6, 1e9, 3e9, 25e9}).Draw(t, "rate") + draw("more", 0, 1000)
		}
		var fastest []int64
		for range draw("links", 1, 5) {
			fastest = append(fastest, rate())
			f.Link("", fastest[len(fastest)-1], 0)
		}
		o := newOdometer(f)
		moved := make([]int64, len(fastest))
		started, ended, flows := 0, 0, int(draw("flows", 1, 30))
		for at := Time(0); started < flows; at += Time(draw("gap", 0, 2000)) {
			if draw("what", 0, 3) == 0 {
				l, r := LinkID(draw("link", 0, int64(len(fastest)-1))), rate()*draw("up", 0, 1)
				fastest[l] = max(fastest[l], r)
				s.At(at, Arrival, call(s, func() { f.SetRate(l, r); o.read(); checkRates(t, f) }))
				s.At(at+1e9, Arrival, call(s, func() { f.SetRate(l, 1e6); o.read(); checkRates(t, f) })) // none stays dead
				continue
			}
			fl := Flow{Owner: int64(started), Bytes: draw("bytes", 0, 5000), Limit: draw("limited", 0, 1) * draw("limit", 1e5, 3e9)}
			fl.From, fl.To = LinkID(draw("from", 0, int64(len(fastest)-1))), LinkID(draw("to", 0, int64(len(fastest)-1)))
			started++
			fl.Then = call(s, func() {
				ended++
				o.read()
				checkRates(t, f)
				o.check(t, fl.Owner, fl.Bytes)
				moved[fl.From] += fl.Bytes
				if fl.To != fl.From {
					moved[fl.To] += fl.Bytes
				}
				line := min(fastest[fl.From], fastest[fl.To])
				if took := s.Now().Sub(at); took.Seconds()*float64(line) < float64(fl.Bytes)*(1-1e-9) {
					t.Fatalf("%+v took %v on links that never were faster than %d", fl, took, line)
				}
			})
			s.At(at, Arrival, call(s, func() { f.Send(fl); o.read(); checkRates(t, f) }))
		}
		if err := s.Run(Never); err != nil {
			t.Fatal(err)
		}
		if ended != started || f.Active() != 0 {
			t.Fatalf("%d of %d flows ended", ended, started)
		}
		for l, want := range moved {
			if got := f.Moved(LinkID(l)); got != want {
				t.Fatalf("link %d moved %d, want %d", l, got, want)
			}
		}
	})
}
