package cases

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"pdsim/validate/read"
)

// Load reads the case in a folder, by the name that messages give it.
func Load(name string, folder fs.FS) (*Case, error) { return load(name, folder, read.Options{}) }

func load(name string, folder fs.FS, opt read.Options) (*Case, error) {
	file := path.Join(name, File)
	text, err := fs.ReadFile(folder, File)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	c := &Case{Name: path.Base(name), Folder: folder, Reading: opt}
	md, err := toml.Decode(string(text), c)
	var at toml.ParseError
	switch {
	case errors.As(err, &at):
		return nil, fmt.Errorf("%s:%d:%d: %s", file, at.Position.Line, at.Position.Col, at.Message)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if unknown := md.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("%s:%d: unknown key %q", file, lineOf(string(text), unknown[0]), unknown[0].String())
	}
	if err := c.complete(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return c, nil
}

// lineOf finds the first line that sets a key; toml does not tell where unknown ones are.
func lineOf(text string, key toml.Key) int {
	last := key[len(key)-1]
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if name, _, ok := strings.Cut(line, "="); ok && strings.Trim(strings.TrimSpace(name), `"`) == last {
			return n
		}
		if strings.HasPrefix(line, "[") && strings.Trim(line, "[]") == key.String() {
			return n
		}
	}
	return 1
}

// complete makes points of the tables, fills in what points take from the case, and checks it all.
func (c *Case) complete() error {
	for _, f := range []struct{ name, have string }{
		{"title", c.Title}, {"family", c.Family}, {"source", c.Source}, {"licence", c.Licence}, {"scenario", c.Scenario}, {"protocol", c.Protocol},
	} {
		if f.have == "" {
			return fmt.Errorf("want %s, have none", f.name)
		}
	}
	for i := range c.Tables {
		points, err := c.rows(&c.Tables[i])
		if err != nil {
			return err
		}
		c.Points = append(c.Points, points...)
	}
	c.Tables = nil
	if len(c.Points) == 0 {
		return errors.New("want a point or a table, have none")
	}
	for i := range c.Points {
		p := &c.Points[i]
		if p.Protocol == "" {
			p.Protocol = c.Protocol
		}
		p.Set = slices.Concat(c.Set, p.Set)
		if err := c.checkPoint(p); err != nil {
			return fmt.Errorf("point %q: %w", p.Name, err)
		}
		if slices.ContainsFunc(c.Points[:i], func(o Point) bool { return o.Name == p.Name && o.Fitted == p.Fitted }) {
			return fmt.Errorf("point %q: want names that differ, have it twice", p.Name)
		}
	}
	for i := range c.Decisions {
		if err := c.checkDecision(&c.Decisions[i]); err != nil {
			return fmt.Errorf("decision %q: %w", c.Decisions[i].Name, err)
		}
	}
	return nil
}

func (c *Case) checkPoint(p *Point) error {
	switch {
	case p.Name == "":
		return errors.New("want a name, have none")
	case p.Replay == "" && len(p.Measured) == 0 && !c.decides(p.Name):
		return errors.New("want measured figures, a file to replay or a decision about it, have none")
	case p.Replay != "" && p.Format != FormatTimeline && p.Format != FormatEngine:
		return fmt.Errorf("format: want %q or %q, have %q", FormatTimeline, FormatEngine, p.Format)
	case p.Replay == "" && p.Format != "":
		return errors.New("want a file for the format, have none in replay")
	}
	if p.Replay != "" {
		if _, err := fs.Stat(c.Folder, p.Replay); err != nil {
			return fmt.Errorf("replay: %w", err)
		}
	}
	for name, v := range p.Measured {
		if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
			return fmt.Errorf("%s: want a number of 0 or more, have %v", name, v)
		}
	}
	for name, v := range p.Spread {
		if _, ok := p.Measured[name]; !ok || !(v >= 0) || math.IsInf(v, 0) {
			return fmt.Errorf("spread of %s: want 0 or more, of a figure that was measured", name)
		}
	}
	return nil
}

// decides says whether a decision is about the point of that name.
func (c *Case) decides(name string) bool {
	return slices.ContainsFunc(c.Decisions, func(d Decision) bool { return slices.Contains(d.Points, name) })
}

func (c *Case) checkDecision(d *Decision) error {
	if len(d.Points) != 2 || d.Metric == "" {
		return errors.New("want a metric and two points")
	}
	if d.Factor < 0 || math.IsNaN(d.Factor) || math.IsInf(d.Factor, 0) {
		return fmt.Errorf("factor: want more than 0, have %v", d.Factor)
	}
	for _, name := range d.Points {
		p := c.Point(name)
		if p == nil {
			return fmt.Errorf("no point is named %q", name)
		}
		if _, ok := p.Measured[d.Metric]; !ok && d.Factor == 0 && p.Replay == "" {
			return fmt.Errorf("point %q has no %s", name, d.Metric)
		}
	}
	return nil
}
