package scenarios

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"pdsim/model/llm"
	"pdsim/model/workload"
)

// supply is where settings come from: a file or one command-line option.
type supply struct {
	file    string // name of the file for messages
	option  string // the option, instead of a file
	content string // of the file
	dir     string // that relative file names start from
	rank    int    // later ones win over earlier ones
}

// origin is who set a key's value.
type origin struct {
	*supply
	path toml.Key
}

// assembly is a scenario while it is put together: defaults first, then a file, then whatever is laid over it.
type assembly struct {
	spec     Spec
	file     string // name of the scenario's file, for mistakes that nobody in particular made
	origins  map[string]origin
	bad      map[string]bool // keys that have been complained of
	shape    *llm.Shape      // the model's, nil while that is wrong
	mistakes Mistakes
	supplies int
}

// assemble starts from the defaults.
func assemble(file string) *assembly {
	a := &assembly{file: file, origins: map[string]origin{}, bad: map[string]bool{}, spec: Defaults()}
	return a
}

// supply makes a supply that wins over those before.
func (a *assembly) supply(s supply) *supply {
	a.supplies++
	s.rank = a.supplies
	return &s
}

// read lays the settings of a TOML text over what is there.
func (a *assembly) read(file string, content []byte, dir string) {
	src := a.supply(supply{file: file, content: string(content), dir: dir})
	if line := tooDeep(src.content); line > 0 {
		a.mistakes.add(Mistake{File: file, Line: line, Col: 1, Want: fmt.Sprintf("want at most %d tables in each other", deepest)})
		return
	}
	var tree map[string]any
	md, err := toml.Decode(src.content, &tree)
	if err != nil {
		a.mistakes.add(syntax(file, err))
		return
	}
	refused := map[string]bool{}
	for _, path := range md.Keys() {
		if !under(refused, path) && !a.take(src, path, find(tree, path)) {
			refused[path.String()] = true
		}
	}
}

// syntax is the mistake of a text that is not TOML.
func syntax(file string, err error) Mistake {
	var at toml.ParseError
	if !errors.As(err, &at) {
		return Mistake{File: file, Want: strings.TrimPrefix(err.Error(), "toml: ")}
	}
	m := Mistake{File: file, Line: at.Position.Line, Col: max(at.Position.Col, 1), Want: sentence(at.Message)}
	if strings.Contains(m.Want, "out of range") { // of a value, which has a key
		m.Key = at.LastKey
	}
	return m
}

// sentence is the decoder's message in the form of the others: one line, small first letter, no full stop.
func sentence(s string) string {
	s = strings.TrimSuffix(strings.ReplaceAll(s, "\n", " "), ".")
	if s == "" {
		return "not TOML"
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// under says whether a table around path has been refused.
func under(refused map[string]bool, path toml.Key) bool {
	for i := range path {
		if refused[path[:i+1].String()] {
			return true
		}
	}
	return false
}

// find is the value at path.
func find(tree map[string]any, path toml.Key) any {
	var v any = tree
	for _, part := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[part]
	}
	return v
}

// take puts one setting of a file in. It returns false when nothing below path is to be looked at.
func (a *assembly) take(src *supply, path toml.Key, raw any) bool {
	name := path.String()
	if path[0] == costsTable {
		return a.takeCost(src, path, raw)
	}
	if k := lookup(name); k != nil {
		a.set(k, origin{src, path}, raw)
		_, deeper := raw.(map[string]any)
		return !deeper
	}
	_, isTable := raw.(map[string]any)
	_, isTables := raw.([]map[string]any)
	switch {
	case isSection(name) && isTable:
		return true
	case isSection(name):
		a.complain(origin{src, path}, Mistake{Key: name, Want: "want a table", Have: shown(raw)}, place)
	case isTable || isTables:
		a.complain(origin{src, path}, Mistake{Want: fmt.Sprintf("unknown table %q", name), Hint: nearest(name, tables())}, placeOfKey)
	default:
		a.complain(origin{src, path}, Mistake{Want: fmt.Sprintf("unknown key %q", name), Hint: nearestKey(name)}, placeOfKey)
	}
	return false
}

// set gives a key its value, or notes what is wrong with that.
func (a *assembly) set(k *Key, from origin, raw any) {
	field := k.field(&a.spec)
	if want, hint := k.assign(field, raw); want != "" {
		a.bad[k.Path] = true
		a.complain(from, Mistake{Key: k.Path, Want: want, Have: shown(raw), Hint: hint}, place)
		return
	}
	a.origins[k.Path] = from
	if k.file {
		field.SetString(resolved(field.String(), from.dir))
	}
}

// resolved is a file's name seen from the working directory. The name of a built-in trace stays as it is.
func resolved(name, dir string) string {
	if name == "" || dir == "" || filepath.IsAbs(name) || slices.Contains(workload.Builtins(), name) {
		return name
	}
	return filepath.Join(dir, name)
}

// complain notes a mistake at the place where its source has it.
func (a *assembly) complain(from origin, m Mistake, where func(string, toml.Key) (int, int)) {
	switch {
	case from.supply == nil:
		m.File = a.file
	case from.option != "":
		m.Option = from.option
	default:
		m.File = from.file
		if !a.mistakes.full() { // finding a place takes a pass over the text
			m.Line, m.Col = where(from.content, from.path)
		}
	}
	a.mistakes.add(m)
}

// refuse complains of a key's value after all is known, unless it has been complained of before.
func (a *assembly) refuse(path, format string, args ...any) { a.refuseNear(path, nil, format, args...) }

// refuseNear is refuse with the nearest of the words that the key takes.
func (a *assembly) refuseNear(path string, words []string, format string, args ...any) {
	if a.bad[path] {
		return
	}
	a.bad[path] = true
	field := lookup(path).field(&a.spec)
	want, have, ok := strings.Cut(fmt.Sprintf(format, args...), ", have ")
	if !ok {
		have = literal(field)
	}
	m := Mistake{Key: path, Want: want, Have: have}
	if words != nil {
		m.Hint = nearest(field.String(), words)
	}
	a.complain(a.origins[path], m, place)
}

// fine says whether none of the keys has been complained of, so that a check that needs them all makes sense.
func (a *assembly) fine(paths ...string) bool {
	return !slices.ContainsFunc(paths, func(p string) bool { return a.bad[p] })
}

// latest is the key that was set last of some.
func (a *assembly) latest(paths ...string) string {
	last, rank := paths[0], -1
	for _, p := range paths {
		if o, ok := a.origins[p]; ok && o.rank > rank {
			last, rank = p, o.rank
		}
	}
	return last
}

// idle refuses a key that has no effect with a word of another key, if someone asks for an effect: set it, no earlier
// than the other key, to something else than its default.
func (a *assembly) idle(path, other, word, hint string) {
	k, defaults := lookup(path), Defaults()
	if a.given(path, other) && literal(k.field(&a.spec)) != literal(k.field(&defaults)) {
		a.refuse(path, "has no effect with %s = %q%s", other, word, hint)
	}
}

// given says whether someone set the key, no earlier than the other key was set.
func (a *assembly) given(path, since string) bool {
	o, ok := a.origins[path]
	if !ok {
		return false
	}
	s, ok := a.origins[since]
	return !ok || o.rank >= s.rank
}
