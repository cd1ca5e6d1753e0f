package catalogue

import (
	"encoding"
	"fmt"
	"math"
	"strconv"
	"strings"

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
			if err := checkBounds(key, text); err != nil {
				return err
			}
			return v.set(text)
		}
		keys = append(keys, k)
	}
	return name.Unknown("cost", key, keys)
}

// checkBounds refuses what makes no sense for a key, whatever its type: models take 0 for no limit or divide by it.
func checkBounds(key, text string) error {
	x, err := strconv.ParseFloat(text, 64)
	switch {
	case strings.HasSuffix(key, "_efficiency") || key == "beside_forward":
		if err != nil || !(x > 0 && x <= 1) {
			return fmt.Errorf("want more than 0 and at most 1, have %q", text)
		}
	case key == "background_factor":
		if err != nil || !(x >= 1 && x <= 1000) {
			return fmt.Errorf("want a number from 1 to 1000, have %q", text)
		}
	case key == "rails_per_gpu":
		if n, err := strconv.Atoi(text); err != nil || n < 1 || n > 64 {
			return fmt.Errorf("want a whole number from 1 to 64, have %q", text)
		}
	}
	return nil
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
