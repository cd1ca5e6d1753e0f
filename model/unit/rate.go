package unit

// Rate is a bandwidth in bytes a second.
type Rate int64

var rates = quantity{
	example: `a rate such as "200Gb/s"`,
	base:    "bytes a second",
	scales: []scale{
		{name: "TB/s", size: 1e12, per: 1},
		{name: "GB/s", size: 1e9, per: 1},
		{name: "MB/s", size: 1e6, per: 1},
		{name: "kB/s", size: 1e3, per: 1},
		{name: "KB/s", size: 1e3, per: 1, silent: true},
		{name: "B/s", size: 1, per: 1},
		{name: "TiB/s", size: 1 << 40, per: 1},
		{name: "GiB/s", size: 1 << 30, per: 1},
		{name: "MiB/s", size: 1 << 20, per: 1},
		{name: "KiB/s", size: 1 << 10, per: 1},
		{name: "Tb/s", size: 1e12, per: 8, silent: true},
		{name: "Gb/s", size: 1e9, per: 8, silent: true},
		{name: "Mb/s", size: 1e6, per: 8, silent: true},
		{name: "kb/s", size: 1e3, per: 8, silent: true},
		{name: "b/s", size: 1, per: 8, silent: true},
	},
}

// ParseRate reads a bandwidth with its unit. A small b counts bits, as link speeds do, a large B bytes.
func ParseRate(text string) (Rate, error) {
	n, err := rates.parse(text)
	return Rate(n), err
}

// UnmarshalText is ParseRate for TOML.
func (r *Rate) UnmarshalText(text []byte) (err error) {
	*r, err = ParseRate(string(text))
	return err
}

// MarshalText writes r as String does.
func (r Rate) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// String returns r exactly in bytes a second, such as "25GB/s".
func (r Rate) String() string { return rates.format(int64(r)) }
