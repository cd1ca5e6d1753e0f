package kv

// node is one block's place in the free queue. Links are block ids, so a pool of a million blocks takes 12 MB and the
// garbage collector has nothing to follow.
type node struct {
	next, prev Block // meaningful while refs is 0
	refs       int32 // 0 exactly while the block is in the free queue
}

// newRing links blocks 1..n in ascending order into a ring closed by block 0, which stands for both ends.
func newRing(n int) []node {
	ring := make([]node, n+1)
	for i := range ring {
		ring[i] = node{next: Block(i + 1), prev: Block(i - 1)}
	}
	ring[0].prev, ring[n].next = Block(n), 0
	return ring
}

func (p *Pool) unlink(n *node) {
	p.nodes[n.prev].next = n.next
	p.nodes[n.next].prev = n.prev
}

func (p *Pool) insertAfter(prev, b Block) {
	next := p.nodes[prev].next
	n := &p.nodes[b]
	n.prev, n.next = prev, next
	p.nodes[prev].next = b
	p.nodes[next].prev = b
}
