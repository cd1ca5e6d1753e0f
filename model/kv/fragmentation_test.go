package kv

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sequence runs requests of n blocks one after the other and returns in how many runs each would travel to a peer
// whose blocks ascend.
func sequence(p *Pool, requests, n int) []int {
	var runs []int
	peer := span(1, n)
	for range requests {
		blocks, _ := p.Allocate(nil, n)
		runs = append(runs, Runs(blocks, peer))
		p.Release(blocks)
	}
	return runs
}

// A request of 16k tokens is 1,024 blocks. Each time a block is freed and lent again, the direction turns. What
// differs between releases is when: after the whole pool was used, or at once.
func TestDirectionTurnsWithEachUse(t *testing.T) {
	const n = 1024
	repeat := func(x ...int) []int { return slices.Repeat(x, 4) }
	tests := []struct {
		name    string
		order   FreeOrder
		caching bool
		want    []int
	}{
		{"tail", FreeToTail, false, slices.Concat(repeat(1), repeat(n), repeat(1))},
		{"tail, caching", FreeToTail, true, slices.Concat(repeat(1), repeat(n), repeat(1))},
		{"head", FreeUnnamedToHead, false, slices.Concat(repeat(1, n), repeat(1, n), repeat(1, n))[:12]},
		{"head if caching", FreeUnnamedToHeadIfCaching, false, slices.Concat(repeat(1), repeat(n), repeat(1))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := sequence(NewPoolOrder(4*n, 16, tt.caching, tt.order), 12, n)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("runs (-want +got):\n%s", diff)
			}
		})
	}
}

// The same in descriptors of the published case: one turn of the pool costs a thousandfold.
func TestTurnedPoolCostsAThousandfold(t *testing.T) {
	g := qwen32(Packed, 16)
	p := NewPool(1024, 16, false)
	peer := span(1, 1024)
	var got []int
	for range 3 {
		blocks, _ := p.Allocate(nil, 1024)
		got = append(got, g.Describe(blocks, peer, 0, true).Descriptors)
		p.Release(blocks)
	}
	if diff := cmp.Diff([]int{64, 65_536, 64}, got); diff != "" {
		t.Errorf("descriptors (-want +got):\n%s", diff)
	}
}

// Both sides must advance: two lists that descend together do not merge either.
func TestDescendingTogetherDoesNotMerge(t *testing.T) {
	down := span(1, 8)
	slices.Reverse(down)
	if got := Runs(down, down); got != 8 {
		t.Errorf("%d runs, want 8", got)
	}
}

// mixed keeps eight requests decoding side by side: each takes a block in turn, as a full batch does, and one that is
// done makes room for a prompt. It returns in how many runs, on average, each generation of eight prompts would travel.
func mixed(t *testing.T, order FreeOrder, generations int) []float64 {
	const batch, prompt, growth = 8, 128, 8
	r := rand.New(rand.NewPCG(1, 2))
	p := NewPoolOrder(batch*(prompt+2*growth), 16, false, order)
	peer := span(1, prompt)
	live, left := make([][]Block, batch), make([]int, batch)
	means := make([]float64, generations)
	for n := 0; n < batch*generations; {
		for i := range live {
			if left[i] > 0 {
				left[i]--
				live[i], _ = p.Allocate(live[i], 1)
				continue
			}
			p.Release(live[i])
			live[i], _ = p.Allocate(live[i][:0], prompt)
			left[i] = growth/2 + r.IntN(growth)
			if n < batch*generations {
				means[n/batch] += float64(Runs(live[i], peer)) / batch
			}
			n++
		}
		if err := p.Check(); err != nil {
			t.Fatal(err)
		}
	}
	return means
}

// Turning directions alone would leave whole runs or none. Blocks that were taken in turn by requests of different
// length leave pieces that no order of release puts together again: the mean settles in between, at runs of one to
// two blocks here. The one published pair of counts before and after merging gives 1.5.
func TestConcurrentGrowthScatters(t *testing.T) {
	for _, order := range []FreeOrder{FreeToTail, FreeUnnamedToHead} {
		means := mixed(t, order, 20)
		t.Logf("%v: %v runs of 128 blocks", order, means)
		if means[0] != 1 {
			t.Errorf("%v: fresh prompts come in %v runs, want 1", order, means[0])
		}
		for i, m := range means[5:] {
			if m < 32 || m > 120 {
				t.Errorf("%v: generation %d comes in %v runs of 128 blocks, want neither whole nor all apart", order, i+5, m)
			}
		}
	}
}
