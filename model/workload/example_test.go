package workload_test

import (
	"fmt"
	"strings"

	"pdsim/model/workload"
	"pdsim/sim"
)

// A benchmark of four requests at two a second: the last one arrives at two seconds exactly.
func Example() {
	source, err := workload.NewGamma(workload.Bench{
		Rate:         workload.Rate{Requests: 4, PerSecond: 2, Burstiness: 1, Seed: 0},
		Input:        workload.Fixed(2048),
		Output:       workload.Fixed(128),
		PrefixTokens: 50,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for a, ok := source.Next(); ok; a, ok = source.Next() {
		fmt.Println(a.At, a.Input, a.Output)
	}
	// Output:
	// 423.086626ms 2098 128
	// 1.090739006s 2098 128
	// 1.581524127s 2098 128
	// 2s 2098 128
}

// Two prompts with a common prefix of 64 tokens have their first four blocks of 16 in common.
func ExamplePrompt_BlockHash() {
	a := workload.Prompt{ID: 1, Prefix: 7, PrefixTokens: 64}
	b := workload.Prompt{ID: 2, Prefix: 7, PrefixTokens: 64}
	for i := range 6 {
		fmt.Print(a.BlockHash(i, 16) == b.BlockHash(i, 16), " ")
	}
	// Output: true true true true false false
}

// The second turn comes two seconds after the first has ended, and repeats all that was said.
func ExampleConversations() {
	chat, err := workload.NewConversations(workload.Chat{
		Rate:   workload.Rate{Requests: 1, PerSecond: 1, Burstiness: 1},
		Turns:  workload.Fixed(2),
		First:  workload.Fixed(1000),
		User:   workload.Fixed(50),
		Output: workload.Fixed(200),
		Think:  2 * sim.Second,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	a, _ := chat.Next()
	fmt.Println(a.At, a.Input)
	b, _ := chat.Done(a.Session, a.At.Add(3*sim.Second))
	fmt.Println(b.At, b.Input)
	_, more := chat.Done(b.Session, b.At.Add(3*sim.Second))
	fmt.Println(more)
	// Output:
	// 1s 1000
	// 6s 1250
	// false
}

// A trace in Azure's format, replayed at twice its speed.
func ExampleNewTrace() {
	file := strings.NewReader("TIMESTAMP,ContextTokens,GeneratedTokens\n" +
		"2023-11-16 18:15:46.6805900,374,44\n" +
		"2023-11-16 18:15:50.9951690,396,109\n" +
		"2023-11-16 18:15:51.2224670,many,55\n")
	trace, err := workload.NewTrace(workload.Azure, "azure.csv", file, workload.TraceOptions{Speed: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	for a, ok := trace.Next(); ok; a, ok = trace.Next() {
		fmt.Println(a.At, a.Input, a.Output)
	}
	fmt.Println(trace.Err())
	// Output:
	// 0ns 374 44
	// 2.1572895s 396 109
	// azure.csv:4: ContextTokens: want a whole number from 0 to 1073741824, have "many"
}
