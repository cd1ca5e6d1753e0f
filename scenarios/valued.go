package scenarios

import (
	"slices"
	"strings"

	"pdsim/model/catalogue"
)

// Value is what a scenario has for a key, as Set takes it; ok is false when there is no such key.
func (sp *Spec) Value(path string) (value string, ok bool) {
	k := lookup(path)
	if k == nil {
		return "", false
	}
	return strings.Trim(literal(k.field(sp)), `"`), true
}

// CostsOf lists the catalogue's values that a scenario runs with, as far as they are the same for prefill and decode:
// a cost of the scenario replaces both.
func CostsOf(sp *Spec) ([]Cost, error) {
	parts, err := gather(sp)
	if err != nil {
		return nil, err
	}
	prefill, err := parts.hardwareCosts(&sp.Prefill)
	if err != nil {
		return nil, err
	}
	decode, err := parts.hardwareCosts(&sp.Decode)
	if err != nil {
		return nil, err
	}
	all := append(costsIn("backend", parts.backend), costsIn("software", parts.software)...)
	for _, c := range decode {
		if slices.Contains(prefill, c) {
			all = append(all, c)
		}
	}
	return all, nil
}

// hardwareCosts lists the values of a pool's fabric, machines and GPUs.
func (p *parts) hardwareCosts(es *EngineSpec) ([]Cost, error) {
	gpu, in, err := p.machine(es)
	if err != nil {
		return nil, err
	}
	f, err := builtinCatalogue().Fabric(in.Fabric)
	if err != nil {
		return nil, err
	}
	if f, err = override(p.sp, "fabric", f); err != nil {
		return nil, err
	}
	return slices.Concat(costsIn("fabric", f), costsIn("instance", in), costsIn("gpu", gpu)), nil
}

// costsIn lists the values of an entry of the catalogue, given by pointer.
func costsIn(kind string, entry any) []Cost {
	var all []Cost
	for _, f := range catalogue.Facts(entry) {
		all = append(all, Cost{kind + "." + f.Key, f.Value})
	}
	return all
}
