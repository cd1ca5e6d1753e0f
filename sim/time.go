package sim

import "strconv"

// Time is an instant on the virtual clock: nanoseconds since the start of the run.
type Time int64

// Duration is a length of virtual time in nanoseconds.
type Duration int64

// The usual lengths of time, as durations.
const (
	Nanosecond  Duration = 1
	Microsecond          = 1000 * Nanosecond
	Millisecond          = 1000 * Microsecond
	Second               = 1000 * Millisecond
)

// Never is later than every instant that a run reaches.
const Never = Time(1<<63 - 1)

// Add returns the instant d after t, or Never when that would overflow.
func (t Time) Add(d Duration) Time {
	if d > 0 && t > Never-Time(d) {
		return Never
	}
	return t + Time(d)
}

// Sub returns the length of time from u to t.
func (t Time) Sub(u Time) Duration { return Duration(t - u) }

// Seconds returns t as seconds since the start of the run.
func (t Time) Seconds() float64 { return float64(t) / 1e9 }

// Seconds returns d in seconds.
func (d Duration) Seconds() float64 { return float64(d) / 1e9 }

// Milliseconds returns d in milliseconds.
func (d Duration) Milliseconds() float64 { return float64(d) / 1e6 }

// String returns t in the largest fitting unit, such as "1.744s".
func (t Time) String() string { return Duration(t).String() }

// String returns d exactly, in the largest unit that it reaches, such as "46ms" or "2.44us".
func (d Duration) String() string {
	sign := ""
	n := uint64(d)
	if d < 0 {
		sign, n = "-", -n
	}
	units := []struct {
		size uint64
		name string
	}{{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}}
	for _, u := range units {
		if n < u.size {
			continue
		}
		frac := strconv.FormatUint(u.size+n%u.size, 10)[1:]
		for len(frac) > 0 && frac[len(frac)-1] == '0' {
			frac = frac[:len(frac)-1]
		}
		if frac != "" {
			frac = "." + frac
		}
		return sign + strconv.FormatUint(n/u.size, 10) + frac + u.name
	}
	return sign + strconv.FormatUint(n, 10) + "ns"
}
