package scenarios

import (
	"encoding"
	"fmt"
	"reflect"
)

// measure is a range of quantities with a unit, its ends written as in a scenario.
type measure struct {
	lo, hi  string
	endless bool // "inf" is allowed besides
}

func (r measure) allows(v reflect.Value) bool {
	x := amount(v)
	if r.endless && x > amount(parsed(v.Type(), r.hi)) {
		return x > maxFinite
	}
	return x >= amount(parsed(v.Type(), r.lo)) && x <= amount(parsed(v.Type(), r.hi))
}

func (r measure) String() string {
	if r.endless {
		return fmt.Sprintf("%s to %s, or inf", r.lo, r.hi)
	}
	return fmt.Sprintf("%s to %s", r.lo, r.hi)
}

// maxFinite is the largest float64 that is a number.
const maxFinite = 0x1p1023 * (1 + (1 - 0x1p-52))

// amount is the number behind a quantity.
func amount(v reflect.Value) float64 {
	if v.CanInt() {
		return float64(v.Int())
	}
	return v.Float()
}

// parsed reads a quantity of the given type. The text is the program's own.
func parsed(t reflect.Type, text string) reflect.Value {
	v := reflect.New(t)
	if err := v.Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text)); err != nil {
		panic("scenarios: " + err.Error())
	}
	return v.Elem()
}
