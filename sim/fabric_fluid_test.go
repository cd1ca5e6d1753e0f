package sim

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// fluid is a fabric in floating point that knows nothing of charges, remainders or timers: it goes from one change to
// the next and takes from each flow the part of the whole that it has carried meanwhile.
type fluid struct {
	rates      []int64
	perMessage []Duration
	flows      []fluidFlow
	slower     []change
}

type fluidFlow struct {
	Flow
	start, end float64 // seconds
	left       float64 // part of the whole still to carry
}

type change struct {
	at   Time
	link LinkID
	rate int64
}

// alone is the seconds that a flow takes with nobody beside it.
func (d *fluid) alone(fl *Flow) float64 {
	rate := float64(min(d.rates[fl.From], d.rates[fl.To]))
	if fl.Ceiling > 0 {
		rate = min(rate, float64(fl.Ceiling))
	}
	per := max(d.perMessage[fl.From], d.perMessage[fl.To])
	return max(float64(fl.Bytes)/rate, float64(fl.Messages)*per.Seconds())
}

func (d *fluid) run() {
	now, changes := 0.0, d.slower
	for {
		speed := d.speeds(now)
		next := math.Inf(1)
		for i := range d.flows {
			fl := &d.flows[i]
			switch {
			case fl.start > now:
				next = min(next, fl.start)
			case fl.left > 0 && speed[i] > 0:
				next = min(next, now+fl.left/speed[i])
			}
		}
		if len(changes) > 0 {
			next = min(next, changes[0].at.Seconds())
		}
		if math.IsInf(next, 1) {
			return
		}
		for i := range d.flows {
			fl := &d.flows[i]
			if fl.start > now || fl.left == 0 {
				continue
			}
			if fl.left -= (next - now) * speed[i]; fl.left < 1e-9 {
				fl.left, fl.end = 0, next
			}
		}
		now = next
		for len(changes) > 0 && changes[0].at.Seconds() <= now {
			d.rates[changes[0].link] = changes[0].rate
			changes = changes[1:]
		}
	}
}

// speeds are the parts of the whole that each flow carries in a second. The share of a link that a flow gets is in
// bytes that the link could carry, so its speed is that share over what it would carry in the flow's time alone.
func (d *fluid) speeds(now float64) []float64 {
	speed := make([]float64, len(d.flows))
	var flows []dumbFlow
	var index []int
	for i := range d.flows {
		fl := &d.flows[i]
		if fl.start > now || fl.left == 0 || d.rates[fl.From] == 0 || d.rates[fl.To] == 0 {
			continue
		}
		whole := d.alone(&fl.Flow) * float64(min(d.rates[fl.From], d.rates[fl.To]))
		f := dumbFlow{links: []int{int(fl.From)}}
		if fl.To != fl.From {
			f.links = append(f.links, int(fl.To))
		}
		if fl.Limit > 0 {
			f.limit = int64(float64(fl.Limit) / float64(fl.Bytes) * whole)
		}
		flows, index = append(flows, f), append(index, i)
		speed[i] = 1 / whole
	}
	for k, share := range dumbRates(d.rates, flows) {
		r, _ := share.Float64()
		speed[index[k]] *= r
	}
	return speed
}

// TestFabricAgainstFluid sends flows of all kinds over links whose rates change, down to nothing and back.
func TestFabricAgainstFluid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := New(1, nil)
		f := s.NewFabric()
		d := &fluid{}
		draw := func(name string, lo, hi int64) int64 { return rapid.Int64Range(lo, hi).Draw(t, name) }
		links := draw("links", 1, 4)
		for range links {
			d.rates = append(d.rates, draw("rate", 1e8, 3e9))
			d.perMessage = append(d.perMessage, Duration(draw("per message", 0, 400)))
			f.Link("", d.rates[len(d.rates)-1], d.perMessage[len(d.perMessage)-1])
		}
		for range draw("changes", 0, 5) {
			c := change{Time(draw("at", 0, 1e6)), LinkID(draw("link", 0, links-1)), draw("dead", 0, 1) * draw("to", 1e8, 3e9)}
			d.slower = append(d.slower, c, change{c.at + 5e5, c.link, 2e9}) // none stays dead
		}
		slices.SortStableFunc(d.slower, func(a, b change) int { return int(a.at - b.at) })
		for _, c := range d.slower {
			s.At(c.at, Arrival, call(s, func() { f.SetRate(c.link, c.rate) }))
		}
		got := map[int]Time{}
		for i := range int(draw("flows", 1, 10)) {
			fl := Flow{
				From: LinkID(draw("from", 0, links-1)), To: LinkID(draw("to", 0, links-1)), Bytes: draw("bytes", 1000, 1e6),
				Messages: draw("messages", 0, 2000), Ceiling: draw("capped", 0, 1) * draw("ceiling", 1e8, 3e9),
				Limit: draw("limited", 0, 1) * draw("limit", 1e8, 3e9),
			}
			at := Time(draw("start", 0, 1e6))
			d.flows = append(d.flows, fluidFlow{Flow: fl, start: at.Seconds(), left: 1})
			fl.Then = call(s, func() { got[i] = s.Now() })
			s.At(at, Arrival, call(s, func() { f.Send(fl) }))
		}
		if err := s.Run(Never); err != nil {
			t.Fatal(err)
		}
		d.run()
		// Each flow rounds its charge up by a byte and its end by a nanosecond, 10 ns and some on the slowest link, and again at each change of a rate.
		rounding := 20e-9 * float64(len(d.flows)*(1+2*len(d.slower)))
		for i := range d.flows {
			fl := &d.flows[i]
			if diff := math.Abs(got[i].Seconds() - fl.end); diff > rounding+1e-5*(fl.end-fl.start) {
				t.Fatalf("flow %d, %+v, ends at %v, in floating point at %.9f s", i, fl.Flow, got[i], fl.end)
			}
		}
	})
}
