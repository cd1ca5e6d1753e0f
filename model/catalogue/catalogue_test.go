package catalogue

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

func builtin(t *testing.T) *Catalogue {
	t.Helper()
	c, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// allFacts is every sourced value of the catalogue by its full key.
func allFacts(c *Catalogue) map[string]Fact {
	facts := map[string]Fact{}
	add := func(file, name string, entry any) {
		for _, f := range Facts(entry) {
			facts[file+" "+name+"."+f.Key] = f
		}
	}
	for name, e := range c.GPUs {
		add("gpus", name, e)
	}
	for name, e := range c.Instances {
		add("instances", name, e)
	}
	for name, e := range c.Fabrics {
		add("fabrics", name, e)
	}
	for name, e := range c.Backends {
		add("backends", name, e)
	}
	for name, e := range c.Software {
		add("software", name, e)
	}
	return facts
}

// TestSources holds the catalogue's promise: each value has a source that is not on this machine, and an inferred one
// that is not nothing says how far it may be off, unless it is a choice among few.
func TestSources(t *testing.T) {
	facts := allFacts(builtin(t))
	if len(facts) < 490 {
		t.Errorf("only %d values", len(facts))
	}
	choices := regexp.MustCompile(`\.(gpus|rails_per_gpu|queue_depth|pool_threads|async_scheduling|load_after_launch|packed_kv)$`)
	nothing := regexp.MustCompile(`^0(\D|$)`)
	for key, f := range facts {
		if strings.TrimSpace(f.Source) == "" || strings.HasPrefix(f.Source, "/") || strings.Contains(f.Source, "..") {
			t.Errorf("%s: source %q", key, f.Source)
		}
		if f.Inferred && f.Low == "" && !choices.MatchString(key) && !nothing.MatchString(f.Value) && !sureGuess[key] {
			t.Errorf("%s: %s is inferred and has no range", key, f.Value)
		}
	}
}

// sureGuess are inferred values that are exact in the entry's own terms: assumed machines, and parts of a rate that is
// itself what was reached.
var sureGuess = map[string]bool{
	"instances l40s-tcp.rail_rate": true, "instances rtxpro6000-node.rail_rate": true,
	"fabrics l20-host.read_efficiency": true, "fabrics l20-host.write_efficiency": true,
	"gpus rtx-pro-6000.bf16": true, "gpus rtx-pro-6000.fp8": true,
	"software vllm-0.19.lease_extension": true, "software vllm-0.19.heartbeat_period": true,
}

// TestValuesHaveUnits finds plain numbers where a unit is due: only counts and fractions are without.
func TestValuesHaveUnits(t *testing.T) {
	bare := regexp.MustCompile(`\.(gpus|rails_per_gpu|queue_depth|doorbell_batch|split_threshold|pool_threads|\w+_efficiency|background_factor|beside_forward)$`)
	for key, f := range allFacts(builtin(t)) {
		if f.Value == "true" || f.Value == "false" {
			continue
		}
		hasUnit := regexp.MustCompile(`^[\d.]+[A-Za-z]`).MatchString(f.Value)
		if hasUnit == bare.MatchString(key) {
			t.Errorf("%s: %s", key, f.Value)
		}
	}
}

// TestNoValueWithoutSourceInFiles looks at the files as they are written: what an entry takes from another must not
// hide that it gives a value of its own without a source.
func TestNoValueWithoutSourceInFiles(t *testing.T) {
	for _, file := range kinds {
		text, err := files.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var entries map[string]map[string]any
		if _, err := toml.Decode(string(text), &entries); err != nil {
			t.Fatal(err)
		}
		for name, entry := range entries {
			for key, v := range entry {
				if v, ok := v.(map[string]any); ok && (v["value"] == nil || v["source"] == nil) {
					t.Errorf("%s: %s.%s = %v", file, name, key, v)
				}
			}
		}
	}
}

// TestPublishedValues holds a few values against what the reference gives, units included.
func TestPublishedValues(t *testing.T) {
	facts := allFacts(builtin(t))
	for key, want := range map[string]string{
		"gpus h200.memory_bandwidth":            "4.8TB/s",
		"gpus h20.bf16":                         "148TFLOP/s",
		"instances p5en.48xlarge.rail_rate":     "25GB/s",
		"instances p5.48xlarge.rails_per_gpu":   "4",
		"fabrics efa-p5en.read_efficiency":      "0.76",
		"fabrics efa-p5.stripe_threshold":       "128KiB", // taken from efa-p5en
		"backends libfabric-1.2.post_read":      "2.44us",
		"backends libfabric-1.2.doorbell_batch": "16",
		"backends libfabric-1.5.ring_push":      "540ns",
		"backends ucx.pool_threads":             "4",
		"software vllm-0.23.idle_sleep":         "1ms",
		"software vllm-0.23.load_after_launch":  "false",
		"software vllm-0.29.load_after_launch":  "true",
	} {
		if got := facts[key].Value; got != want {
			t.Errorf("%s: have %q, want %q", key, got, want)
		}
	}
	if c := builtin(t); !c.Fabrics["host-staging"].Shared || c.Fabrics["infiniband-ndr"].Shared {
		t.Error("only the host's path is one medium for all")
	}
}

func ExampleCatalogue_GPU() {
	c, err := Builtin()
	if err != nil {
		panic(err)
	}
	gpu, _ := c.GPU("h200")
	fmt.Println(gpu.BF16.Value, "from", gpu.BF16.Source)
	_, err = c.GPU("h300")
	fmt.Println(err)
	// Output:
	// 989.5TFLOP/s from NVIDIA H200 datasheet, 1,979 with sparsity
	// unknown GPU "h300"; did you mean "h100" or "h200"?
}

func ExampleFacts() {
	c, err := Builtin()
	if err != nil {
		panic(err)
	}
	b, _ := c.Backend("libfabric-1.5")
	for _, f := range Facts(b) {
		if f.Inferred && strings.HasPrefix(f.Key, "ring") {
			fmt.Printf("%s = %s (%s to %s)\n", f.Key, f.Value, f.Low, f.High)
		}
	}
	// Output:
	// ring_push = 540ns (300ns to 800ns)
	// ring_service = 1.8us (1us to 2.4us)
}
