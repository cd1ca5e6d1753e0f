package scenarios

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// assign puts a value, as TOML has it, into a field of the key's type. It returns what is wanted instead when the
// value has the wrong type, a wrong unit or lies out of range, and what was probably meant.
func (k *Key) assign(field reflect.Value, raw any) (want, hint string) {
	v := reflect.New(field.Type()).Elem()
	if want := k.convert(v, raw); want != "" {
		return want, ""
	}
	if !k.rule.allows(v) {
		if want, hint = "want "+k.rule.String(), k.guess(v); hint != "" {
			want = k.brief(want)
		}
		return want, hint
	}
	field.Set(v)
	return "", ""
}

// brief is want without a list that is too long for one line, where a nearer word is named.
func (k *Key) brief(want string) string {
	const short = 8
	if r, ok := k.rule.(interface{ list() []string }); ok && len(r.list()) > short {
		return fmt.Sprintf("want one of %d names", len(r.list()))
	}
	return want
}

// guess is the end of a message about a word that is not allowed.
func (k *Key) guess(v reflect.Value) string {
	switch r := k.rule.(type) {
	case list:
		for _, w := range v.Interface().([]string) {
			if !slices.Contains(r(), w) {
				return nearest(w, r())
			}
		}
	case interface{ list() []string }:
		return nearest(v.String(), r.list())
	}
	return ""
}

// convert puts raw into v, or returns what is wanted instead.
func (k *Key) convert(v reflect.Value, raw any) (want string) {
	if u, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return k.convertText(u, raw)
	}
	switch v.Kind() {
	case reflect.Int:
		if n, ok := raw.(int64); ok {
			v.SetInt(n)
			return ""
		}
		return "want a whole number: " + k.rule.String()
	case reflect.Uint64:
		if n, ok := raw.(int64); ok && n >= 0 {
			v.SetUint(uint64(n))
			return ""
		}
		return "want a whole number: " + k.rule.String()
	case reflect.Float64:
		switch n := raw.(type) {
		case float64:
			v.SetFloat(n)
			return ""
		case int64:
			v.SetFloat(float64(n))
			return ""
		}
		return "want a number: " + k.rule.String()
	case reflect.Bool:
		if b, ok := raw.(bool); ok {
			v.SetBool(b)
			return ""
		}
		return "want true or false"
	case reflect.String:
		if s, ok := raw.(string); ok {
			v.SetString(s)
			return ""
		}
		return "want a text in quotes: " + k.rule.String()
	default:
		return convertList(v, raw, k.rule.String())
	}
}

// convertText reads a quantity with its unit. A bare number is one where the quantity's own reader takes it.
func (k *Key) convertText(u encoding.TextUnmarshaler, raw any) (want string) {
	var s string
	switch n := raw.(type) {
	case string:
		s = n
	case int64:
		s = strconv.FormatInt(n, 10)
	case float64:
		s = strconv.FormatFloat(n, 'g', -1, 64)
	default:
		return fmt.Sprintf("want a text such as %s, %s", k.Default, k.rule)
	}
	if err := u.UnmarshalText([]byte(s)); err != nil {
		what, _, _ := strings.Cut(err.Error(), ", have ")
		return what + ", " + k.rule.String()
	}
	return ""
}

func convertList(v reflect.Value, raw any, want string) string {
	items, ok := raw.([]any)
	if !ok {
		return "want " + want
	}
	out := make([]string, 0, len(items))
	for _, item := range items {
		s, ok := item.(string)
		if !ok {
			return "want " + want
		}
		out = append(out, s)
	}
	v.Set(reflect.ValueOf(out))
	return ""
}

// shown writes a value for a message, as TOML would have it, shortened when it is long.
func shown(raw any) string {
	switch v := raw.(type) {
	case string:
		if len(v) > 40 {
			return strconv.QuoteToASCII(strings.ToValidUTF8(v[:40], "")) + "..."
		}
		return strconv.Quote(v)
	case int64, bool:
		return fmt.Sprint(v)
	case float64:
		return floatText(v)
	case []any:
		items := make([]string, 0, len(v))
		for _, item := range v {
			if len(items) == 5 {
				items = append(items, "...")
				break
			}
			if _, nested := item.([]any); nested {
				item = "[...]"
			}
			items = append(items, shown(item))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case map[string]any:
		return "a table"
	case []map[string]any:
		return "an array of tables"
	default:
		return "a date or time"
	}
}

// floatText writes a float so that TOML reads a float again.
func floatText(x float64) string {
	switch {
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}
	s := strconv.FormatFloat(x, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}
