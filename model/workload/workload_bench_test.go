package workload

import "testing"

// One arrival of a benchmark run, the second draw of its gap included.
func BenchmarkGamma(b *testing.B) {
	for _, test := range []struct {
		name  string
		shape float64
	}{{"poisson", 1}, {"bursty", 0.5}, {"even", 4}} {
		b.Run(test.name, func(b *testing.B) {
			settings := bench()
			settings.Requests, settings.Burstiness = b.N, test.shape
			b.ReportAllocs()
			g, err := NewGamma(settings)
			if err != nil {
				b.Fatal(err)
			}
			for range b.N {
				g.Next()
			}
		})
	}
}

func BenchmarkBlockHash(b *testing.B) {
	p := Prompt{ID: 1, Prefix: 2, PrefixTokens: 64}
	sum := uint64(0)
	for i := 0; b.Loop(); i++ {
		sum += p.BlockHash(i&1023, 16)
	}
	if sum == 0 {
		b.Error("all hashes are 0")
	}
}

// A whole built-in trace.
func BenchmarkTrace(b *testing.B) {
	for _, name := range Builtins() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				trace, err := NewBuiltin(name, TraceOptions{})
				if err != nil {
					b.Fatal(err)
				}
				for _, ok := trace.Next(); ok; _, ok = trace.Next() {
				}
			}
		})
	}
}
