package scenarios

import (
	"strings"
	"testing"
)

func TestCostsReplaceTheCatalogue(t *testing.T) {
	sp, err := Load("p5en-qwen3-32b", []string{"costs.backend.post_read=2.2us", "workload.iterations=1", "workload.warmup=0", "workload.qps=1", "network.merge=never"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(sp, "pull", Options{})
	if err != nil {
		t.Fatal(err)
	}
	// 65,536 descriptors of 2.2 us and the fixed part of 50 us.
	if want := 144.2292; r.KV.AvgPostMs != want {
		t.Errorf("a post takes %v ms, want %v", r.KV.AvgPostMs, want)
	}
	again, err := Decode("again.toml", sp.Encode())
	if err != nil || again.Hash() != sp.Hash() {
		t.Errorf("written and read again: hash %v, want %v; %v", again.Hash(), sp.Hash(), err)
	}
}

func TestBadCosts(t *testing.T) {
	for text, want := range map[string]string{
		"[costs.backend]\npost_raed = \"2us\"\n":        `x.toml:2:13: costs.backend.post_raed: unknown cost "post_raed"; did you mean "post_read"?`,
		"[costs.bakend]\npost_read = \"2us\"\n":         `x.toml:1:1: unknown kind of cost "bakend"; did you mean "backend"?`,
		"costs = 3\n":                                   `x.toml:1:9: costs: want a table of values, such as backend.post_read = "2.2us"`,
		"[costs]\nbackend = 3\n":                        `x.toml:2:11: costs.backend: want a table of values, such as backend.post_read = "2.2us"`,
		"[costs.backend]\npost_read = \"2.2 lights\"\n": `x.toml:2:13: costs.backend.post_read: want a`,
	} {
		if _, err := Decode("x.toml", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: have %v\nwant %s", text, err, want)
		}
	}
}

// What breaks physics is refused with the bound that it breaks.
func TestPhysics(t *testing.T) {
	for set, want := range map[string]string{
		"costs.gpu.bf16=100TFLOP/s": "at 100.0 TFLOP/s",
	} {
		sp, err := Load("p5en-qwen3-32b", []string{set})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Run(sp, "pull", Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: have %v, want %s", set, err, want)
		}
	}
}

// What no fabric or machine has is refused before anything runs.
func TestCostsOutOfBounds(t *testing.T) {
	for set, want := range map[string]string{
		"costs.fabric.read_efficiency=1.5":    `costs.fabric.read_efficiency=1.5: want more than 0 and at most 1, have "1.5"`,
		"costs.fabric.read_efficiency=0":      `costs.fabric.read_efficiency=0: want more than 0 and at most 1, have "0"`,
		"costs.backend.background_factor=0.5": `costs.backend.background_factor=0.5: want a number from 1 to 1000, have "0.5"`,
		"costs.instance.rails_per_gpu=0":      `costs.instance.rails_per_gpu=0: want a whole number from 1 to 64, have "0"`,
	} {
		if _, err := Load("p5en-qwen3-32b", []string{set}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: have %v, want %s", set, err, want)
		}
	}
}

// TestComputeScale holds that the factor changes what the GPUs take, and not below their peaks.
func TestComputeScale(t *testing.T) {
	tpot := func(set ...string) float64 {
		sp, err := Load("p5en-qwen3-32b", append(set, "workload.iterations=1", "workload.warmup=0", "workload.requests=20"))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Run(sp, "push", Options{})
		if err != nil {
			t.Fatal(err)
		}
		return r.MedianTPOTMs
	}
	plain := tpot()
	if times := tpot("decode.compute_scale=1.5") / plain; times < 1.4 || times > 1.6 {
		t.Errorf("steps of 1.5 times the length: TPOT %v times as long", times)
	}
	if same := tpot("decode.compute_scale=1.0"); same != plain {
		t.Errorf("TPOT %v with a factor of 1, %v without", same, plain)
	}
	sp, err := Load("p5en-qwen3-32b", []string{"decode.compute_scale=0.1"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(sp, "pull", Options{}); err == nil || !strings.Contains(err.Error(), "needs") {
		t.Errorf("a tenth of the time: %v, want the bound that it breaks", err)
	}
}
