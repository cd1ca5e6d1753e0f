package llm

import (
	_ "embed" // for shapes.toml
	"fmt"
	"maps"
	"slices"

	"github.com/BurntSushi/toml"

	"pdsim/model/catalogue/name"
)

//go:embed shapes.toml
var shapesTOML string

// Builtin returns the built-in shapes by name. It parses anew each time: callers keep what they got.
func Builtin() (map[string]*Shape, error) { return parse("shapes.toml", shapesTOML) }

// Lookup returns the built-in shape of that name. An unknown name is an error that gives the nearest ones.
func Lookup(model string) (*Shape, error) {
	all, err := Builtin()
	if err != nil {
		return nil, err
	}
	if s, ok := all[model]; ok {
		return s, nil
	}
	return nil, name.Unknown("model", model, slices.Sorted(maps.Keys(all)))
}

func parse(file, text string) (map[string]*Shape, error) {
	var all map[string]*Shape
	meta, err := toml.Decode(text, &all)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if keys := meta.Undecoded(); len(keys) > 0 {
		return nil, fmt.Errorf("%s: unknown key %q", file, keys[0])
	}
	for name, s := range all {
		s.Name = name
		if err := s.check(); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", file, name, err)
		}
		if s.Source == "" || s.WeightBits == 0 || s.KVBits == 0 {
			return nil, fmt.Errorf("%s: %s: want a source, weight_bits and kv_bits", file, name)
		}
	}
	return all, nil
}
