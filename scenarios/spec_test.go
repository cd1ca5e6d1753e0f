package scenarios

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"pdsim/model/unit"
	"pdsim/sim"
)

// anySpec draws a scenario that has no mistakes.
func anySpec(t *rapid.T) *Spec {
	sp := Defaults()
	for _, k := range Keys() {
		draw(t, k, k.field(&sp))
	}
	// What keys must be to each other.
	sp.Model.Config = ""
	if sp.Model.Name == "" {
		sp.Model.Name = "qwen3-32b"
	}
	hardware := []string{"p5.48xlarge", "p5en.48xlarge", "hgx-h200-ib400"}
	tp := rapid.SampledFrom([]int{1, 2, 4}).Draw(t, "tp") // all divide the heads of every built-in model
	for _, e := range []*EngineSpec{&sp.Prefill, &sp.Decode} {
		e.TP, e.BlockSize, e.ComputeTable = tp, sp.Prefill.BlockSize, ""
		e.Hardware = rapid.SampledFrom(hardware).Draw(t, "hardware")
		e.MaxModelLen = 1 << 22
	}
	w, defaults := &sp.Workload, Defaults().Workload
	w.Timeout += unit.Duration(sim.Second) // lost notifications need one
	if w.Kind == "trace" {
		kept := *w
		*w = defaults
		w.Kind, w.Trace, w.Format, w.Speed = "trace", "azure-conversation-2023", kept.Format, kept.Speed
		w.Requests, w.Iterations, w.Timeout = kept.Requests%100_000, kept.Iterations, kept.Timeout
		return &sp
	}
	w.Trace, w.Format, w.Speed = defaults.Trace, defaults.Format, defaults.Speed
	w.Requests, w.Iterations, w.Turns = 1+w.Requests%1000, 1+w.Iterations%100, 1+w.Turns%10
	w.InputTokens, w.OutputTokens, w.PrefixTokens = 1+w.InputTokens%100_000, 1+w.OutputTokens%100_000, w.PrefixTokens%100_000
	w.QPS = max(w.QPS, 0.001)
	return &sp
}

// draw sets a field to a value that its key takes.
func draw(t *rapid.T, k *Key, v reflect.Value) {
	switch r := k.rule.(type) {
	case whole:
		n := rapid.Int64Range(r.lo, r.hi).Draw(t, k.Path)
		if v.CanUint() {
			v.SetUint(uint64(n))
		} else {
			v.SetInt(n)
		}
	case zeroOr:
		v.SetInt(rapid.SampledFrom(append(zeroOr{0}, r...)).Draw(t, k.Path))
	case number:
		v.SetFloat(rapid.Float64Range(r.lo, r.hi).Filter(func(x float64) bool { return r.allows(reflect.ValueOf(x)) }).Draw(t, k.Path))
	case truth:
		v.SetBool(rapid.Bool().Draw(t, k.Path))
	case words:
		v.SetString(rapid.SampledFrom(r()).Draw(t, k.Path))
	case optional:
		v.SetString(rapid.SampledFrom(append(r.words(), "")).Draw(t, k.Path))
	case list:
		v.Set(reflect.ValueOf(rapid.Permutation(r()).Draw(t, k.Path)))
	case text:
		s := rapid.String().Filter(func(s string) bool { return r.allows(reflect.ValueOf(s)) }).Draw(t, k.Path)
		v.SetString(s)
	case measure:
		if v.CanInt() {
			v.SetInt(rapid.Int64Range(0, 3_600_000_000_000).Draw(t, k.Path))
		} else {
			v.Set(reflect.ValueOf(unit.Frequency(rapid.Float64Range(0, 1000).Draw(t, k.Path))))
		}
	default:
		t.Fatalf("%s has a rule that the test does not know: %T", k.Path, r)
	}
}

// TestRoundTrip says that a scenario written in full is the same scenario when it is read.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sp := anySpec(t)
		have, err := Decode("any.toml", sp.Encode())
		if err != nil {
			t.Fatalf("%v\n%s", err, sp.Encode())
		}
		if sp.Name == "" {
			sp.Name = "any"
		}
		if diff := cmp.Diff(sp, have); diff != "" {
			t.Fatalf("-written +read\n%s", diff)
		}
		if sp.Hash() != have.Hash() {
			t.Fatalf("hash %s becomes %s", sp.Hash(), have.Hash())
		}
	})
}

// TestSetIsFile says that an override does what the same line in a file does.
func TestSetIsFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sp := anySpec(t)
		var layers []Layer
		for _, k := range Keys() {
			layers = append(layers, Set(k.Path+"="+literal(k.field(sp))))
		}
		have, err := decode("any.toml", nil, "", layers)
		if err != nil {
			t.Fatal(err)
		}
		want, err := Decode("any.toml", sp.Encode())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, have); diff != "" {
			t.Fatalf("-file +set\n%s", diff)
		}
	})
}

// TestKeysAreFields says that every field of a Spec that TOML can set has its key.
func TestKeysAreFields(t *testing.T) {
	var walk func(prefix string, typ reflect.Type)
	walk = func(prefix string, typ reflect.Type) {
		for f := range typ.Fields() {
			tag := f.Tag.Get("toml")
			switch {
			case tag == "-":
			case f.Type.Kind() == reflect.Struct:
				walk(prefix+tag+".", f.Type)
			case lookup(prefix+tag) == nil:
				t.Errorf("%s has no entry in the table of keys", prefix+tag)
			}
		}
	}
	walk("", reflect.TypeFor[Spec]())
	for _, k := range Keys() {
		if k.Meaning == "" || k.Values() == "" || k.Default == "" {
			t.Errorf("%s: want a meaning, values and a default", k.Path)
		}
	}
}

func TestBuiltinScenarios(t *testing.T) {
	for _, name := range Builtin() {
		sp, err := Load(name, nil)
		if err != nil {
			t.Error(err)
			continue
		}
		if sp.Name != name || sp.Description == "" || sp.Source == "" {
			t.Errorf("%s: want its name, a description and a source, have %q, %q, %q", name, sp.Name, sp.Description, sp.Source)
		}
	}
}

func TestDefaultsAreValid(t *testing.T) {
	if _, err := Decode("empty.toml", nil); err != nil {
		t.Error(err)
	}
}

func TestHashNamesWhatRuns(t *testing.T) {
	a, err := Load("p5en-qwen3-32b", nil)
	if err != nil {
		t.Fatal(err)
	}
	same, err := Load("p5en-qwen3-32b", []string{"name=other", "run.protocols=pull", "decode.max_num_seqs=8"})
	if err != nil {
		t.Fatal(err)
	}
	other, err := Load("p5en-qwen3-32b", []string{"decode.max_num_seqs=9"})
	if err != nil {
		t.Fatal(err)
	}
	if a.Hash() != same.Hash() || a.Hash() == other.Hash() {
		t.Errorf("hashes %s, %s, %s: want the first two equal and the third different", a.Hash(), same.Hash(), other.Hash())
	}
}
