package kv

import (
	"fmt"
	"math"
	"slices"
)

// Block is the id of a KV block in one engine's pool. Ids start at 1: 0 is vLLM's null block, which no request gets.
type Block int32

// Hasher names the content of a prompt's blocks: equal values mean equal content of that block and of everything
// before it.
type Hasher interface {
	// BlockHash is the name of the i-th full block when the prompt is cut into blocks of blockSize tokens.
	BlockHash(i, blockSize int) uint64
}

// Pool lends the KV blocks of one engine and remembers what freed blocks still hold. It hands out the same ids in the
// same order as vLLM's block pool does. No method allocates memory except to grow a caller's slice.
type Pool struct {
	nodes     []node // by block; nodes[0] closes the free queue into a ring
	names     names  // of published blocks; empty when prefix caching is off
	blockSize int
	free      int
	peak      int
	caching   bool
	toHead    bool // blocks without a name join the free queue at its head
}

// NewPool returns a pool of blocks that requests may use, all free, in ascending order, which frees to the tail of
// the queue as vLLM did before 0.24. vLLM's own count of GPU blocks is one more: it includes the null block.
func NewPool(blocks, blockSize int, prefixCaching bool) *Pool {
	return NewPoolOrder(blocks, blockSize, prefixCaching, FreeToTail)
}

// NewPoolOrder is NewPool for the free order of another vLLM release.
func NewPoolOrder(blocks, blockSize int, prefixCaching bool, order FreeOrder) *Pool {
	if blocks < 0 || blocks >= math.MaxInt32 || blockSize < 1 {
		panic(fmt.Sprintf("kv: pool of %d blocks of %d tokens", blocks, blockSize))
	}
	p := &Pool{
		nodes:     newRing(blocks),
		blockSize: blockSize,
		free:      blocks,
		caching:   prefixCaching,
		toHead:    order == FreeUnnamedToHead || order == FreeUnnamedToHeadIfCaching && prefixCaching,
	}
	if prefixCaching {
		p.names = newNames(blocks)
	}
	return p
}

// Blocks is the number of blocks that requests can use.
func (p *Pool) Blocks() int { return len(p.nodes) - 1 }

// BlockSize is the number of tokens in a block.
func (p *Pool) BlockSize() int { return p.blockSize }

// Free is the number of blocks without references, cached ones among them.
func (p *Pool) Free() int { return p.free }

// Used is the number of blocks with references.
func (p *Pool) Used() int { return p.Blocks() - p.free }

// Peak is the highest Used so far.
func (p *Pool) Peak() int { return p.peak }

// Lookup appends to dst the longest cached prefix of at most fullBlocks blocks and returns it. It takes no reference:
// the blocks may be gone after the next Allocate unless they are touched first. Where several blocks hold the same
// content, it finds the one that was published first.
func (p *Pool) Lookup(dst []Block, h Hasher, fullBlocks int) []Block {
	if !p.caching {
		return dst
	}
	for i := range fullBlocks {
		b := p.names.find(h.BlockHash(i, p.blockSize))
		if b == 0 {
			break
		}
		dst = append(dst, b)
	}
	return dst
}

// Touch takes a reference to each block. A free block leaves the queue, wherever it stood.
func (p *Pool) Touch(blocks []Block) {
	for _, b := range blocks {
		n := &p.nodes[b]
		if n.refs == 0 {
			p.unlink(n)
			p.free--
		}
		n.refs++
	}
	p.peak = max(p.peak, p.Used())
}

// Allocate takes n blocks from the head of the free queue, with one reference each, and appends them to dst. What
// they had cached is forgotten. It takes all or none.
func (p *Pool) Allocate(dst []Block, n int) ([]Block, bool) {
	if n > p.free {
		return dst, false
	}
	dst = slices.Grow(dst, n)
	b := p.nodes[0].next
	for range n {
		node := &p.nodes[b]
		node.refs = 1
		if p.names.has(b) {
			p.names.drop(b)
		}
		dst = append(dst, b)
		b = node.next
	}
	p.nodes[0].next, p.nodes[b].prev = b, 0
	p.free -= n
	p.peak = max(p.peak, p.Used())
	return dst, true
}

// Publish makes blocks[from:to], which are full now, findable by Lookup. blocks are a request's blocks from its first
// on. A block that has a name already keeps it: it is a hit, or was published before.
func (p *Pool) Publish(blocks []Block, h Hasher, from, to int) {
	if !p.caching {
		return
	}
	for i := from; i < to; i++ {
		if b := blocks[i]; !p.names.has(b) {
			p.names.add(b, h.BlockHash(i, p.blockSize))
		}
	}
}

// Release gives back one reference to each block of a request, last block first, so that a cached prefix loses its
// end before its beginning. Blocks without further references join the free queue where the pool's order says.
func (p *Pool) Release(blocks []Block) {
	front := Block(0) // the next block for the head goes behind this one: those of one call keep their order
	for i := len(blocks) - 1; i >= 0; i-- {
		b := blocks[i]
		n := &p.nodes[b]
		n.refs--
		if n.refs > 0 {
			continue
		}
		if n.refs < 0 {
			panic(fmt.Sprintf("kv: block %d released while free", b))
		}
		if p.toHead && !p.names.has(b) {
			p.insertAfter(front, b)
			front = b
		} else {
			p.insertAfter(p.nodes[0].prev, b)
		}
		p.free++
	}
}

// FreeWithout is the number of free blocks that would remain if hit were touched. vLLM admits a request by this count:
// a cached block that waits in the free queue serves the request, but cannot be lent to it a second time.
func (p *Pool) FreeWithout(hit []Block) int {
	n := p.free
	for _, b := range hit {
		if p.nodes[b].refs == 0 {
			n--
		}
	}
	return n
}
