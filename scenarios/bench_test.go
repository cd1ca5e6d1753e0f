package scenarios

import "testing"

// BenchmarkLoad is what each point of a sweep pays before it runs.
func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := Load("p5en-qwen3-32b", []string{"workload.qps=2"}); err != nil {
			b.Fatal(err)
		}
	}
}
