package unit

import "pdsim/sim"

// Duration is a length of time in nanoseconds, the kernel's unit: sim.Duration(d) is the same length.
type Duration sim.Duration

var durations = quantity{
	example: `a duration such as "1.5ms"`,
	base:    "nanoseconds",
	scales: []scale{
		{name: "h", size: 3600e9, per: 1, silent: true},
		{name: "min", size: 60e9, per: 1, silent: true},
		{name: "s", size: 1e9, per: 1},
		{name: "ms", size: 1e6, per: 1},
		{name: "us", size: 1e3, per: 1},
		{name: "µs", size: 1e3, per: 1, silent: true}, // U+00B5, as keyboards have it
		{name: "μs", size: 1e3, per: 1, silent: true}, // U+03BC, the Greek letter
		{name: "ns", size: 1, per: 1},
		{name: "ps", size: 1, per: 1e3, silent: true},
	},
}

// ParseDuration reads a length of time with its unit, such as "2.4us".
func ParseDuration(text string) (Duration, error) {
	n, err := durations.parse(text)
	return Duration(n), err
}

// UnmarshalText is ParseDuration for TOML.
func (d *Duration) UnmarshalText(text []byte) (err error) {
	*d, err = ParseDuration(string(text))
	return err
}

// MarshalText writes d as String does.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// String returns d exactly, in the largest unit that it reaches, such as "2.44us".
func (d Duration) String() string { return sim.Duration(d).String() }
