package llm

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/agnivade/levenshtein"
)

//go:embed shapes.toml
var shapes string

// Builtin returns the built-in shapes by name.
func Builtin() (map[string]*Shape, error) {
	var all map[string]*Shape
	md, err := toml.Decode(shapes, &all)
	if err != nil {
		return nil, fmt.Errorf("shapes.toml: %w", err)
	}
	if keys := md.Undecoded(); len(keys) > 0 {
		return nil, fmt.Errorf("shapes.toml: unknown key %q", keys[0])
	}
	for name, s := range all {
		s.Name = name
	}
	return all, nil
}

// Lookup returns the built-in shape of that name. An unknown name is answered with the nearest ones.
func Lookup(name string) (*Shape, error) {
	all, err := Builtin()
	if err != nil {
		return nil, err
	}
	if s, ok := all[name]; ok {
		return s, nil
	}
	names := slices.Sorted(maps.Keys(all))
	slices.SortStableFunc(names, func(a, b string) int {
		return levenshtein.ComputeDistance(name, a) - levenshtein.ComputeDistance(name, b)
	})
	return nil, fmt.Errorf("unknown model %q; nearest: %s", name, strings.Join(names[:3], ", "))
}
