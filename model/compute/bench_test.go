package compute

import (
	"testing"

	"pdsim/sim"
)

var sink sim.Duration

// mixedBatch is a step with 37 decodes and a chunk of a long prompt.
func mixedBatch() Batch {
	var b Batch
	for i := range 37 {
		b.AddDecode(3000 + 17*i)
	}
	b.AddPrefill(2011, 4096)
	return b
}

// BenchmarkStepTime prices a mixed step with each kind of model.
func BenchmarkStepTime(b *testing.B) {
	seen := map[string]bool{}
	for _, m := range builtIns(b) {
		kind := kindOf(m.name)
		if seen[kind] {
			continue
		}
		seen[kind] = true
		b.Run(kind, func(b *testing.B) {
			batch := mixedBatch()
			b.ReportAllocs()
			for b.Loop() {
				sink = m.model.StepTime(&batch)
			}
		})
	}
}

// BenchmarkKernels builds the model with the most tables.
func BenchmarkKernels(b *testing.B) {
	c := config(qwen32(), 8, h200())
	for b.Loop() {
		if _, err := Kernels(c); err != nil {
			b.Fatal(err)
		}
	}
}

func kindOf(name string) string {
	for i := range name {
		if name[i] == '/' {
			return name[:i]
		}
	}
	return name
}
