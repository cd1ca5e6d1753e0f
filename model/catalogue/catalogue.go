package catalogue

import (
	"embed"
	"maps"
	"slices"

	"pdsim/model/catalogue/name"
)

//go:embed *.toml
var files embed.FS

// Catalogue is all entries of every kind, by their keys.
type Catalogue struct {
	GPUs      map[string]*GPU
	Instances map[string]*Instance
	Fabrics   map[string]*Fabric
	Backends  map[string]*Backend
	Software  map[string]*Software
}

// Builtin reads the catalogue that is part of pdsim. It parses anew each time: callers keep what they got.
func Builtin() (*Catalogue, error) {
	texts := map[string]string{}
	for _, file := range kinds {
		text, err := files.ReadFile(file)
		if err != nil {
			return nil, err
		}
		texts[file] = string(text)
	}
	return parse(texts)
}

// GPU returns the GPU of that name. An unknown one is an error that gives the nearest names, here and below.
func (c *Catalogue) GPU(name string) (*GPU, error) { return find("GPU", c.GPUs, name) }

// Instance returns the machine of that name.
func (c *Catalogue) Instance(name string) (*Instance, error) {
	return find("hardware", c.Instances, name)
}

// Fabric returns the fabric of that name.
func (c *Catalogue) Fabric(name string) (*Fabric, error) { return find("fabric", c.Fabrics, name) }

// Backend returns the transfer backend of that name.
func (c *Catalogue) Backend(name string) (*Backend, error) { return find("backend", c.Backends, name) }

// Stack returns the serving software of that name.
func (c *Catalogue) Stack(name string) (*Software, error) { return find("software", c.Software, name) }

// Names lists the names of one kind of entry in order.
func Names[T any](entries map[string]T) []string { return slices.Sorted(maps.Keys(entries)) }

func find[T any](what string, entries map[string]*T, want string) (*T, error) {
	if e, ok := entries[want]; ok {
		return e, nil
	}
	return nil, name.Unknown(what, want, Names(entries))
}
