package main

import (
	"image/color"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"pdsim/scenarios"
)

// picture draws a sweep: TTFT above TPOT over one axis, a panel for each combination of the others' values, a line for each
// protocol, and what has been measured there.
type picture struct {
	axis   int // of the sweep: along x
	points []point
	axes   []axis
	panels [][]string // values of the other axes, in order, with "" in the place of the axis along x
	marks  []mark     // what has been measured
}

// mostPanels is how many panels a picture has at most, side by side.
const mostPanels = 12

// panelWidth and panelHeight are the size of one panel.
const (
	panelWidth  = 8.5 * vg.Centimeter
	panelHeight = 6.5 * vg.Centimeter
)

// dashes tell lines apart without colour, as their signs do.
var dashes = [][]vg.Length{nil, {vg.Points(5), vg.Points(3)}, {vg.Points(1), vg.Points(2)}, {vg.Points(7), vg.Points(2), vg.Points(1), vg.Points(2)}}

// checkPlot refuses a sweep that makes no picture.
func (s *sweeper) checkPlot() error {
	if s.plot == "" {
		return nil
	}
	if image := imageOf(s.plot); image != "svg" && image != "png" {
		return misuse("--plot %s: want a name that ends in .svg or .png", s.plot)
	}
	if n := len(s.picture().panels); n > mostPanels {
		return misuse("--plot %s: want at most %d combinations of the values of all axes but one, have %d", s.plot, mostPanels, n)
	}
	return checkWritable("--plot", s.plot)
}

// imageOf is the form of a picture by its name.
func imageOf(name string) string {
	return strings.ToLower(strings.TrimPrefix(filepath.Ext(name), "."))
}

// picture lays the picture out. Prompt lengths go along x; without them it is the first axis.
func (s *sweeper) picture() *picture {
	p := &picture{points: s.points, axes: s.axes}
	p.axis = max(0, slices.IndexFunc(s.axes, func(a axis) bool { return a.key == "workload.input_tokens" }))
	others := slices.Clone(s.axes)
	others[p.axis].values = []string{""}
	for values := range product(others) {
		p.panels = append(p.panels, values)
	}
	return p
}

// writePlot writes the picture.
func (s *sweeper) writePlot() error {
	if s.plot == "" {
		return nil
	}
	p := s.picture()
	if err := p.measure(s.scenario); err != nil {
		return err
	}
	return writeTo(s.plot, nil, func(w io.Writer) error { return p.write(w, imageOf(s.plot)) })
}

func (p *picture) write(w io.Writer, image string) error {
	rows := []figure{figures[0], figures[3]}
	plots := make([][]*plot.Plot, len(rows))
	for i := range rows {
		for k, values := range p.panels {
			panel, err := p.panel(&rows[i], values, i == 0 && k == 0)
			if err != nil {
				return err
			}
			plots[i] = append(plots[i], panel)
		}
	}
	c, err := draw.NewFormattedCanvas(panelWidth*vg.Length(len(p.panels)), panelHeight*vg.Length(len(rows)), image)
	if err != nil {
		return err
	}
	tiles := draw.Tiles{Rows: len(rows), Cols: len(p.panels), PadX: vg.Points(8), PadY: vg.Points(8), PadTop: vg.Points(4), PadBottom: vg.Points(4), PadLeft: vg.Points(4), PadRight: vg.Points(10)}
	for i, row := range plot.Align(plots, tiles, draw.New(c)) {
		for k, canvas := range row {
			plots[i][k].Draw(canvas)
		}
	}
	_, err = c.WriteTo(w)
	return err
}

// panel draws one figure for one combination of the other axes' values.
func (p *picture) panel(f *figure, values []string, legend bool) (*plot.Plot, error) {
	panel := plot.New()
	panel.Title.Text = p.title(values)
	panel.Title.TextStyle.Font.Size = vg.Points(10)
	panel.X.Label.Text, panel.Y.Label.Text = p.label(), f.head()
	panel.Y.Min = 0
	along := p.along()
	panel.X.Tick.Marker, panel.Y.Tick.Marker = along.ticks, plainTicks{}
	for _, style := range []*text.Style{&panel.X.Tick.Label, &panel.Y.Tick.Label, &panel.Legend.TextStyle} {
		style.Font.Size = vg.Points(8)
	}
	panel.X.Label.TextStyle.Font.Size, panel.Y.Label.TextStyle.Font.Size = vg.Points(9), vg.Points(9)
	if along.logarithmic {
		panel.X.Scale = plot.LogScale{}
	}
	for k, name := range p.points[0].spec.Run.Protocols {
		line, signs, err := lineOf(p.line(f, values, k, along), k)
		if err != nil {
			return nil, err
		}
		if line != nil {
			panel.Add(line, signs)
		}
		if err := p.addMeasured(panel, f, values, k, along); err != nil {
			return nil, err
		}
		if legend {
			panel.Legend.Add(name, look(k)...)
		}
	}
	if legend {
		p.addLegend(&panel.Legend)
	}
	panel.Legend.Top, panel.Legend.Left = true, true
	panel.X.Min, panel.X.Max = along.low, along.high
	panel.Y.Max = max(panel.Y.Max, 1e-9) // with nothing to show there is no range either
	panel.Y.Max *= 1.05
	return panel, nil
}

