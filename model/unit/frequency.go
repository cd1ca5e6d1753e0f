package unit

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Frequency is how often something happens, in times a second. Infinity means all at once.
type Frequency float64

// ParseFrequency reads a frequency such as "8/s". The "/s" may be left out, and "inf" is all at once.
func ParseFrequency(text string) (Frequency, error) {
	number := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "/s"))
	wrong := fmt.Errorf(`want a frequency such as "8/s", have %s`, quoted(text))
	if number == "inf" || number == "+inf" || number == "+Inf" {
		return Frequency(math.Inf(1)), nil
	}
	// ParseFloat also takes hexadecimal, underscores and words, which no frequency is written with.
	if strings.Trim(number, "0123456789.eE+-") != "" {
		return 0, wrong
	}
	f, err := strconv.ParseFloat(number, 64)
	if err != nil || f < 0 || math.Signbit(f) {
		return 0, wrong
	}
	return Frequency(f), nil
}

// UnmarshalText is ParseFrequency for TOML.
func (f *Frequency) UnmarshalText(text []byte) (err error) {
	*f, err = ParseFrequency(string(text))
	return err
}

// UnmarshalTOML reads a frequency that TOML has as a number, or as a text.
func (f *Frequency) UnmarshalTOML(raw any) error {
	switch raw.(type) {
	case int64, float64, string:
		return f.UnmarshalText(fmt.Append(nil, raw))
	}
	return fmt.Errorf(`want a frequency such as "8/s", have %s`, quoted(fmt.Sprint(raw)))
}

// MarshalText writes f as String does.
func (f Frequency) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// String returns f exactly, such as "8/s", or "inf".
func (f Frequency) String() string {
	if math.IsInf(float64(f), 1) {
		return "inf"
	}
	return strconv.FormatFloat(float64(f), 'g', -1, 64) + "/s"
}
