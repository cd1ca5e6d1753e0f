package kv

import "hash/fnv"

// text is a prompt of one-letter blocks, whatever their size in tokens.
type text string

func (t text) BlockHash(i, blockSize int) uint64 {
	h := fnv.New64a()
	h.Write([]byte(t[:i+1]))
	return h.Sum64()
}

// queue lists the free blocks from the head on.
func queue(p *Pool) []Block {
	var q []Block
	for b := p.nodes[0].next; b != 0; b = p.nodes[b].next {
		q = append(q, b)
	}
	return q
}

// span is n blocks from first on, ascending.
func span(first Block, n int) []Block {
	s := make([]Block, n)
	for i := range s {
		s[i] = first + Block(i)
	}
	return s
}
