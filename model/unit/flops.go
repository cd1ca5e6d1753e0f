package unit

// Flops is a rate of computation in floating-point operations a second, a multiplication and an addition counting two.
type Flops int64

var flops = quantity{
	example: `a rate of computation such as "989.5TFLOP/s"`,
	base:    "operations a second",
	scales: []scale{
		{name: "EFLOP/s", size: 1e18, per: 1},
		{name: "PFLOP/s", size: 1e15, per: 1},
		{name: "TFLOP/s", size: 1e12, per: 1},
		{name: "GFLOP/s", size: 1e9, per: 1},
		{name: "MFLOP/s", size: 1e6, per: 1},
		{name: "kFLOP/s", size: 1e3, per: 1},
		{name: "FLOP/s", size: 1, per: 1},
	},
}

// ParseFlops reads a rate of computation with its unit, such as "1.979PFLOP/s".
func ParseFlops(text string) (Flops, error) {
	n, err := flops.parse(text)
	return Flops(n), err
}

// UnmarshalText is ParseFlops for TOML.
func (f *Flops) UnmarshalText(text []byte) (err error) {
	*f, err = ParseFlops(string(text))
	return err
}

// MarshalText writes f as String does.
func (f Flops) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// String returns f exactly, in the unit that makes it shortest, such as "989.5TFLOP/s".
func (f Flops) String() string { return flops.format(int64(f)) }
