package kv

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// slowPool is the allocator written down as plainly as possible: a slice for the queue, a slice for the cache.
type slowPool struct {
	queue   []Block
	refs    map[Block]int
	cache   []cached // in order of publication
	caching bool
	order   FreeOrder
}

type cached struct {
	hash  uint64
	block Block
}

func newSlowPool(blocks int, caching bool, order FreeOrder) *slowPool {
	return &slowPool{queue: span(1, blocks), refs: map[Block]int{}, caching: caching, order: order}
}

func (p *slowPool) holds(b Block) bool {
	return slices.ContainsFunc(p.cache, func(c cached) bool { return c.block == b })
}

func (p *slowPool) lookup(h Hasher, full int) []Block {
	var hit []Block
	for i := range full {
		at := slices.IndexFunc(p.cache, func(c cached) bool { return c.hash == h.BlockHash(i, 16) })
		if at < 0 {
			break
		}
		hit = append(hit, p.cache[at].block)
	}
	return hit
}

func (p *slowPool) touch(blocks []Block) {
	for _, b := range blocks {
		p.queue = slices.DeleteFunc(p.queue, func(q Block) bool { return q == b })
		p.refs[b]++
	}
}

func (p *slowPool) allocate(n int) []Block {
	if n > len(p.queue) {
		return nil
	}
	got := slices.Clone(p.queue[:n])
	p.queue = slices.Clone(p.queue[n:])
	for _, b := range got {
		p.refs[b] = 1
		p.cache = slices.DeleteFunc(p.cache, func(c cached) bool { return c.block == b })
	}
	return got
}

func (p *slowPool) publish(blocks []Block, h Hasher, from, to int) {
	for i := from; i < to && p.caching; i++ {
		if !p.holds(blocks[i]) {
			p.cache = append(p.cache, cached{h.BlockHash(i, 16), blocks[i]})
		}
	}
}

func (p *slowPool) release(blocks []Block) {
	var first, last []Block
	for _, b := range slices.Backward(blocks) {
		if p.refs[b]--; p.refs[b] > 0 {
			continue
		}
		split := p.order == FreeUnnamedToHead || p.order == FreeUnnamedToHeadIfCaching && p.caching
		if split && !p.holds(b) {
			first = append(first, b)
		} else {
			last = append(last, b)
		}
	}
	p.queue = slices.Concat(first, p.queue, last)
}

// request is one that holds blocks in both pools.
type request struct {
	blocks []Block
	prompt text
}

// driver applies the same random operations to a pool and to its slow twin.
type driver struct {
	pool *Pool
	slow *slowPool
	live []request
}

func (d *driver) admit(t *rapid.T) {
	// Two letters make prompts that share prefixes, and blocks of equal content, common.
	prompt := text(rapid.StringOfN(rapid.SampledFrom([]rune("ab")), 1, 6, -1).Draw(t, "prompt"))
	growth := rapid.IntRange(1, 3).Draw(t, "growth")
	hit := d.pool.Lookup(nil, prompt, len(prompt)-1)
	same(t, "hit", d.slow.lookup(prompt, len(prompt)-1), hit)

	free := len(d.slow.queue)
	for _, b := range hit {
		if slices.Contains(d.slow.queue, b) {
			free--
		}
	}
	if got := d.pool.FreeWithout(hit); got != free {
		t.Fatalf("FreeWithout(%v) = %d, want %d", hit, got, free)
	}
	if len(prompt)-len(hit)+growth > free {
		return
	}
	d.pool.Touch(hit)
	d.slow.touch(hit)
	r := request{slices.Clone(hit), prompt}
	d.allocate(t, &r, len(prompt)-len(hit)+growth)
	d.live = append(d.live, r)
}

func (d *driver) allocate(t *rapid.T, r *request, n int) {
	had := len(r.blocks)
	blocks, ok := d.pool.Allocate(r.blocks, n)
	want := d.slow.allocate(n)
	if ok != (want != nil || n == 0) {
		t.Fatalf("Allocate(%d) = %v with %d free", n, ok, len(d.slow.queue))
	}
	same(t, "allocated", want, blocks[had:])
	r.blocks = blocks
}

func (d *driver) pick(t *rapid.T) int {
	if len(d.live) == 0 {
		t.Skip("no requests")
	}
	return rapid.IntRange(0, len(d.live)-1).Draw(t, "request")
}

