package web

import (
	"strconv"
	"strings"

	"pdsim/model/catalogue"
	"pdsim/scenarios"
)

// values is what a run would use for each key, as text, and for each cost of the machine that decodes and of the
// transfer library.
func values(sp *scenarios.Spec) map[string]string {
	all := costs(sp)
	section := ""
	for line := range strings.Lines(string(sp.Encode())) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = strings.Trim(line, "[]") + "."
			continue
		}
		name, value, ok := strings.Cut(line, " = ")
		if !ok {
			continue
		}
		if bare, err := strconv.Unquote(value); err == nil {
			value = bare
		}
		all[section+name] = value
	}
	return all
}

// costs is what the catalogue says where the scenario does not.
func costs(sp *scenarios.Spec) map[string]string {
	all := map[string]string{}
	cat, err := catalogue.Builtin()
	if err != nil {
		return all // the scenario was loaded from it
	}
	add := func(kind string, entry any) {
		for _, f := range catalogue.Facts(entry) {
			all["costs."+kind+"."+f.Key] = f.Value
		}
	}
	if in, err := cat.Instance(sp.Decode.Hardware); err == nil {
		add("instance", in)
	}
	if b, err := cat.Backend(sp.Network.Backend); err == nil {
		add("backend", b)
	}
	return all
}
