package catalogue

import (
	"encoding"
	"fmt"
	"math"
	"strconv"

	"pdsim/model/catalogue/name"
)

// Kinds are the words for kinds of entries in overrides, such as "backend.post_read".
func Kinds() []string { return []string{"gpu", "instance", "fabric", "backend", "software"} }

// Blank returns an entry of a kind without values, by pointer, to try overrides on.
func Blank(kind string) (any, error) {
	switch kind {
	case "gpu":
		return &GPU{}, nil
	case "instance":
		return &Instance{}, nil
	case "fabric":
		return &Fabric{}, nil
	case "backend":
		return &Backend{}, nil
	case "software":
		return &Software{}, nil
	}
	return nil, name.Unknown("kind of cost", kind, Kinds())
}

// Override sets one sourced value of an entry, given by pointer, from text: what if it were this. An unknown key is an
// error that gives the nearest ones.
func Override(entry any, key, text string) error {
	var keys []string
	for k, v := range sourced(entry) {
		if k == key {
			return v.set(text)
		}
		keys = append(keys, k)
	}
	return name.Unknown("cost", key, keys)
}

// set replaces the value; what is known of the old one goes.
func (s *Sourced[T]) set(text string) error {
	var v T
	if err := read(&v, text); err != nil {
		return err
	}
	*s = Sourced[T]{Value: v, Source: "set by the scenario"}
	return nil
}

// read reads a value of any type that entries hold.
func read(into any, text string) error {
	switch v := into.(type) {
	case encoding.TextUnmarshaler:
		return v.UnmarshalText([]byte(text))
	case *int:
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > 1<<30 {
			return fmt.Errorf("want a whole number from 0 to %d, have %q", 1<<30, text)
		}
		*v = n
	case *float64:
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(x) || x < 0 || x > 1e6 {
			return fmt.Errorf("want a number from 0 to 1000000, have %q", text)
		}
		*v = x
	case *bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return fmt.Errorf("want true or false, have %q", text)
		}
		*v = b
	default:
		return fmt.Errorf("cannot be set")
	}
	return nil
}
