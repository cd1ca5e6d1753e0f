package compute

import (
	"testing"

	"pdsim/sim"
)

var sink sim.Duration

func mixedBatch() Batch {
	var b Batch
	for i := range 37 {
		b.AddDecode(3000 + 17*i)
	}
	b.AddPrefill(2011, 4096)
	return b
}

func BenchmarkRoofline(b *testing.B) {
	m, err := Roofline(config(qwen32(), 8, h200()))
	if err != nil {
		b.Fatal(err)
	}
	batch := mixedBatch()
	b.ReportAllocs()
	for b.Loop() {
		sink = m.StepTime(&batch)
	}
}
