package unit

import (
	"math"
	"testing"
	"unicode/utf8"
)

// FuzzParse reads any text as each kind of quantity: it must not panic, be negative, or change when it is written and
// read again, and a message must be valid text.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"2.4us", "1.5ms", "0.5ns", "16KiB", "200Gb/s", "4.8TB/s", "989.5TFLOP/s", "8/s", "37ns",
		"1e9s", "-1s", "NaN", "inf", "0", "9223372036854775807ns", "\xff\xfe", "1µs", ".", "..1s", "99999999999999999999TiB"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, make := range []func() value{duration, bytes, rate, flop, pico} {
			v := make()
			if err := v.UnmarshalText([]byte(text)); err != nil {
				if !utf8.ValidString(err.Error()) {
					t.Errorf("%q: message %q is not valid UTF-8", text, err)
				}
				continue
			}
			again := make()
			written, err := v.MarshalText()
			if err == nil {
				err = again.UnmarshalText(written)
			}
			if err != nil || number(again) != number(v) || number(v) < 0 {
				t.Errorf("%q: read as %d, written as %q, read back as %d, %v", text, number(v), written, number(again), err)
			}
		}
	})
}

// FuzzFormat writes any number as each kind of quantity, which must read back as the same number.
func FuzzFormat(f *testing.F) {
	for _, seed := range []int64{0, 1, 999, 1000, 1023, 1024, 1 << 40, 80e9, 1e18, math.MaxInt64, math.MaxInt64 - 1} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, n int64) {
		if n < 0 {
			t.Skip("quantities are 0 or more")
		}
		d, err := ParseDuration(Duration(n).String())
		b, err2 := ParseBytes(Bytes(n).String())
		r, err3 := ParseRate(Rate(n).String())
		o, err4 := ParseFlops(Flops(n).String())
		p, err5 := ParsePicos(Picos(n).String())
		for _, err := range []error{err, err2, err3, err4, err5} {
			if err != nil {
				t.Error(err)
			}
		}
		if int64(d) != n || int64(b) != n || int64(r) != n || int64(o) != n || int64(p) != n {
			t.Errorf("%d: read back as %d, %d, %d, %d, %d", n, d, b, r, o, p)
		}
	})
}

// FuzzParseFrequency reads any text as a frequency, under the same conditions as FuzzParse.
func FuzzParseFrequency(f *testing.F) {
	for _, seed := range []string{"8/s", "0.1", "1e-300/s", "inf", "-0", "1e999", "NaN/s", "0x1p4", "8/s/s"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := ParseFrequency(text)
		if err != nil {
			return
		}
		again, err := ParseFrequency(v.String())
		if err != nil || again != v || v < 0 || v != v {
			t.Errorf("%q: read as %v, read back as %v, %v", text, v, again, err)
		}
	})
}
