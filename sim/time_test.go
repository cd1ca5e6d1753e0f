package sim

import (
	"math"
	"testing"
)

func TestDurationString(t *testing.T) {
	for _, c := range []struct {
		d    Duration
		want string
	}{
		{0, "0ns"},
		{1, "1ns"},
		{999, "999ns"},
		{1000, "1us"},
		{2440, "2.44us"},
		{999_999, "999.999us"},
		{46 * Millisecond, "46ms"},
		{1_000_001, "1.000001ms"},
		{1744 * Millisecond, "1.744s"},
		{3600 * Second, "3600s"},
		{Second + 1, "1.000000001s"},
		{-1, "-1ns"},
		{-2500 * Microsecond, "-2.5ms"},
		{math.MaxInt64, "9223372036.854775807s"},
		{math.MinInt64, "-9223372036.854775808s"},
	} {
		if got := c.d.String(); got != c.want {
			t.Errorf("Duration(%d) is %s, want %s", int64(c.d), got, c.want)
		}
		if got := Time(c.d).String(); got != c.want {
			t.Errorf("Time(%d) is %s, want %s", int64(c.d), got, c.want)
		}
	}
}

func TestAddSaturates(t *testing.T) {
	for _, c := range []struct {
		t    Time
		d    Duration
		want Time
	}{
		{5, 7, 12},
		{5, -7, -2},
		{Never - 1, 1, Never},
		{Never - 1, 2, Never},
		{Never, 0, Never},
		{Never, Duration(Never), Never},
	} {
		if got := c.t.Add(c.d); got != c.want {
			t.Errorf("%d + %d = %d, want %d", c.t, c.d, got, c.want)
		}
	}
}

func TestUnits(t *testing.T) {
	if d := 1500 * Microsecond; d.Milliseconds() != 1.5 || d.Seconds() != 0.0015 || Time(d).Seconds() != 0.0015 || Time(d).Sub(500) != d-500 {
		t.Errorf("%v: %v ms, %v s", d, d.Milliseconds(), d.Seconds())
	}
}
