package compute

import (
	_ "embed" // for the catalogue of fits
	"fmt"
	"math"

	"github.com/BurntSushi/toml"

	"pdsim/sim"
)

// Fit is a linear form of a step's time. Coefficients are nanoseconds.
type Fit struct {
	Name  string // catalogue name; empty for a fit made by calibration
	Model string // catalogue name of the model that it was fitted to
	GPU   string // catalogue name of the GPU that it was fitted on
	TP    int    // tensor-parallel ranks that it was fitted with

	Fixed            float64 // ns a step
	PerSequence      float64 // ns a decoding sequence
	PerDecodeContext float64 // ns a KV token that the decodes read
	PerPrefillToken  float64 // ns a prompt token computed
	PerPrefillPair   float64 // ns a query-key pair of the prompts
}

// coefficients names f's coefficients as the catalogue and messages do, with their units.
func (f *Fit) coefficients() []coefficient {
	return []coefficient{
		{"fixed", "ns", &f.Fixed},
		{"per_sequence", "ns/decode", &f.PerSequence},
		{"per_decode_context", "ns/token", &f.PerDecodeContext},
		{"per_prefill_token", "ns/token", &f.PerPrefillToken},
		{"per_prefill_pair", "ns/pair", &f.PerPrefillPair},
	}
}

type coefficient struct {
	name, unit string
	value      *float64
}

// fitted is a Fit with the floor under it.
type fitted struct {
	Fit
	weightsNs float64
}

// Fitted builds a model from a linear form, with reading the weights once at full bandwidth as its floor. The
// form knows nothing of batching or of physics: hand the result to Check before trusting it.
func Fitted(c Config, f Fit) (Model, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	for _, k := range f.coefficients() {
		if !(*k.value >= 0) || math.IsInf(*k.value, 0) {
			return nil, fmt.Errorf("compute: fit %q: %s: want 0 or more %s, have %g", f.Name, k.name, k.unit, *k.value)
		}
	}
	return &fitted{Fit: f, weightsNs: newBound(&c).weightsNs}, nil
}

// StepTime evaluates the form for b.
func (f *fitted) StepTime(b *Batch) sim.Duration {
	if b.Tokens() == 0 {
		return 0
	}
	ns := f.Fixed + float64(f.PerSequence*float64(b.Decodes)) + float64(f.PerDecodeContext*float64(b.DecodeContext)) +
		float64(f.PerPrefillToken*float64(b.PrefillTokens)) + float64(f.PerPrefillPair*float64(b.PrefillPairs))
	return roundNs(max(ns, f.weightsNs))
}

//go:embed fits.toml
var fitsTOML string

// Fits returns the built-in fits, in the order of the catalogue fits.toml, which gives the source of each coefficient.
func Fits() ([]Fit, error) { return parseFits("fits.toml", fitsTOML) }

// parseFits reads a catalogue of fits. Every coefficient must be there with its unit and a source.
func parseFits(file, text string) ([]Fit, error) {
	type sourced struct {
		Value  float64 `toml:"value"`
		Unit   string  `toml:"unit"`
		Source string  `toml:"source"`
	}
	type entry struct {
		Name  string  `toml:"name"`
		Model string  `toml:"model"`
		GPU   string  `toml:"gpu"`
		TP    int     `toml:"tp"`
		About string  `toml:"about"`
		Fixed sourced `toml:"fixed"`
		Seq   sourced `toml:"per_sequence"`
		Ctx   sourced `toml:"per_decode_context"`
		Token sourced `toml:"per_prefill_token"`
		Pair  sourced `toml:"per_prefill_pair"`
	}
	var catalogue struct {
		Fit []entry `toml:"fit"`
	}
	meta, err := toml.Decode(text, &catalogue)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("%s: unknown key %q", file, unknown[0])
	}
	var fits []Fit
	for _, e := range catalogue.Fit {
		f := Fit{Name: e.Name, Model: e.Model, GPU: e.GPU, TP: e.TP}
		for i, s := range []sourced{e.Fixed, e.Seq, e.Ctx, e.Token, e.Pair} {
			k := f.coefficients()[i]
			if s.Unit != k.unit || s.Source == "" {
				return nil, fmt.Errorf("%s: %s.%s: want unit %q and a source, have unit %q and source %q",
					file, e.Name, k.name, k.unit, s.Unit, s.Source)
			}
			*k.value = s.Value
		}
		fits = append(fits, f)
	}
	return fits, nil
}
