package main

import (
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"pdsim/scenarios"
	"pdsim/validate/cases"
)

// measuredRadius is the size of measured points, well outside a simulated one at the same place.
const measuredRadius = 5

// metrics are the names that cases give to what pictures show, by the figure's own.
var metrics = map[string]string{"TTFT mean": "mean_ttft_ms", "TPOT mean": "mean_tpot_ms"}

// repetition is the keys that say how often something is done and with which chance, rather than what.
var repetition = []string{"workload.requests", "workload.iterations", "workload.warmup", "run.seed"}

// mark is what a case has measured at a point of a sweep.
type mark struct {
	at       int // index of the sweep's point
	protocol int // of those of the sweep
	from     *cases.Point
}

// measure finds what the shipped cases have measured at points of a sweep of a built-in scenario: those whose effective
// keys are all the same. Of a repetition only what is an axis, or what both set, has to be.
func (p *picture) measure(scenario string) error {
	if !slices.Contains(scenarios.Builtin(), scenario) {
		return nil
	}
	all, err := cases.Builtin()
	if err != nil {
		return err
	}
	places := map[string]map[string][]int{} // points of the sweep by their hash, by the keys that it is of
	for _, c := range all {
		for i := range c.Points {
			from := &c.Points[i]
			k := slices.Index(p.points[0].spec.Run.Protocols, from.Protocol)
			if c.Scenario != scenario || k < 0 || from.Replay != "" || !isShown(from) {
				continue
			}
			sp, err := scenarios.Load(scenario, from.Set)
			if err != nil {
				return err
			}
			free := p.free(from)
			key := strings.Join(free, " ")
			if places[key] == nil {
				places[key] = p.places(free)
			}
			for _, at := range places[key][hashWithout(sp, free)] {
				p.marks = append(p.marks, mark{at, k, from})
			}
		}
	}
	return nil
}

// isShown says whether something that pictures show was measured.
func isShown(from *cases.Point) bool {
	return from.Measured["mean_ttft_ms"] > 0 || from.Measured["mean_tpot_ms"] > 0
}

// free is the keys of a repetition in which a measured point may differ.
func (p *picture) free(from *cases.Point) []string {
	sets := func(list []string, key string) bool {
		return slices.ContainsFunc(list, func(assignment string) bool { return keyOf(assignment) == key })
	}
	return slices.DeleteFunc(slices.Clone(repetition), func(key string) bool {
		varied := slices.ContainsFunc(p.axes, func(a axis) bool { return a.key == key })
		return varied || sets(from.Set, key) && sets(p.points[0].spec.Set, key)
	})
}

// places is the sweep's points by their hash without some keys.
func (p *picture) places(free []string) map[string][]int {
	m := map[string][]int{}
	for i := range p.points {
		hash := hashWithout(p.points[i].spec, free)
		m[hash] = append(m[hash], i)
	}
	return m
}

// hashWithout names what a scenario does up to some keys of a repetition.
func hashWithout(sp *scenarios.Spec, free []string) string {
	c := *sp
	for _, key := range free {
		switch key {
		case "workload.requests":
			c.Workload.Requests = 1
		case "workload.iterations":
			c.Workload.Iterations = 1
		case "workload.warmup":
			c.Workload.Warmup = 0
		case "run.seed":
			c.Run.Seed = 0
		}
	}
	return c.Hash()
}

// addMeasured draws what has been measured of a protocol's figure over the lines of a panel.
func (p *picture) addMeasured(panel *plot.Plot, f *figure, values []string, protocol int, along *scale) error {
	var xys plotter.XYs
	for _, m := range p.marks {
		at := slices.Clone(p.points[m.at].values)
		value := at[p.axis]
		at[p.axis] = ""
		if y := m.from.Measured[metrics[f.name]]; m.protocol == protocol && slices.Equal(at, values) && y > 0 {
			xys = append(xys, plotter.XY{X: along.at[value], Y: y})
		}
	}
	if len(xys) == 0 {
		return nil
	}
	points, err := plotter.NewScatter(xys)
	if err != nil {
		return err
	}
	points.GlyphStyle = measuredStyle(protocol)
	panel.Add(points)
	return nil
}

// measuredStyle is the protocol's sign, larger and without its filling.
func measuredStyle(k int) draw.GlyphStyle {
	style := draw.GlyphStyle{Color: color.Black, Radius: vg.Points(measuredRadius), Shape: signs[k%len(signs)]}
	switch style.Shape {
	case draw.PyramidGlyph{}:
		style.Shape = draw.TriangleGlyph{}
	case draw.CircleGlyph{}:
		style.Shape = draw.RingGlyph{}
	case draw.BoxGlyph{}:
		style.Shape = draw.SquareGlyph{}
	case diamond{filled: true}:
		style.Shape = diamond{}
	}
	return style
}

// addLegend adds what measured points look like, if the picture has any.
func (p *picture) addLegend(legend *plot.Legend) {
	var look measuredLook
	for _, m := range p.marks {
		look = append(look, m.protocol)
	}
	slices.Sort(look)
	if look = slices.Compact(look); len(look) > 0 {
		legend.Add("measured", look)
	}
}

// measuredLook is the signs of some protocols' measured points side by side.
type measuredLook []int

// Thumbnail draws the signs.
func (l measuredLook) Thumbnail(c *draw.Canvas) {
	room := c.Size().X / vg.Length(len(l))
	for i, k := range l {
		style := measuredStyle(k)
		style.Radius = min(style.Radius, room/2)
		c.DrawGlyph(style, vg.Point{X: c.Min.X + room*(vg.Length(i)+0.5), Y: c.Center().Y})
	}
}
