package unit

// Picos is a small cost in picoseconds: what one of many descriptors, indices or tokens takes.
type Picos int64

var picos = quantity{
	example: `a small cost such as "390ns" or "0.02us"`,
	base:    "picoseconds",
	scales: []scale{
		{name: "s", size: 1e12, per: 1},
		{name: "ms", size: 1e9, per: 1},
		{name: "us", size: 1e6, per: 1},
		{name: "µs", size: 1e6, per: 1, silent: true}, // U+00B5
		{name: "μs", size: 1e6, per: 1, silent: true}, // U+03BC
		{name: "ns", size: 1e3, per: 1},
		{name: "ps", size: 1, per: 1},
	},
}

// ParsePicos reads a small cost with its unit, such as "2.44us".
func ParsePicos(text string) (Picos, error) {
	n, err := picos.parse(text)
	return Picos(n), err
}

// UnmarshalText is ParsePicos for TOML.
func (p *Picos) UnmarshalText(text []byte) (err error) {
	*p, err = ParsePicos(string(text))
	return err
}

// MarshalText writes p as String does.
func (p Picos) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// String returns p exactly, in the unit that makes it shortest, such as "2.44us".
func (p Picos) String() string { return picos.format(int64(p)) }
