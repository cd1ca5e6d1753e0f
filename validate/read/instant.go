package read

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Instant is a time in nanoseconds on a timeline's clock. In JSON it is seconds with up to nine decimals, exactly.
type Instant int64

// Never is the time of what did not happen or was not taken. In JSON it is left out.
const Never Instant = math.MinInt64

// IsZero says whether the time is Never, for the omitzero option of JSON.
func (t Instant) IsZero() bool { return t == Never }

// Seconds is the time in seconds.
func (t Instant) Seconds() float64 { return float64(t) / 1e9 }

// Ms is the time from an earlier one in milliseconds, and whether both are known.
func (t Instant) Ms(since Instant) (float64, bool) {
	if t == Never || since == Never {
		return 0, false
	}
	return float64(t-since) / 1e6, true
}

// longestClock bounds times, so that their differences do not overflow.
const longestClock = 4_500_000_000 // seconds

// MarshalJSON writes seconds.
func (t Instant) MarshalJSON() ([]byte, error) {
	if t == Never {
		return []byte("null"), nil
	}
	n, sign := uint64(t), ""
	if t < 0 {
		n, sign = -n, "-"
	}
	whole, part := n/1e9, n%1e9
	if part == 0 {
		return fmt.Appendf(nil, "%s%d", sign, whole), nil
	}
	return []byte(strings.TrimRight(fmt.Sprintf("%s%d.%09d", sign, whole, part), "0")), nil
}

// UnmarshalJSON reads seconds, or null as Never. Digits beyond the ninth decimal are rounded.
func (t *Instant) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*t = Never
		return nil
	}
	whole, part, _ := strings.Cut(string(text), ".")
	if n, err := strconv.ParseInt(whole, 10, 64); err == nil && len(part) <= 9 && len(whole) <= 12 {
		if frac, err := strconv.ParseUint((part + "000000000")[:9], 10, 64); err == nil {
			ns := int64(frac)
			if strings.HasPrefix(whole, "-") {
				ns = -ns
			}
			if abs := max(n, -n); abs < longestClock {
				*t = Instant(n*1e9 + ns)
				return nil
			}
		}
	}
	seconds, err := strconv.ParseFloat(string(text), 64)
	if err != nil || !(math.Abs(seconds) < longestClock) {
		return fmt.Errorf("want a time in seconds, have %s", clip(string(text)))
	}
	*t = Instant(math.Round(seconds * 1e9))
	return nil
}
