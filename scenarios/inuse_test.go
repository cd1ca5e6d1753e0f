package scenarios

import (
	"strings"
	"testing"
)

func TestInUse(t *testing.T) {
	sp, err := Load("p5en-qwen3-32b", []string{"costs.backend.post_read=2.2us", "decode.hardware=p5.48xlarge"})
	if err != nil {
		t.Fatal(err)
	}
	one, err := sp.InUse("backend.post_read")
	if err != nil || len(one) != 1 || one[0].Value != "2.2us" || one[0].Low == "" || one[0].Entry != sp.Network.Backend {
		t.Errorf("%+v, %v", one, err)
	}
	two, err := sp.InUse("fabric.read_efficiency")
	if err != nil || len(two) != 2 || two[0].Entry != "efa-p5en" || two[1].Entry != "efa-p5" {
		t.Errorf("%+v, %v", two, err)
	}
	for path, want := range map[string]string{
		"backend.post_raed": `unknown cost "post_raed"; did you mean "post_read"?`,
		"bakend.post_read":  `unknown kind of cost "bakend"; did you mean "backend"?`,
		"backend":           `unknown cost ""`,
	} {
		if _, err := sp.InUse(path); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: have %v, want %s", path, err, want)
		}
	}
}
