package unit

// Bytes is an amount of memory or data in bytes.
type Bytes int64

var byteSizes = quantity{
	example: `a size such as "16KiB" or "1GB"`,
	base:    "bytes",
	scales: []scale{
		{name: "TiB", size: 1 << 40, per: 1},
		{name: "GiB", size: 1 << 30, per: 1},
		{name: "MiB", size: 1 << 20, per: 1},
		{name: "KiB", size: 1 << 10, per: 1},
		{name: "TB", size: 1e12, per: 1},
		{name: "GB", size: 1e9, per: 1},
		{name: "MB", size: 1e6, per: 1},
		{name: "kB", size: 1e3, per: 1},
		{name: "KB", size: 1e3, per: 1, silent: true},
		{name: "B", size: 1, per: 1},
	},
}

// ParseBytes reads an amount of bytes with its unit: KiB, MiB, GiB and TiB count in 1,024s, kB, MB, GB and TB in 1,000s.
func ParseBytes(text string) (Bytes, error) {
	n, err := byteSizes.parse(text)
	return Bytes(n), err
}

// UnmarshalText is ParseBytes for TOML.
func (b *Bytes) UnmarshalText(text []byte) (err error) {
	*b, err = ParseBytes(string(text))
	return err
}

// MarshalText writes b as String does.
func (b Bytes) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// String returns b exactly, in the unit that makes it shortest, such as "16KiB" or "80GB".
func (b Bytes) String() string { return byteSizes.format(int64(b)) }
