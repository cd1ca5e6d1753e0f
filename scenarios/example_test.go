package scenarios_test

import (
	"fmt"

	"pdsim/scenarios"
)

func ExampleLoad() {
	_, err := scenarios.Load("p5en-qwen3-32b", []string{"decode.tp=7", "workload.qsp=2"})
	fmt.Println(err)
	// Output:
	// --set workload.qsp=2: unknown key "workload.qsp"; did you mean "workload.qps"?
	// --set decode.tp=7: must divide 64 attention heads
}

func ExampleRun() {
	sp, err := scenarios.Load("p5en-qwen3-32b", []string{"workload.requests=5", "workload.iterations=1"})
	if err != nil {
		panic(err)
	}
	pull, err := scenarios.Run(sp, "pull", scenarios.Options{})
	if err != nil {
		panic(err)
	}
	push, err := scenarios.Run(sp, "push", scenarios.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(pull.Completed, push.Completed, push.MeanTTFTMs < pull.MeanTTFTMs)
	// Output: 5 5 true
}
