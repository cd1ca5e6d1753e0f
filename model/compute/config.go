package compute

import (
	"fmt"
	"math"

	"pdsim/model/llm"
)

// Machine is what a GPU can do. The caller fills it from the hardware catalogue; rates are per GPU.
type Machine struct {
	GPU       string  // catalogue name, such as "h200"; Kernels looks its tables up by it
	BF16      float64 // dense bf16 matrix rate, FLOP/s
	FP8       float64 // dense fp8 matrix rate, FLOP/s; 0 when the GPU has none
	Bandwidth float64 // memory bandwidth, bytes/s
	NVLink    float64 // bandwidth to the other GPUs of the host in one direction, bytes/s; 0: none
	PCIe      float64 // the same without NVLink: what an all-reduce gets of it, bytes/s
	PCIeFloor float64 // least time of an all-reduce without NVLink, ns

	GEMMEfficiency      float64 // part of the matrix rate that large matrix products reach, 0 to 1
	AttentionEfficiency float64 // part of the matrix rate that prompt attention reaches, 0 to 1
	MemoryEfficiency    float64 // part of the bandwidth that reading weights and KV reaches, 0 to 1
}

// Config says whose time is asked for and how far the tables of a model must reach.
type Config struct {
	Shape      *llm.Shape
	TP         int // tensor-parallel ranks
	Machine    Machine
	MaxTokens  int // most tokens of one step
	MaxSeqs    int // most sequences of one step
	MaxContext int // most KV tokens of one sequence
}

// check returns the first reason why no model can be built from c.
func (c *Config) check() error {
	if c.Shape == nil {
		return fmt.Errorf("compute: want a model shape, have none")
	}
	if c.TP < 1 || c.Shape.Heads%max(c.TP, 1) != 0 {
		return fmt.Errorf("compute: tp = %d: must divide %d attention heads", c.TP, c.Shape.Heads)
	}
	for _, n := range []struct {
		name  string
		value int
	}{{"layers", c.Shape.Layers}, {"hidden size", c.Shape.Hidden}, {"attention heads", c.Shape.Heads},
		{"largest step", c.MaxTokens}, {"sequences", c.MaxSeqs}, {"context", c.MaxContext}} {
		if n.value < 1 {
			return fmt.Errorf("compute: %s: want 1 or more, have %d", n.name, n.value)
		}
	}
	for _, r := range []struct {
		name  string
		value float64
	}{{"bf16 rate", c.Machine.BF16}, {"memory bandwidth", c.Machine.Bandwidth}} {
		if !(r.value > 0) || math.IsInf(r.value, 0) {
			return fmt.Errorf("compute: %s of %q: want more than 0, have %g", r.name, c.Machine.GPU, r.value)
		}
	}
	return nil
}

// checkEfficiencies returns an error unless the parts of the peaks that kernels reach are parts.
func (m *Machine) checkEfficiencies() error {
	for _, e := range []struct {
		name  string
		value float64
	}{{"GEMM efficiency", m.GEMMEfficiency}, {"attention efficiency", m.AttentionEfficiency},
		{"memory efficiency", m.MemoryEfficiency}} {
		if !(e.value > 0 && e.value <= 1) {
			return fmt.Errorf("compute: %s of %q: want more than 0 and at most 1, have %g", e.name, m.GPU, e.value)
		}
	}
	return nil
}
