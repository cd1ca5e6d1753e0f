package kv_test

import (
	"fmt"

	"pdsim/model/kv"
)

// A prompt of 16,384 tokens travels between two ranks of Qwen3-32B at TP8. What it costs to post depends on what the
// decode engine's pool has been through.
func Example() {
	g := kv.Geometry{Layout: kv.Packed, Layers: 64, BytesPerTokenPerRank: 32 << 10, BlockSize: 16}
	prefill := kv.NewPool(4096, 16, true)
	decode := kv.NewPool(1024, 16, false)
	const stripe = 128 << 10

	source, _ := prefill.Allocate(nil, 1024)
	for range 3 {
		target, _ := decode.Allocate(nil, 1024)
		e := g.Describe(source, target, stripe, true)
		fmt.Printf("blocks %d to %d: %d runs, %d descriptors, %d of them striped\n",
			target[0], target[1023], kv.Runs(source, target), e.Descriptors, e.Large)
		decode.Release(target)
	}

	// Output:
	// blocks 1 to 1024: 1 runs, 64 descriptors, 64 of them striped
	// blocks 1024 to 1: 1024 runs, 65536 descriptors, 0 of them striped
	// blocks 1 to 1024: 1 runs, 64 descriptors, 64 of them striped
}

// With twice as many decode ranks as prefill ranks, a prefill rank writes half a page to each of two.
func ExamplePair() {
	p, err := kv.Pair(4, 8, 8, false, true)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d handles, 1/%d of a page each, merges: %v\n", p.Handles, p.Slices, p.Dense)
	// Output: 2 handles, 1/2 of a page each, merges: false
}