func (d *driver) grow(t *rapid.T) {
	d.allocate(t, &d.live[d.pick(t)], rapid.IntRange(0, 9).Draw(t, "blocks"))
}

func (d *driver) publish(t *rapid.T) {
	r := d.live[d.pick(t)]
	to := rapid.IntRange(0, len(r.prompt)).Draw(t, "to")
	from := rapid.IntRange(0, to).Draw(t, "from")
	d.pool.Publish(r.blocks, r.prompt, from, to)
	d.slow.publish(r.blocks, r.prompt, from, to)
}

func (d *driver) release(t *rapid.T) {
	i := d.pick(t)
	d.pool.Release(d.live[i].blocks)
	d.slow.release(d.live[i].blocks)
	d.live = slices.Delete(d.live, i, i+1)
}

// check compares the pools and counts what the live requests hold.
func (d *driver) check(t *rapid.T) {
	if err := d.pool.Check(); err != nil {
		t.Fatal(err)
	}
	same(t, "queue", d.slow.queue, queue(d.pool))
	held := map[Block]int32{}
	for _, r := range d.live {
		for _, b := range r.blocks {
			held[b]++
		}
	}
	for b, n := range d.pool.nodes[1:] {
		if n.refs != held[Block(b+1)] {
			t.Fatalf("block %d has %d references, held by %d requests", b+1, n.refs, held[Block(b+1)])
		}
	}
	if d.pool.Used() != len(held) || d.pool.Free()+d.pool.Used() != d.pool.Blocks() {
		t.Fatalf("%d used and %d free of %d, %d held", d.pool.Used(), d.pool.Free(), d.pool.Blocks(), len(held))
	}
	if d.pool.names.named != len(d.slow.cache) {
		t.Fatalf("%d named blocks, want %d", d.pool.names.named, len(d.slow.cache))
	}
}

func TestPoolAgainstSlowPool(t *testing.T) {
	for _, order := range []FreeOrder{FreeToTail, FreeUnnamedToHead, FreeUnnamedToHeadIfCaching} {
		for _, caching := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v/caching=%v", order, caching), rapid.MakeCheck(func(t *rapid.T) {
				blocks := rapid.IntRange(0, 40).Draw(t, "blocks")
				d := driver{
					pool: NewPoolOrder(blocks, 16, caching, order),
					slow: newSlowPool(blocks, caching, order),
				}
				t.Repeat(map[string]func(*rapid.T){
					"admit":   d.admit,
					"grow":    d.grow,
					"publish": d.publish,
					"release": d.release,
					"":        d.check,
				})
			}))
		}
	}
}

// Names are compared on their own as well, with hashes that all want the last slot or the first: searches are long and
// go round the end of the table.
func TestNamesWithCrowdedHashes(t *testing.T) {
	const blocks = 12
	probe := newNames(blocks)
	var hashes, high []uint64
	for h := uint64(0); len(hashes) < 3 || len(high) < 3; h++ {
		switch home := probe.home(h); {
		case home == 0 && len(hashes) < 3:
			hashes = append(hashes, h)
		case home == len(probe.slots)-1 && len(high) < 3:
			high = append(high, h)
		}
	}
	hashes = append(hashes, high...)
	rapid.Check(t, func(t *rapid.T) {
		table := newNames(blocks)
		var want []cached
		for range rapid.IntRange(1, 60).Draw(t, "operations") {
			b := Block(rapid.IntRange(1, blocks).Draw(t, "block"))
			at := slices.IndexFunc(want, func(c cached) bool { return c.block == b })
			if at >= 0 {
				table.drop(b)
				want = slices.Delete(want, at, at+1)
			} else {
				h := rapid.SampledFrom(hashes).Draw(t, "name")
				table.add(b, h)
				want = append(want, cached{h, b})
			}
			if err := table.check(); err != nil {
				t.Fatal(err)
			}
			for _, h := range hashes {
				first := Block(0)
				if i := slices.IndexFunc(want, func(c cached) bool { return c.hash == h }); i >= 0 {
					first = want[i].block
				}
				if got := table.find(h); got != first {
					t.Fatalf("find(%d) = %d, want %d", h, got, first)
				}
			}
		}
	})
}

func same(t *rapid.T, what string, want, got []Block) {
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}
