package main

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// signs tell quantities apart without colour.
var signs = []draw.GlyphDrawer{
	draw.RingGlyph{}, draw.CrossGlyph{}, draw.TriangleGlyph{}, draw.PlusGlyph{}, draw.SquareGlyph{}, draw.PyramidGlyph{}, draw.CircleGlyph{}, draw.BoxGlyph{},
	diamond{}, diamond{filled: true}, star{}, hourglass{},
}

// corner is a point on a sign's rim, an angle from its centre.
func corner(at vg.Point, radius vg.Length, angle float64) vg.Point {
	return vg.Point{X: at.X + radius*vg.Length(math.Cos(angle)), Y: at.Y + radius*vg.Length(math.Sin(angle))}
}

// diamond is a square on its corner.
type diamond struct{ filled bool }

// DrawGlyph draws the sign.
func (d diamond) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	var path vg.Path
	path.Move(corner(at, style.Radius, 0))
	for k := 1; k < 4; k++ {
		path.Line(corner(at, style.Radius, float64(k)*math.Pi/2))
	}
	path.Close()
	if d.filled {
		c.Fill(path)
		return
	}
	c.SetLineStyle(draw.LineStyle{Color: style.Color, Width: vg.Points(0.5)})
	c.Stroke(path)
}

// star is three lines through a point.
type star struct{}

// DrawGlyph draws the sign.
func (star) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	c.SetLineStyle(draw.LineStyle{Color: style.Color, Width: vg.Points(0.5)})
	for k := range 3 {
		angle := float64(k)*math.Pi/3 + math.Pi/2
		var path vg.Path
		path.Move(corner(at, style.Radius, angle))
		path.Line(corner(at, style.Radius, angle+math.Pi))
		c.Stroke(path)
	}
}

// hourglass is two triangles that touch.
type hourglass struct{}

// DrawGlyph draws the sign.
func (hourglass) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	c.SetLineStyle(draw.LineStyle{Color: style.Color, Width: vg.Points(0.5)})
	var path vg.Path
	path.Move(corner(at, style.Radius, math.Pi/4))
	for _, angle := range []float64{3 * math.Pi / 4, -math.Pi / 4, -3 * math.Pi / 4} {
		path.Line(corner(at, style.Radius, angle))
	}
	path.Close()
	c.Stroke(path)
}
