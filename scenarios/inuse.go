package scenarios

import (
	"slices"
	"strings"

	"pdsim/model/catalogue"
	"pdsim/model/catalogue/name"
)

// InUse is a value of the catalogue that a scenario's engines use.
type InUse struct {
	Entry          string // that has it, such as "libfabric-1.4"
	catalogue.Fact        // the value as the scenario has it, with the range of the catalogue
}

// InUse returns the values that a scenario uses at a path such as "backend.post_read": one, or two where prefill and
// decode run on different hardware.
func (sp *Spec) InUse(path string) ([]InUse, error) {
	kind, key, _ := strings.Cut(path, ".")
	if _, err := catalogue.Blank(kind); err != nil {
		return nil, err
	}
	var out []InUse
	for _, es := range []*EngineSpec{&sp.Prefill, &sp.Decode} {
		u, err := sp.inUse(es, kind, key)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(out, *u) {
			out = append(out, *u)
		}
	}
	return out, nil
}

// inUse is the value of one pool of engines.
func (sp *Spec) inUse(es *EngineSpec, kind, key string) (*InUse, error) {
	cat := builtinCatalogue()
	in, err := cat.Instance(es.Hardware)
	if err != nil {
		return nil, err
	}
	switch kind {
	case "gpu":
		return valueOf(sp, kind, key, in.GPU, cat.GPUs[in.GPU])
	case "fabric":
		return valueOf(sp, kind, key, in.Fabric, cat.Fabrics[in.Fabric])
	case "backend":
		return valueOf(sp, kind, key, sp.Network.Backend, cat.Backends[sp.Network.Backend])
	case "software":
		return valueOf(sp, kind, key, sp.Software.Version, cat.Software[sp.Software.Version])
	}
	return valueOf(sp, kind, key, es.Hardware, in)
}

// valueOf finds a value in an entry and in what the scenario makes of the entry.
func valueOf[T any](sp *Spec, kind, key, entry string, plain *T) (*InUse, error) {
	changed, err := override(sp, kind, plain)
	if err != nil {
		return nil, err
	}
	var keys []string
	for i, f := range catalogue.Facts(plain) {
		if f.Key == key {
			f.Value = catalogue.Facts(changed)[i].Value
			return &InUse{entry, f}, nil
		}
		keys = append(keys, f.Key)
	}
	return nil, name.Unknown("cost", key, keys)
}
