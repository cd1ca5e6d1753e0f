package scenarios

import (
	"testing"

	"pdsim/sim"
)

// BenchmarkRecording is the published scenario without a recorder and with one that keeps all spans.
func BenchmarkRecording(b *testing.B) {
	for name, rec := range map[string]func() sim.Recorder{
		"off": func() sim.Recorder { return nil },
		"on":  func() sim.Recorder { return &sim.Log{} },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sp, err := Load("p5en-qwen3-32b", nil)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := Run(sp, "push", Options{Recorder: rec()}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
