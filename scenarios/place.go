package scenarios

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/BurntSushi/toml"
)

// trap is a TOML value that refuses whatever it is given: the decoder's complaint says where the value stands.
type trap struct{}

var errTrapped = errors.New("here")

// UnmarshalTOML refuses.
func (*trap) UnmarshalTOML(any) error { return errTrapped }

// place finds where a key's value stands in a text, from 1, or returns zeros. The decoder keeps no positions of what it
// reads without complaint, so the text is decoded once more into a type that has this key alone, with a trap in it.
func place(content string, path toml.Key) (line, col int) {
	var tree map[string]any
	if _, err := toml.Decode(content, &tree); err != nil {
		return 0, 0
	}
	t, ok := trapped(tree, path)
	if !ok {
		return 0, 0
	}
	_, err := toml.Decode(content, reflect.New(t).Interface())
	var at toml.ParseError
	if !errors.As(err, &at) || at.Position.Line == 0 {
		return 0, 0
	}
	text := lineOf(content, at.Position.Line)
	col = min(max(at.Position.Col, 1), len(text)+1)
	if value, ok := afterKey(text[col-1:], path[len(path)-1]); ok { // in an inline table, the decoder names the key's place
		return at.Position.Line, col + value
	}
	if col > 1 && (text[col-2] == '"' || text[col-2] == '\'') { // of a text, the place within its quotes
		col--
	}
	return at.Position.Line, col
}

// trapped is the type that has a trap at path. Beside each part of the path stand the keys that differ from it in case
// only: the decoder would take them for it otherwise.
func trapped(tree map[string]any, path toml.Key) (reflect.Type, bool) {
	if len(path) == 0 {
		return reflect.TypeFor[trap](), true
	}
	part := path[0]
	if part == "" || part == "-" || strings.ContainsAny(part, ",") {
		return nil, false // has another meaning in a field's tag
	}
	inner, _ := tree[part].(map[string]any)
	t, ok := trapped(inner, path[1:])
	if !ok {
		return nil, false
	}
	fields := []reflect.StructField{field(0, part, t)}
	for other := range tree {
		if other != part && strings.EqualFold(other, part) {
			fields = append(fields, field(len(fields), other, reflect.TypeFor[any]()))
		}
	}
	return reflect.StructOf(fields), true
}

func field(i int, key string, t reflect.Type) reflect.StructField {
	return reflect.StructField{Name: fmt.Sprintf("X%d", i), Type: t, Tag: reflect.StructTag(fmt.Sprintf("toml:%q", key))}
}

// afterKey is where in text, which begins with a key, the key's value begins.
func afterKey(text, key string) (at int, ok bool) {
	rest := strings.TrimLeft(text, "\"'")
	if !strings.HasPrefix(rest, key) {
		return 0, false
	}
	rest = strings.TrimLeft(rest[len(key):], "\"' \t")
	if !strings.HasPrefix(rest, "=") {
		return 0, false
	}
	rest = strings.TrimLeft(rest[1:], " \t")
	return len(text) - len(rest), true
}

// placeOfKey is place for the key's name instead of its value, or for a table's line.
func placeOfKey(content string, path toml.Key) (line, col int) {
	line, col = place(content, path)
	if line == 0 {
		return 0, 0
	}
	text := lineOf(content, line)
	start := len(text) - len(strings.TrimLeft(text, " \t"))
	if strings.HasPrefix(text[start:], "[") {
		return line, start + 1
	}
	before := text[:col-1]
	if equals := strings.LastIndexByte(before, '='); equals > 0 { // the key ends before it and begins after a brace or comma
		name := strings.TrimRight(before[:equals], " \t")
		if open := strings.LastIndexAny(name, "{,"); open >= 0 {
			start = open + 1 + len(name[open+1:]) - len(strings.TrimLeft(name[open+1:], " \t"))
		}
	}
	return line, start + 1
}

func lineOf(content string, line int) string {
	for range line - 1 {
		_, content, _ = strings.Cut(content, "\n")
	}
	text, _, _ := strings.Cut(content, "\n")
	return text
}
