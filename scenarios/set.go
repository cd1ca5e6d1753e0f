package scenarios

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// Layer is something to lay over a scenario: it wins over what is below.
type Layer func(a *assembly)

// Set sets one key, as in "decode.tp=4". The value is TOML, or a text without its quotes, or a list without brackets.
func Set(assignment string) Layer {
	return func(a *assembly) {
		path, value, ok := strings.Cut(assignment, "=")
		path = strings.TrimSpace(path)
		from := origin{supply: a.supply(supply{option: "--set " + assignment})}
		if !ok || path == "" {
			a.complain(from, Mistake{Want: "want key=value"}, nil)
			return
		}
		a.setText(from, path, strings.TrimSpace(value))
	}
}

// Option is Set for a command-line option of its own, which messages then name.
func Option(option, path, value string) Layer {
	return func(a *assembly) {
		a.setText(origin{supply: a.supply(supply{option: option})}, path, value)
	}
}

// Overlay lays a file over the scenario that may hold any of its keys.
func Overlay(file string) Layer {
	return func(a *assembly) {
		content, mistake := readFile(file)
		if mistake != nil {
			a.mistakes.add(*mistake)
			return
		}
		a.read(file, content, filepath.Dir(file))
	}
}

// setText sets a key from the text of an option.
func (a *assembly) setText(from origin, path, value string) {
	k := lookup(path)
	switch cost, isCost := strings.CutPrefix(path, costsTable+"."); {
	case isCost:
		a.setCost(from, cost, strings.Trim(value, `"`))
	case path == costsTable:
		a.complain(from, Mistake{Want: fmt.Sprintf("%q is a table; want a cost such as %q", path, "costs.backend.post_read")}, nil)
	case k == nil && isSection(path):
		a.complain(from, Mistake{Want: fmt.Sprintf("%q is a table; want one of its keys, such as %q", path, keysOf(path)[0].Path)}, nil)
	case k == nil:
		a.complain(from, Mistake{Want: fmt.Sprintf("unknown key %q", path), Hint: nearestKey(path)}, nil)
	case !utf8.ValidString(value):
		a.complain(from, Mistake{Key: path, Want: "want text in UTF-8"}, nil)
	default:
		a.set(k, from, k.fromText(value))
	}
}

// fromText makes a value as TOML has it from what stands on a command line.
func (k *Key) fromText(text string) any {
	kind := k.field(new(Spec)).Kind()
	raw, ok := tomlValue(text)
	switch _, isText := raw.(string); {
	case ok && isText:
		return raw
	case kind == reflect.String: // a version such as 0.29 is a text, whatever it looks like
		return text
	case kind == reflect.Slice:
		if _, isList := raw.([]any); isList {
			return raw
		}
		items := []any{}
		for item := range strings.SplitSeq(text, ",") {
			items = append(items, strings.TrimSpace(item))
		}
		return items
	case ok:
		return raw
	}
	return text
}

// tomlValue reads text as one TOML value.
func tomlValue(text string) (any, bool) {
	if strings.ContainsAny(text, "\n\r") || tooDeep(text) > 0 {
		return nil, false // could hold further keys, or take a minute
	}
	var tree map[string]any
	if _, err := toml.Decode("v = "+text, &tree); err != nil || len(tree) != 1 {
		return nil, false
	}
	return tree["v"], true
}
