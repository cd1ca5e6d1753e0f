package scenarios

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// rule says which values of its type a key takes.
type rule interface {
	// allows says whether the value, which has the key's type, is one of them.
	allows(v reflect.Value) bool
	// String says in words which they are, such as "1 to 4096".
	String() string
}

// whole is a range of whole numbers, both ends included.
type whole struct{ lo, hi int64 }

func (r whole) allows(v reflect.Value) bool {
	if v.CanUint() {
		return v.Uint() >= uint64(r.lo) && v.Uint() <= uint64(r.hi)
	}
	return v.Int() >= r.lo && v.Int() <= r.hi
}

func (r whole) String() string { return fmt.Sprintf("%d to %d", r.lo, r.hi) }

// zeroOr is whole numbers from a set of few and 0, which stands for a default.
type zeroOr []int64

func (r zeroOr) allows(v reflect.Value) bool { return v.Int() == 0 || slices.Contains(r, v.Int()) }

func (r zeroOr) String() string {
	words := []string{"0"}
	for _, n := range r {
		words = append(words, strconv.FormatInt(n, 10))
	}
	return oneOf(words)
}

// number is a range of numbers. NaN is in none.
type number struct {
	lo, hi       float64
	above, below bool // the end itself does not belong to the range
}

func (r number) allows(v reflect.Value) bool {
	x := v.Float()
	return (x > r.lo || x == r.lo && !r.above) && (x < r.hi || x == r.hi && !r.below)
}

func (r number) String() string {
	from, to := "", " to "
	if r.above {
		from = "more than "
	}
	if r.below {
		to = " to less than "
	}
	return from + plain(r.lo) + to + plain(r.hi)
}

// plain writes a number for people.
func plain(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// truth is true or false.
type truth struct{}

func (truth) allows(reflect.Value) bool { return true }
func (truth) String() string            { return "true or false" }

// words is one of a list, which a catalogue may hold.
type words func() []string

func (r words) allows(v reflect.Value) bool { return slices.Contains(r(), v.String()) }
func (r words) String() string              { return oneOf(r()) }
func (r words) list() []string              { return r() }

// list is one or more of a list, each at most once.
type list func() []string

func (r list) allows(v reflect.Value) bool {
	have := v.Interface().([]string)
	for i, w := range have {
		if !slices.Contains(r(), w) || slices.Contains(have[:i], w) {
			return false
		}
	}
	return len(have) > 0
}

func (r list) String() string {
	return "a list of " + strings.Join(r(), ", ") + ", one or more, each once"
}

// text is anything printable up to a length.
type text struct {
	longest int
	what    string
}

func (r text) allows(v reflect.Value) bool {
	return len(v.String()) <= r.longest && strings.IndexFunc(v.String(), func(c rune) bool { return !strconv.IsPrint(c) }) < 0
}

func (r text) String() string {
	return fmt.Sprintf("%s of at most %d printable characters", r.what, r.longest)
}

// oneOf lists words for a message.
func oneOf(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
	return strings.Join(words, "")
}
