package unit

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// quantity is how one kind of integer quantity is read and written.
type quantity struct {
	example string // what messages ask for, such as `a rate such as "200Gb/s"`
	base    string // the unit in words, such as "bytes a second"
	scales  []scale
}

// scale is a unit: size base units make one of it, or it takes per of it to make a base unit.
type scale struct {
	name   string
	size   int64
	per    int64 // 1 but for units smaller than the base unit
	silent bool  // read but never written
}

// longest is the most bytes a number may have; it keeps exact arithmetic on absurd input cheap.
const longest = 40

// parse reads text as a whole number of base units.
func (q *quantity) parse(text string) (int64, error) {
	number, name, ok := split(text)
	if !ok {
		return 0, q.wrong(text)
	}
	value, ok := new(big.Rat).SetString(number)
	if !ok {
		return 0, q.wrong(text)
	}
	if name == "" && value.Sign() == 0 {
		return 0, nil
	}
	for _, s := range q.scales {
		if s.name != name {
			continue
		}
		value.Mul(value, big.NewRat(s.size, s.per))
		if !value.IsInt() {
			return 0, fmt.Errorf("want a whole number of %s, have %s", q.base, quoted(text))
		}
		if !value.Num().IsInt64() {
			return 0, fmt.Errorf("want at most %s, have %s", q.format(math.MaxInt64), quoted(text))
		}
		return value.Num().Int64(), nil
	}
	return 0, q.wrong(text)
}

// format writes n exactly, in the unit that makes the shortest text of those that n reaches.
func (q *quantity) format(n int64) string {
	best := ""
	for _, s := range q.scales {
		if s.silent || s.per != 1 || (n < s.size && s.size > 1) {
			continue
		}
		value := big.NewRat(n, s.size)
		digits, _ := value.FloatPrec() // exact: all sizes are products of 2 and 5 alone
		text := value.FloatString(digits) + s.name
		if best == "" || len(text) < len(best) {
			best = text
		}
	}
	return best
}

func (q *quantity) wrong(text string) error {
	return fmt.Errorf("want %s, have %s", q.example, quoted(text))
}

// split cuts text after its number: digits with at most one point among them. Blanks around the unit do not matter.
func split(text string) (number, name string, ok bool) {
	text = strings.TrimSpace(text)
	end, digits, points := 0, 0, 0
	for ; end < len(text); end++ {
		switch c := text[end]; {
		case c >= '0' && c <= '9':
			digits++
			continue
		case c == '.':
			points++
			continue
		}
		break
	}
	return text[:end], strings.TrimSpace(text[end:]), digits > 0 && points <= 1 && end <= longest
}

// quoted is text in quotes for a message, cut when it is long.
func quoted(text string) string {
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + "..." // the cut may split a character
	}
	return strconv.Quote(text)
}
