package scenarios

import (
	"bytes"
	"crypto/sha256"
	"encoding"
	"encoding/hex"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Encode writes a scenario as TOML with all its keys. [Decode] reads it back.
func (sp *Spec) Encode() []byte {
	var b bytes.Buffer
	for _, s := range sections {
		if s.name != "" {
			fmt.Fprintf(&b, "\n[%s]\n", s.name)
		}
		for _, k := range keysOf(s.name) {
			_, name := k.split()
			fmt.Fprintf(&b, "%s = %s\n", name, literal(k.field(sp)))
		}
	}
	sp.encodeCosts(&b)
	return b.Bytes()
}

// Hash names what a scenario does: two with the same hash give the same result. Its name and what is told about it do
// not matter, nor do the protocols, whose results stand apart.
func (sp *Spec) Hash() string {
	bare := *sp
	bare.Name, bare.Description, bare.Source, bare.Run.Protocols = "", "", "", nil
	sum := sha256.Sum256(bare.Encode())
	return hex.EncodeToString(sum[:6])
}

// keysOf is the keys of a section.
func keysOf(section string) []*Key {
	var keys []*Key
	for _, k := range Keys() {
		if table, _ := k.split(); table == section {
			keys = append(keys, k)
		}
	}
	return keys
}

// literal writes a value in TOML.
func literal(v reflect.Value) string {
	if m, ok := v.Interface().(encoding.TextMarshaler); ok {
		text, err := m.MarshalText()
		if err != nil {
			panic("scenarios: " + err.Error())
		}
		return quoted(string(text))
	}
	switch v.Kind() {
	case reflect.String:
		return quoted(v.String())
	case reflect.Float64:
		return floatText(v.Float())
	case reflect.Slice:
		var items []string
		for i := range v.Len() {
			items = append(items, quoted(v.Index(i).String()))
		}
		return "[" + strings.Join(items, ", ") + "]"
	default:
		return fmt.Sprint(v.Interface())
	}
}

// quoted writes a TOML basic string. Of Go's escapes TOML has few, so that the others become code points.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range strings.ToValidUTF8(s, "\ufffd") {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case strconv.IsPrint(c):
			b.WriteRune(c)
		default:
			fmt.Fprintf(&b, "\\U%08x", c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
