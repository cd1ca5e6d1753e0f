package catalogue

import (
	"strings"
	"testing"

	"pdsim/model/unit"
)

func TestOverride(t *testing.T) {
	b := Backend{}
	if err := Override(&b, "post_read", "2.2us"); err != nil || b.PostRead.Value != unit.Picos(2_200_000) {
		t.Errorf("post_read = %v, %v", b.PostRead.Value, err)
	}
	for key, bad := range map[string]string{
		"post_raed": `unknown cost "post_raed"; did you mean "post_read"?`,
		"post_read": `want a small`,
	} {
		if err := Override(&b, key, "2.2 lightyears"); err == nil || !strings.HasPrefix(err.Error(), bad) {
			t.Errorf("%s: have %v, want %s", key, err, bad)
		}
	}
	if _, err := Blank("backends"); err == nil {
		t.Error("backends is no kind")
	}
}

// Values that a model would take for something else are refused, and the ends of what makes sense are not.
func TestOverrideBounds(t *testing.T) {
	const part, factor, rails = "want more than 0 and at most 1, have ", "want a number from 1 to 1000, have ", "want a whole number from 1 to 64, have "
	for _, c := range []struct {
		entry     any
		key, text string
		want      string
	}{
		{&Fabric{}, "read_efficiency", "0", part + `"0"`},
		{&Fabric{}, "write_efficiency", "1.01", part + `"1.01"`},
		{&Fabric{}, "beside_forward", "0.0", part + `"0.0"`},
		{&Fabric{}, "beside_forward", "much", part + `"much"`},
		{&GPU{}, "gemm_efficiency", "NaN", part + `"NaN"`},
		{&GPU{}, "pcie_efficiency", "-0.5", part + `"-0.5"`},
		{&Backend{}, "background_factor", "0.9", factor + `"0.9"`},
		{&Instance{}, "rails_per_gpu", "0", rails + `"0"`},
		{&Instance{}, "rails_per_gpu", "65", rails + `"65"`},
		{&Instance{}, "rails_per_gpu", "1.5", rails + `"1.5"`},
		{&Fabric{}, "read_efficiency", "1", ""},
		{&Fabric{}, "beside_forward", "0.001", ""},
		{&Backend{}, "background_factor", "1", ""},
		{&Instance{}, "rails_per_gpu", "64", ""},
	} {
		have := ""
		if err := Override(c.entry, c.key, c.text); err != nil {
			have = err.Error()
		}
		if have != c.want {
			t.Errorf("%s = %s: have %q, want %q", c.key, c.text, have, c.want)
		}
	}
}
