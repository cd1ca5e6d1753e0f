package catalogue

import (
	"errors"
	"strings"
)

// Measure returns what a text says of the value at a path such as "backend.post_read", in the unit that values of its
// type count in. Only what can change by a little has one: times, rates, sizes and shares.
func Measure(path, text string) (float64, error) {
	kind, key, _ := strings.Cut(path, ".")
	entry, err := Blank(kind)
	if err != nil {
		return 0, err
	}
	if err := Override(entry, key, text); err != nil {
		return 0, err
	}
	for k, v := range sourced(entry) {
		if k == key {
			if x, ok := v.number(); ok {
				return x, nil
			}
		}
	}
	return 0, errors.New("want a time, a rate, a size or a share")
}

// number returns the value in the unit that its type counts in, unless it is a count or a switch.
func (s *Sourced[T]) number() (float64, bool) {
	switch any(s.Value).(type) {
	case int, bool:
		return 0, false
	}
	return ordinal(s.Value)
}
