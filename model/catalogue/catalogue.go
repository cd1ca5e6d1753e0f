package catalogue

import (
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/agnivade/levenshtein"
)

//go:embed *.toml
var files embed.FS

// Catalogue is all entries, by name.
type Catalogue struct {
	GPUs      map[string]*GPU
	Instances map[string]*Instance
	Fabrics   map[string]*Fabric
	Backends  map[string]*Backend
	Software  map[string]*Software
}

// Builtin reads the built-in catalogue. A key that means nothing is an error.
func Builtin() (*Catalogue, error) {
	c := &Catalogue{}
	for file, into := range map[string]any{
		"gpus.toml": &c.GPUs, "instances.toml": &c.Instances, "fabrics.toml": &c.Fabrics, "backends.toml": &c.Backends, "software.toml": &c.Software,
	} {
		text, err := files.ReadFile(file)
		if err != nil {
			return nil, err
		}
		md, err := toml.Decode(string(text), into)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if keys := md.Undecoded(); len(keys) > 0 {
			return nil, fmt.Errorf("%s: unknown key %q", file, keys[0])
		}
	}
	return c, nil
}

// GPU returns the GPU of that name.
func (c *Catalogue) GPU(name string) (*GPU, error) { return find("GPU", c.GPUs, name) }

// Instance returns the machine of that name.
func (c *Catalogue) Instance(name string) (*Instance, error) {
	return find("hardware", c.Instances, name)
}

// Fabric returns the fabric of that name.
func (c *Catalogue) Fabric(name string) (*Fabric, error) { return find("fabric", c.Fabrics, name) }

// Backend returns the backend version of that name.
func (c *Catalogue) Backend(name string) (*Backend, error) { return find("backend", c.Backends, name) }

// Stack returns the serving software of that name.
func (c *Catalogue) Stack(name string) (*Software, error) { return find("software", c.Software, name) }

// Names lists the keys of one kind of entry in order.
func Names[T any](entries map[string]T) []string { return slices.Sorted(maps.Keys(entries)) }

// find looks an entry up; a name that is not there is answered with the nearest ones.
func find[T any](what string, entries map[string]*T, name string) (*T, error) {
	if e, ok := entries[name]; ok {
		return e, nil
	}
	names := Names(entries)
	slices.SortStableFunc(names, func(a, b string) int {
		return levenshtein.ComputeDistance(name, a) - levenshtein.ComputeDistance(name, b)
	})
	return nil, fmt.Errorf("unknown %s %q; nearest: %s", what, name, strings.Join(names[:min(3, len(names))], ", "))
}
