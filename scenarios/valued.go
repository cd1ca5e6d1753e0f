package scenarios

import "strings"

// Value is what a scenario has for a key, as Set takes it; ok is false when there is no such key.
func (sp *Spec) Value(path string) (value string, ok bool) {
	k := lookup(path)
	if k == nil {
		return "", false
	}
	return strings.Trim(literal(k.field(sp)), `"`), true
}
