package metric_test

import (
	"fmt"

	"pdsim/model/metric"
	"pdsim/sim"
)

// Two requests of three and two tokens.
func Example() {
	run := metric.NewCollector(0, nil)
	at := func(ms int) sim.Time { return sim.Time(ms) * sim.Time(sim.Millisecond) }

	run.Started(at(100))
	run.Started(at(150))
	run.AddITL(20*sim.Millisecond, 2)
	run.Add(at(100), at(312), at(352), 2048, 3)
	run.AddITL(24*sim.Millisecond, 1)
	run.Add(at(150), at(348), at(372), 1024, 2)

	s := run.Summary()
	fmt.Printf("TTFT %.1f ms, P99 %.2f ms\n", s.MeanTTFTMs, s.P99TTFTMs)
	fmt.Printf("TPOT %.1f ms, ITL %.2f ms\n", s.MeanTPOTMs, s.MeanITLMs)
	fmt.Printf("%.2f tokens/s, %d requests at once\n", s.OutputThroughput, s.MaxConcurrentRequests)
	// Output:
	// TTFT 205.0 ms, P99 211.86 ms
	// TPOT 22.0 ms, ITL 21.33 ms
	// 13.44 tokens/s, 2 requests at once
}

// Percentiles lie on the straight line between neighbours, as numpy's do.
func ExampleSample_Percentile() {
	var s metric.Sample
	s.Add(10 * sim.Millisecond)
	s.AddN(20*sim.Millisecond, 3)
	fmt.Println(s.Percentile(10), s.Median(), s.Exact())
	// Output: 13 20 true
}
