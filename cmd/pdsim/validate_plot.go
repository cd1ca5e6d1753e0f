package main

import (
	"bytes"
	"image/color"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"pdsim/validate"
)

// cloud is the figures of one quantity in a picture.
type cloud struct {
	quantity       string
	judged, fitted plotter.XYs // measured and simulated
}

// plotFamilies writes a picture for each family: every simulated figure over the measured one, in the unit of its name.
func plotFamilies(r *validate.Report, dir, image string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return misuse("--plot %s: %s", dir, err)
	}
	var families []string
	for _, f := range r.Families {
		if !slices.Contains(families, f.Name) {
			families = append(families, f.Name)
		}
	}
	for _, family := range families {
		picture, err := plotFamily(family, cloudsOf(r, family), image)
		if err != nil {
			return err
		}
		err = writeTo(filepath.Join(dir, fileName(family)+"."+image), nil, func(w io.Writer) error {
			_, err := w.Write(picture)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// fileName keeps of a family's name what any file system takes.
func fileName(family string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' {
			return c
		}
		return '_'
	}, family)
}

// cloudsOf gathers the figures of a family by quantity: mean, median and 99th percentile of one share a sign. Figures
// that are 0 have no place on axes of logarithms.
func cloudsOf(r *validate.Report, family string) []cloud {
	var all []cloud
	for i := range r.Cases {
		if r.Cases[i].Family != family {
			continue
		}
		for _, p := range r.Cases[i].Points {
			for _, f := range p.Figures {
				q := quantity(f.Metric)
				at := slices.IndexFunc(all, func(c cloud) bool { return c.quantity == q })
				if at < 0 {
					at = len(all)
					all = append(all, cloud{quantity: q})
				}
				xy := plotter.XY{X: float64(f.Measured), Y: float64(f.Simulated)}
				switch {
				case !(xy.X > 0 && xy.Y > 0) || math.IsInf(xy.X, 0) || math.IsInf(xy.Y, 0):
				case f.Judged:
					all[at].judged = append(all[at].judged, xy)
				default:
					all[at].fitted = append(all[at].fitted, xy)
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b cloud) int { return strings.Compare(a.quantity, b.quantity) })
	return all
}

// quantity is what a figure is a statistic of.
func quantity(metric string) string {
	_, name, ok := strings.Cut(metric, ".")
	if !ok {
		name = metric
	}
	for _, statistic := range []string{"mean_", "median_", "avg_", "p90_", "p95_", "p99_"} {
		name = strings.TrimPrefix(name, statistic)
	}
	return name
}

// plotFamily draws one picture: judged figures black, fitted ones grey, the diagonal, and lines a tenth off it.
func plotFamily(family string, clouds []cloud, image string) ([]byte, error) {
	p := plot.New()
	p.Title.Text = family + ": simulated over measured, fitted points grey; dashes 10 % off"
	p.Title.TextStyle.Font.Size = vg.Points(11)
	p.X.Label.Text, p.Y.Label.Text = "measured", "simulated"
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogTicks{Prec: -1}, plot.LogTicks{Prec: -1}
	p.Legend.Top, p.Legend.Left = true, true
	low, high := limits(clouds)
	for _, factor := range []float64{1, 0.9, 1.1} {
		line, err := plotter.NewLine(plotter.XYs{{X: low, Y: low * factor}, {X: high, Y: high * factor}})
		if err != nil {
			return nil, err
		}
		line.Width = vg.Points(0.7)
		if factor != 1 {
			line.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
		}
		p.Add(line)
	}
	for i, c := range clouds {
		sign := signs[i%len(signs)]
		for _, part := range []struct {
			xys   plotter.XYs
			color color.Color
		}{{c.fitted, color.Gray{Y: 160}}, {c.judged, color.Black}} {
			if len(part.xys) == 0 {
				continue
			}
			s, err := plotter.NewScatter(part.xys)
			if err != nil {
				return nil, err
			}
			s.GlyphStyle = draw.GlyphStyle{Color: part.color, Radius: vg.Points(3), Shape: sign}
			p.Add(s)
		}
		p.Legend.Add(c.quantity, &plotter.Scatter{GlyphStyle: draw.GlyphStyle{Color: color.Black, Radius: vg.Points(3), Shape: sign}})
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = low, high, low, high
	w, err := p.WriterTo(16*vg.Centimeter, 16*vg.Centimeter, image)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	_, err = w.WriteTo(&out)
	return out.Bytes(), err
}

// limits are powers of ten around all figures.
func limits(clouds []cloud) (low, high float64) {
	low, high = math.Inf(1), 0
	for _, c := range clouds {
		for _, xy := range slices.Concat(c.judged, c.fitted) {
			low, high = min(low, xy.X, xy.Y), max(high, xy.X, xy.Y)
		}
	}
	if high == 0 {
		return 1, 10
	}
	low, high = math.Pow(10, math.Floor(math.Log10(low))), math.Pow(10, math.Ceil(math.Log10(high)))
	return low, max(high, 10*low)
}
