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
