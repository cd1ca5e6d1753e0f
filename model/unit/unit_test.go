package unit

import (
	"encoding"
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text string
		into func() value
		want int64
		back string
	}{
		{"2.4us", duration, 2400, "2.4us"},
		{"2.4µs", duration, 2400, "2.4us"},
		{"2.4μs", duration, 2400, "2.4us"},
		{"1.5ms", duration, 1500000, "1.5ms"},
		{"30s", duration, 30e9, "30s"},
		{" 30 s ", duration, 30e9, "30s"},
		{"2min", duration, 120e9, "120s"},
		{"1.5h", duration, 5400e9, "5400s"},
		{"3000ps", duration, 3, "3ns"},
		{".5us", duration, 500, "500ns"},
		{"0", duration, 0, "0ns"},
		{"0.0", bytes, 0, "0B"},
		{"9223372036854775807ns", duration, math.MaxInt64, "9223372036.854775807s"},

		{"16KiB", bytes, 16384, "16KiB"},
		{"512MiB", bytes, 512 << 20, "512MiB"},
		{"1GB", bytes, 1e9, "1GB"},
		{"128B", bytes, 128, "128B"},
		{"80GB", bytes, 80e9, "80GB"},
		{"1.5GiB", bytes, 3 << 29, "1.5GiB"},
		{"2KB", bytes, 2000, "2kB"},
		{"1TiB", bytes, 1 << 40, "1TiB"},

		{"200Gb/s", rate, 25e9, "25GB/s"},
		{"22.5GB/s", rate, 22.5e9, "22.5GB/s"},
		{"4.8TB/s", rate, 4.8e12, "4.8TB/s"},
		{"1GiB/s", rate, 1 << 30, "1GiB/s"},
		{"8b/s", rate, 1, "1B/s"},

		{"989.5TFLOP/s", flop, 989.5e12, "989.5TFLOP/s"},
		{"1.979PFLOP/s", flop, 1.979e15, "1979TFLOP/s"},

		{"37ns", pico, 37000, "37ns"},
		{"0.02us", pico, 20000, "20ns"},
		{"40ps", pico, 40, "40ps"},
		{"2.44us", pico, 2440000, "2.44us"},
	} {
		v := c.into()
		if err := v.UnmarshalText([]byte(c.text)); err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got := number(v); got != c.want {
			t.Errorf("%q: have %d, want %d", c.text, got, c.want)
		}
		if v.String() != c.back {
			t.Errorf("%q: written as %q, want %q", c.text, v.String(), c.back)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		text string
		into func() value
		want string
	}{
		{"200Gbps", rate, `want a rate such as "200Gb/s", have "200Gbps"`},
		{"200GB", rate, `want a rate such as "200Gb/s", have "200GB"`},
		{"1b/s", rate, `want a whole number of bytes a second, have "1b/s"`},
		{"0.5ns", duration, `want a whole number of nanoseconds, have "0.5ns"`},
		{"-3s", duration, `want a duration such as "1.5ms", have "-3s"`},
		{"5", duration, `want a duration such as "1.5ms", have "5"`},
		{"", duration, `want a duration such as "1.5ms", have ""`},
		{"s", duration, `want a duration such as "1.5ms", have "s"`},
		{".s", duration, `want a duration such as "1.5ms", have ".s"`},
		{"1.2.3s", duration, `want a duration such as "1.5ms", have "1.2.3s"`},
		{"1e3s", duration, `want a duration such as "1.5ms", have "1e3s"`},
		{"NaN", duration, `want a duration such as "1.5ms", have "NaN"`},
		{"16KiB", duration, `want a duration such as "1.5ms", have "16KiB"`},
		{"9223372037s", duration, `want at most 9223372036.854775807s, have "9223372037s"`},
		{"8EiB", bytes, `want a size such as "16KiB" or "1GB", have "8EiB"`},
		{"1gb", bytes, `want a size such as "16KiB" or "1GB", have "1gb"`},
		{"989TFLOPS", flop, `want a rate of computation such as "989.5TFLOP/s", have "989TFLOPS"`},
		{"10EFLOP/s", flop, `want at most 9223372036854775807FLOP/s, have "10EFLOP/s"`},
		{"0.5ps", pico, `want a whole number of picoseconds, have "0.5ps"`},
		{"1min", pico, `want a small cost such as "390ns" or "0.02us", have "1min"`},
		{strings.Repeat("1", 41) + "ns", duration,
			`want a duration such as "1.5ms", have "` + strings.Repeat("1", 40) + `..."`},
		{strings.Repeat("µ", 41), duration, `want a duration such as "1.5ms", have "` + strings.Repeat("µ", 20) + `..."`},
	} {
		if err := c.into().UnmarshalText([]byte(c.text)); err == nil || err.Error() != c.want {
			t.Errorf("%q:\nhave %v\nwant %s", c.text, err, c.want)
		}
	}
}

func TestFrequency(t *testing.T) {
	for text, want := range map[string]Frequency{
		"8/s": 8, "0.25/s": 0.25, "8": 8, "1e-3": 0.001, " 2.5 /s ": 2.5, "0": 0, "inf": Frequency(math.Inf(1)), "+Inf": Frequency(math.Inf(1)),
	} {
		if got, err := ParseFrequency(text); err != nil || got != want {
			t.Errorf("%q: have %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "/s", "-1/s", "-0", "NaN", "-inf", "1e999/s", "8/min", "8Hz", "0x10", "1_000", "infinity", "8/s/s"} {
		want := fmt.Sprintf(`want a frequency such as "8/s", have %q`, text)
		if _, err := ParseFrequency(text); err == nil || err.Error() != want {
			t.Errorf("%q: have %v, want %s", text, err, want)
		}
	}
}

func TestFrequencyTOML(t *testing.T) {
	for raw, want := range map[any]Frequency{int64(8): 8, 0.1: 0.1, 1e-9: 1e-9, math.Inf(1): Frequency(math.Inf(1)), "8/s": 8} {
		var f Frequency
		if err := f.UnmarshalTOML(raw); err != nil || f != want {
			t.Errorf("%v: have %v, %v", raw, f, err)
		}
	}
	for raw, want := range map[any]string{
		true:       `want a frequency such as "8/s", have "true"`,
		int64(-1):  `want a frequency such as "8/s", have "-1"`,
		math.NaN(): `want a frequency such as "8/s", have "NaN"`,
	} {
		if err := new(Frequency).UnmarshalTOML(raw); err == nil || err.Error() != want {
			t.Errorf("%v: have %v, want %s", raw, err, want)
		}
	}
}

// value is what all quantities can do.
type value interface {
	encoding.TextUnmarshaler
	encoding.TextMarshaler
	fmt.Stringer
}

func duration() value { return new(Duration) }
func bytes() value    { return new(Bytes) }
func rate() value     { return new(Rate) }
func flop() value     { return new(Flops) }
func pico() value     { return new(Picos) }

func number(v value) int64 {
	switch v := v.(type) {
	case *Duration:
		return int64(*v)
	case *Bytes:
		return int64(*v)
	case *Rate:
		return int64(*v)
	case *Flops:
		return int64(*v)
	case *Picos:
		return int64(*v)
	}
	panic("unit: not an integer quantity")
}
