package kv

import (
	"fmt"
	"testing"
)

const benchBlocks = 256 // of a request: 4,096 tokens in blocks of 16

// counted is a prompt whose hashes cost nothing to make, and differ from any other's.
type counted uint64

func (c *counted) BlockHash(i, blockSize int) uint64 { return uint64(*c)<<20 + uint64(i) }

func perBlock(b *testing.B, blocks int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(blocks), "ns/block")
}

func BenchmarkAllocateRelease(b *testing.B) {
	for _, caching := range []bool{false, true} {
		for _, blocks := range []int{4_096, 1_000_000} {
			b.Run(fmt.Sprintf("caching=%v/pool=%d", caching, blocks), func(b *testing.B) {
				p := NewPool(blocks, 16, caching)
				got := make([]Block, 0, benchBlocks)
				b.ReportAllocs()
				for b.Loop() {
					got, _ = p.Allocate(got[:0], benchBlocks)
					p.Release(got)
				}
				perBlock(b, benchBlocks)
			})
		}
	}
}

// BenchmarkLifeOfRequest has a request miss, take blocks that evict an older one's, publish and finish.
func BenchmarkLifeOfRequest(b *testing.B) {
	for _, blocks := range []int{4_096, 1_000_000} {
		b.Run(fmt.Sprintf("pool=%d", blocks), func(b *testing.B) {
			p := NewPool(blocks, 16, true)
			hit, got := make([]Block, 0, benchBlocks), make([]Block, 0, benchBlocks)
			prompt := new(counted)
			b.ReportAllocs()
			for b.Loop() {
				*prompt++
				hit = p.Lookup(hit[:0], prompt, benchBlocks)
				got, _ = p.Allocate(got[:0], benchBlocks-len(hit))
				p.Publish(got, prompt, 0, benchBlocks)
				p.Release(got)
			}
			perBlock(b, benchBlocks)
		})
	}
}

// BenchmarkHit has requests find a whole prompt, take it and give it back.
func BenchmarkHit(b *testing.B) {
	p := NewPool(4_096, 16, true)
	got, _ := p.Allocate(nil, benchBlocks)
	prompt := new(counted)
	p.Publish(got, prompt, 0, benchBlocks)
	p.Release(got)
	b.ReportAllocs()
	for b.Loop() {
		got = p.Lookup(got[:0], prompt, benchBlocks)
		p.Touch(got)
		p.Release(got)
	}
	perBlock(b, benchBlocks)
}

func BenchmarkNewPool(b *testing.B) {
	for _, caching := range []bool{false, true} {
		b.Run(fmt.Sprintf("caching=%v", caching), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				NewPool(1_000_000, 16, caching)
			}
			perBlock(b, 1_000_000)
		})
	}
}

func BenchmarkDescribe(b *testing.B) {
	g := Geometry{Layout: Packed, Layers: 64, BytesPerTokenPerRank: 32 << 10, BlockSize: 16}
	blocks := span(1, 1024)
	b.ReportAllocs()
	for b.Loop() {
		g.Describe(blocks, blocks, 128<<10, true)
	}
	perBlock(b, 1024)
}

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	p := NewPool(4*benchBlocks, 16, true)
	hit, got := make([]Block, 0, benchBlocks), make([]Block, 0, benchBlocks)
	prompt := new(counted)
	if n := testing.AllocsPerRun(100, func() {
		*prompt++
		hit = p.Lookup(hit[:0], prompt, benchBlocks)
		p.Touch(hit)
		got, _ = p.Allocate(got[:0], benchBlocks)
		p.Publish(got, prompt, 0, benchBlocks)
		p.Release(got)
		p.Release(hit)
	}); n != 0 {
		t.Errorf("%v allocations a request, want 0", n)
	}
}
