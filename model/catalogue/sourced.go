package catalogue

import (
	"fmt"
	"reflect"
	"strings"
)

// Sourced is a value with where it comes from.
type Sourced[T any] struct {
	Value    T      `toml:"value"`
	Source   string `toml:"source"`   // paper, repository with path, or thread that anyone can look up
	Inferred bool   `toml:"inferred"` // the source does not state the value; it follows from it, or is a guess near it
	Range    []T    `toml:"range"`    // lowest and highest plausible value; empty when there is no doubt
}

// Fact is a sourced value as text.
type Fact struct {
	Key       string // TOML key
	Value     string // with its unit
	Source    string
	Inferred  bool
	Low, High string // empty without a range
}

// Facts lists the sourced values of an entry, given by pointer, in the order of its fields.
func Facts(entry any) []Fact {
	var facts []Fact
	for key, v := range sourced(entry) {
		facts = append(facts, v.fact(key))
	}
	return facts
}

// holder is a sourced value of whatever type.
type holder interface {
	fact(key string) Fact
	check() error
	set(text string) error
	number() (float64, bool)
}

// sourced goes through the sourced values of an entry with their keys.
func sourced(entry any) func(yield func(string, holder) bool) {
	v := reflect.ValueOf(entry).Elem()
	return func(yield func(string, holder) bool) {
		for i := range v.NumField() {
			if h, ok := v.Field(i).Addr().Interface().(holder); ok && !yield(v.Type().Field(i).Tag.Get("toml"), h) {
				return
			}
		}
	}
}

func (s *Sourced[T]) fact(key string) Fact {
	f := Fact{Key: key, Value: fmt.Sprint(s.Value), Source: s.Source, Inferred: s.Inferred}
	if len(s.Range) == 2 {
		f.Low, f.High = fmt.Sprint(s.Range[0]), fmt.Sprint(s.Range[1])
	}
	return f
}

// check returns an error unless there is a source and the value lies within its range.
func (s *Sourced[T]) check() error {
	if strings.TrimSpace(s.Source) == "" {
		return fmt.Errorf("want a value with its source")
	}
	if len(s.Range) == 0 {
		return nil
	}
	if len(s.Range) != 2 {
		return fmt.Errorf("range: want the lowest and the highest value, have %d values", len(s.Range))
	}
	low, ok := ordinal(s.Range[0])
	value, _ := ordinal(s.Value)
	high, _ := ordinal(s.Range[1])
	if !ok || !(low <= value && value <= high) {
		return fmt.Errorf("range: want %v between the lowest and the highest value, have %v", s.Value, s.Range)
	}
	return nil
}

// ordinal is a number that is in the same order as values of v's type, if they have one.
func ordinal(v any) (float64, bool) {
	r := reflect.ValueOf(v)
	switch {
	case r.CanInt():
		return float64(r.Int()), true
	case r.CanFloat():
		return r.Float(), true
	}
	return 0, false
}
