package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pdsim/scenarios"
)

// settings are the flags that run and sweep share.
type settings struct {
	protocols string
	with      []string
	set       []string
	seed      uint64
	format    string
	out       string
}

func (s *settings) register(cmd *cobra.Command) {
	s.registerScenario(cmd)
	registerOutput(cmd, &s.format, &s.out)
}

// registerScenario adds the flags that say what is played.
func (s *settings) registerScenario(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVarP(&s.protocols, "protocol", "p", "", "protocols to compare, separated by commas (default: run.protocols of the scenario)")
	f.StringArrayVarP(&s.with, "with", "w", nil, "lay a TOML file with any keys of a scenario over it, before --set; repeatable, the last wins")
	f.StringArrayVarP(&s.set, "set", "s", nil, "override a key of the scenario, such as decode.tp=4; repeatable")
	f.Uint64Var(&s.seed, "seed", 0, "seed of everything random (default: run.seed of the scenario)")
}

// registerOutput adds the flags that say in which form results go where.
func registerOutput(cmd *cobra.Command, format, out *string) {
	cmd.Flags().StringVarP(format, "format", "f", "table", "form of the results: table, json or csv")
	cmd.Flags().StringVarP(out, "out", "o", "", "file for the results, written whole or not at all (default: standard output)")
}

// check looks at what is no key of a scenario.
func (s *settings) check() error { return checkFormat(s.format) }

func checkFormat(format string) error {
	if !slices.Contains([]string{"table", "json", "csv"}, format) {
		return misuse("--format %s: want table, json or csv", format)
	}
	return nil
}

// load loads a scenario and lays over it, in this order, the files of --with, the settings of --set, the shorthands, and
// what else there is.
func (s *settings) load(cmd *cobra.Command, name string, more ...scenarios.Layer) (*scenarios.Spec, error) {
	var layers []scenarios.Layer
	for _, file := range s.with {
		layers = append(layers, scenarios.Overlay(file))
	}
	for _, assignment := range s.set {
		layers = append(layers, scenarios.Set(assignment))
	}
	layers = append(layers, s.layers(cmd)...)
	sp, err := scenarios.Load(name, nil, append(layers, more...)...)
	if err != nil {
		return nil, err
	}
	sp.Set = s.overrides()
	return sp, nil
}

// overrides are the files and settings that results name.
func (s *settings) overrides() []string {
	var all []string
	for _, file := range s.with {
		all = append(all, "--with "+file)
	}
	return append(all, s.set...)
}

// layers are the shorthands as settings of the scenario's keys.
func (s *settings) layers(cmd *cobra.Command) []scenarios.Layer {
	var layers []scenarios.Layer
	if cmd.Flags().Changed("protocol") {
		layers = append(layers, scenarios.Option("--protocol "+s.protocols, "run.protocols", s.protocols))
	}
	if cmd.Flags().Changed("seed") {
		seed := fmt.Sprint(s.seed)
		layers = append(layers, scenarios.Option("--seed "+seed, "run.seed", seed))
	}
	return layers
}

// axis is one --vary: a key and the values that it takes.
type axis struct {
	key    string
	values []string
}

// parseAxis reads key=v1,v2,... Commas within quotes, brackets and braces do not part values.
func parseAxis(text string) (axis, error) {
	key, list, ok := strings.Cut(text, "=")
	key = strings.TrimSpace(key)
	if !ok || key == "" {
		return axis{}, misuse("--vary %s: want key=value,value,...", text)
	}
	a := axis{key: key}
	for _, v := range splitList(list) {
		if v == "" {
			return axis{}, misuse("--vary %s: want a value between commas", text)
		}
		if slices.Contains(a.values, v) {
			return axis{}, misuse("--vary %s: want each value once, have %s twice", text, v)
		}
		a.values = append(a.values, v)
	}
	return a, nil
}

func splitList(list string) []string {
	var items []string
	depth, start := 0, 0
	var quote rune
	for i, c := range list {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		case c == ',' && depth == 0:
			items = append(items, strings.TrimSpace(list[start:i]))
			start = i + 1
		}
	}
	return append(items, strings.TrimSpace(list[start:]))
}
