package main

import (
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
	seed      string // a text, so that what is wrong with it is said as of every key
	format    string
	out       string
	varied    []string // keys that something else sets after --set
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
	f.StringVar(&s.seed, "seed", "", "seed of everything random, a `number` (default: run.seed of the scenario)")
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
	sp.Set = s.overrides(cmd)
	return sp, nil
}

// overrides are the files and settings that results name: of the settings, those that nothing after them sets anew.
func (s *settings) overrides(cmd *cobra.Command) []string {
	var all []string
	for _, file := range s.with {
		all = append(all, "--with "+file)
	}
	above := slices.Clone(s.varied)
	for _, o := range s.shorthands(cmd) {
		above = append(above, o.key)
	}
	for i, assignment := range s.set {
		key := keyOf(assignment)
		again := slices.ContainsFunc(s.set[i+1:], func(later string) bool { return keyOf(later) == key })
		if !again && !slices.Contains(above, key) {
			all = append(all, assignment)
		}
	}
	return all
}

// keyOf is the key that an assignment sets.
func keyOf(assignment string) string {
	key, _, _ := strings.Cut(assignment, "=")
	return strings.TrimSpace(key)
}

// shorthand is a flag that sets one key.
type shorthand struct{ flag, key, value string }

// shorthands are those that have been given.
func (s *settings) shorthands(cmd *cobra.Command) []shorthand {
	var given []shorthand
	for _, o := range []shorthand{{"protocol", "run.protocols", s.protocols}, {"seed", "run.seed", s.seed}} {
		if cmd.Flags().Changed(o.flag) {
			given = append(given, o)
		}
	}
	return given
}

// layers are the shorthands as settings of the scenario's keys.
func (s *settings) layers(cmd *cobra.Command) []scenarios.Layer {
	var layers []scenarios.Layer
	for _, o := range s.shorthands(cmd) {
		layers = append(layers, scenarios.Option("--"+o.flag+" "+o.value, o.key, o.value))
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