// plainTicks are the usual ticks with numbers in as few digits as they take.
type plainTicks struct{ plot.DefaultTicks }

// Ticks returns the ticks of a range.
func (t plainTicks) Ticks(low, high float64) []plot.Tick {
	ticks := t.DefaultTicks.Ticks(low, high)
	for i := range ticks {
		if ticks[i].Label != "" {
			ticks[i].Label = strconv.FormatFloat(ticks[i].Value, 'g', 6, 64)
		}
	}
	return ticks
}

// title says which of the other axes' values the panel is for.
func (p *picture) title(values []string) string {
	var parts []string
	for i, v := range values {
		if i != p.axis {
			parts = append(parts, p.axes[i].key+" = "+v)
		}
	}
	return strings.Join(parts, ", ")
}

// label is the key along x with its unit.
func (p *picture) label() string {
	key := p.axes[p.axis].key
	for _, k := range scenarios.Keys() {
		if k.Path == key && k.Unit != "" {
			return key + " (" + k.Unit + ")"
		}
	}
	return key
}

// line is a protocol's figure at the points of a panel. A point where nothing was measured is left out.
func (p *picture) line(f *figure, values []string, protocol int, along *scale) plotter.XYs {
	var xys plotter.XYs
	for _, pt := range p.points {
		at := slices.Clone(pt.values)
		value := at[p.axis]
		at[p.axis] = ""
		if y := f.of(pt.results[protocol]); slices.Equal(at, values) && y > 0 {
			xys = append(xys, plotter.XY{X: along.at[value], Y: y})
		}
	}
	slices.SortFunc(xys, func(a, b plotter.XY) int {
		if a.X < b.X {
			return -1
		}
		return 1
	})
	return xys
}

// lineOf draws a line with its signs; nil without points.
func lineOf(xys plotter.XYs, k int) (*plotter.Line, *plotter.Scatter, error) {
	if len(xys) == 0 {
		return nil, nil, nil
	}
	line, err := plotter.NewLine(xys)
	if err != nil {
		return nil, nil, err
	}
	points, err := plotter.NewScatter(xys)
	if err != nil {
		return nil, nil, err
	}
	line.LineStyle, points.GlyphStyle = lineStyle(k), glyphStyle(k)
	return line, points, nil
}

// look is how the k-th protocol looks in the legend.
func look(k int) []plot.Thumbnailer {
	return []plot.Thumbnailer{&plotter.Line{LineStyle: lineStyle(k)}, &plotter.Scatter{GlyphStyle: glyphStyle(k)}}
}

func lineStyle(k int) draw.LineStyle {
	return draw.LineStyle{Color: color.Black, Width: vg.Points(1), Dashes: dashes[k%len(dashes)]}
}

func glyphStyle(k int) draw.GlyphStyle {
	return draw.GlyphStyle{Color: color.Black, Radius: vg.Points(3), Shape: signs[k%len(signs)]}
}

// scale is where the values of the axis along x are.
type scale struct {
	at          map[string]float64
	ticks       plot.ConstantTicks
	logarithmic bool
	low, high   float64
}

// along places values by the number that they begin with or, if one has none, side by side. Numbers that range over an
// eightfold are placed by their logarithm.
func (p *picture) along() *scale {
	values := p.axes[p.axis].values
	s := &scale{at: map[string]float64{}, low: math.Inf(1), high: math.Inf(-1)}
	numbers := make([]float64, len(values))
	numeric := true
	for i, v := range values {
		x, ok := leadingNumber(v)
		numbers[i], numeric = x, numeric && ok
	}
	for i, v := range values {
		x := float64(i)
		if numeric {
			x = numbers[i]
		}
		s.at[v] = x
		s.ticks = append(s.ticks, plot.Tick{Value: x, Label: v})
		s.low, s.high = min(s.low, x), max(s.high, x)
	}
	if s.logarithmic = numeric && s.low > 0 && s.high >= 8*s.low; s.logarithmic {
		s.low, s.high = s.low/1.15, s.high*1.15
		return s
	}
	margin := max(0.05*(s.high-s.low), 1e-9*math.Abs(s.high), 1e-9)
	s.low, s.high = s.low-margin, s.high+margin
	return s
}

// leadingNumber is the number that a text begins with. Values with units are of one unit as a rule.
func leadingNumber(text string) (float64, bool) {
	end := strings.IndexFunc(text, func(c rune) bool { return !strings.ContainsRune("0123456789.", c) })
	if end < 0 {
		end = len(text)
	}
	x, err := strconv.ParseFloat(text[:end], 64)
	return x, err == nil
}
