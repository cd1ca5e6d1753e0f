package calibrate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pdsim/model/catalogue"
	"pdsim/scenarios"
)

// A compute scale is a factor on the time that a model of compute gives. Half and twice is further than such models are
// off; what goes below the peaks of the hardware is refused when it is played.
const leastScale, mostScale = 0.5, 2

// unstated is how far a value may move, as a factor either way, for which the catalogue states no range.
const unstated = 4

// Parameter is a value that can be fitted.
type Parameter struct {
	Path    string   // of a value of the catalogue, or a key of a scenario
	Entries []string // of the catalogue that have it
	Start   string   // as it is, with its unit

	key       string  // to set in scenarios
	unit      string  // that texts end in
	per       float64 // base units in one
	low, high float64 // range, in units
	start     float64 // in units
}

// keysOf are the keys of a scenario that a path means, when it is none of the catalogue.
func keysOf(path string) []string {
	switch path {
	case "compute_scale":
		return []string{"prefill.compute_scale", "decode.compute_scale"}
	case "prefill.compute_scale", "decode.compute_scale":
		return []string{path}
	}
	return nil
}

// overlap says whether two paths mean the same value.
func overlap(a, b string) bool {
	return a == b || slices.ContainsFunc(keysOf(a), func(key string) bool { return slices.Contains(keysOf(b), key) })
}

// resolve finds a parameter in the scenarios of all points.
func resolve(path string, specs []*scenarios.Spec) (*Parameter, error) {
	if keysOf(path) != nil {
		return resolveScale(path, specs)
	}
	p := &Parameter{Path: path, key: "costs." + path, low: math.Inf(1)}
	for _, sp := range specs {
		all, err := sp.InUse(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		for _, u := range all {
			if slices.Contains(p.Entries, u.Entry) && u.Value == p.Start {
				continue
			}
			if err := p.take(&u); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
		}
	}
	return p, nil
}

// take takes in the value of one entry of the catalogue.
func (p *Parameter) take(u *scenarios.InUse) error {
	value, err := catalogue.Measure(p.Path, u.Value)
	switch {
	case err != nil:
		return err
	case value <= 0:
		return fmt.Errorf("want a value above 0 to start from, have %s in %s", u.Value, u.Entry)
	case p.Start != "" && u.Value != p.Start:
		return fmt.Errorf("is %s in %s and %s in %s; want cases with one of them, by --case", p.Start, p.Entries[0], u.Value, u.Entry)
	}
	number, unit := split(u.Value)
	p.Entries, p.Start, p.unit, p.start, p.per = append(p.Entries, u.Entry), u.Value, unit, number, value/number
	low, high := value/unstated, value*unstated
	if u.Low != "" {
		if low, err = catalogue.Measure(p.Path, u.Low); err != nil {
			return err
		}
		if high, err = catalogue.Measure(p.Path, u.High); err != nil {
			return err
		}
	}
	low = max(low, high*1e-3) // a range from 0 has no logarithm
	p.low, p.high = min(p.low, low/p.per, p.start), max(p.high, high/p.per, p.start)
	if !(p.low < p.high) {
		return fmt.Errorf("want a range, have %s alone in %s", u.Value, u.Entry)
	}
	return nil
}

func resolveScale(path string, specs []*scenarios.Spec) (*Parameter, error) {
	p := &Parameter{Path: path, key: path, Start: "1", start: 1, per: 1, low: leastScale, high: mostScale}
	for _, sp := range specs {
		for _, have := range []struct {
			key   string
			scale float64
		}{{"prefill.compute_scale", sp.Prefill.ComputeScale}, {"decode.compute_scale", sp.Decode.ComputeScale}} {
			if slices.Contains(keysOf(path), have.key) && have.scale != 1 {
				return nil, fmt.Errorf("%s: want scenarios without %s, have one with %v", path, have.key, have.scale)
			}
		}
	}
	return p, nil
}

// split cuts a value with its unit apart.
func split(text string) (number float64, unit string) {
	end := strings.IndexFunc(text, func(c rune) bool { return (c < '0' || c > '9') && c != '.' })
	if end < 0 {
		end = len(text)
	}
	number, _ = strconv.ParseFloat(text[:end], 64) // the catalogue has read it already
	return number, text[end:]
}

// at is the value, in units, at a place from 0 to 1 in the logarithm of the range.
func (p *Parameter) at(place float64) float64 {
	return math.Exp(math.Log(p.low) + float64(place*(math.Log(p.high)-math.Log(p.low))))
}

// place is where a value, in units, lies in the logarithm of the range.
func (p *Parameter) place(value float64) float64 {
	return (math.Log(value) - math.Log(p.low)) / (math.Log(p.high) - math.Log(p.low))
}

// text is the value at a place as scenarios take it: four significant digits, or fewer where its type counts in whole
// numbers of something.
func (p *Parameter) text(place float64) string {
	x := p.at(place)
	places := 3 - int(math.Floor(math.Log10(x)))
	for ; places > 0; places-- {
		text := strconv.FormatFloat(x, 'f', places, 64) + p.unit
		if keysOf(p.Path) != nil {
			return text
		}
		if _, err := catalogue.Measure(p.Path, text); err == nil {
			return text
		}
	}
	return strconv.FormatFloat(x, 'f', 0, 64) + p.unit
}

// layers set the parameter at a place.
func (p *Parameter) layers(place float64) []scenarios.Layer {
	text := p.text(place)
	keys := keysOf(p.Path)
	if keys == nil {
		return []scenarios.Layer{scenarios.Set(p.key + "=" + text)}
	}
	var all []scenarios.Layer
	for _, key := range keys {
		all = append(all, scenarios.Set(key+"="+text))
	}
	return all
}
