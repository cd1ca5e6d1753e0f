package compute

import (
	"math"
	"strings"
	"testing"
)

func TestFittedIsTheForm(t *testing.T) {
	f := Fit{Fixed: 20e6, PerSequence: 1000, PerDecodeContext: 10, PerPrefillToken: 100_000, PerPrefillPair: 2}
	m, err := Fitted(config(qwen32(), 1, h200()), f)
	if err != nil {
		t.Fatal(err)
	}
	b := Batch{Decodes: 3, DecodeContext: 5000, Prefills: 1, PrefillTokens: 100, PrefillPairs: 5050, PrefillContext: 100}
	if have, want := m.StepTime(&b).String(), "30.0631ms"; have != want {
		t.Errorf("have %s, want %s", have, want)
	}
}

// TestFittedReadsTheWeights: a form that says less than the time of reading 65 GB of weights at 4.8 TB/s gets that time.
func TestFittedReadsTheWeights(t *testing.T) {
	m, err := Fitted(config(qwen32(), 1, h200()), Fit{PerSequence: 1})
	if err != nil {
		t.Fatal(err)
	}
	if ms := m.StepTime(&Batch{Decodes: 1, DecodeContext: 1}).Milliseconds(); math.Abs(ms-13.0) > 0.1 {
		t.Errorf("have %.2f ms, want 13.0", ms)
	}
}

func TestFittedRefuses(t *testing.T) {
	for _, value := range []float64{-1, math.NaN(), math.Inf(1)} {
		_, err := Fitted(config(qwen32(), 1, h200()), Fit{Name: "x", PerPrefillPair: value})
		if err == nil || !strings.Contains(err.Error(), `fit "x": per_prefill_pair: want 0 or more ns/pair`) {
			t.Errorf("%g: have %v", value, err)
		}
	}
}

func TestFitsNeedUnitAndSource(t *testing.T) {
	good := fitsTOML
	for _, c := range []struct{ from, to, want string }{
		{`unit = "ns/pair", source = "same fit"`, `unit = "ns/pair", source = ""`, `want unit "ns/pair" and a source`},
		{`unit = "ns/decode"`, `unit = "us/decode"`, `per_sequence: want unit "ns/decode"`},
		{`per_sequence =`, `per_seq =`, `unknown key "fit.per_seq"`},
	} {
		_, err := parseFits("f.toml", strings.Replace(good, c.from, c.to, 1))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("have %v, want %q", err, c.want)
		}
	}
}
