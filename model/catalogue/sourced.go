package catalogue

// Sourced is a value with where it comes from.
type Sourced[T any] struct {
	Value    T      `toml:"value"`
	Source   string `toml:"source"`   // publication, repository and path, or measurement
	Inferred bool   `toml:"inferred"` // derived or guessed, not published as such
	Range    []T    `toml:"range"`    // lowest and highest value that the sources leave possible; may be empty
}
