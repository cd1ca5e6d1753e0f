package kv

import "fmt"

// Check returns an error when the pool's books do not balance: a block that is neither free once nor referenced, a
// queue whose links disagree, counts that do not add up, a name that cannot be found. It looks at every block.
func (p *Pool) Check() error {
	if err := p.checkQueue(); err != nil {
		return err
	}
	if p.peak < p.Used() || p.peak > p.Blocks() {
		return fmt.Errorf("kv: peak of %d blocks with %d of %d in use", p.peak, p.Used(), p.Blocks())
	}
	if p.caching {
		return p.names.check()
	}
	return nil
}

// checkQueue walks the queue. Links that agree in both directions make it a ring without a shorter loop inside, so
// as many steps as free blocks visit each of them once.
func (p *Pool) checkQueue() error {
	b := Block(0)
	for i := range p.free + 1 {
		next := p.nodes[b].next
		if p.nodes[next].prev != b {
			return fmt.Errorf("kv: block %d follows %d in the free queue but points back to %d", next, b, p.nodes[next].prev)
		}
		if (next == 0) != (i == p.free) {
			return fmt.Errorf("kv: the free queue does not end after %d blocks", p.free)
		}
		if next != 0 && p.nodes[next].refs != 0 {
			return fmt.Errorf("kv: block %d is free and has %d references", next, p.nodes[next].refs)
		}
		b = next
	}
	unreferenced := 0
	for b, n := range p.nodes[1:] {
		if n.refs < 0 {
			return fmt.Errorf("kv: block %d has %d references", b+1, n.refs)
		}
		if n.refs == 0 {
			unreferenced++
		}
	}
	if unreferenced != p.free {
		return fmt.Errorf("kv: %d blocks without references, %d in the free queue", unreferenced, p.free)
	}
	return nil
}

func (t *names) check() error {
	reached := 0
	for i, first := range t.slots {
		if first == 0 {
			continue
		}
		hash := t.entries[first].hash
		if t.slot(hash) != i {
			return fmt.Errorf("kv: the name of block %d cannot be found", first)
		}
		for b := first; ; b = t.entries[b].next {
			e := t.entries[b]
			if e.hash != hash || e.next == 0 || t.entries[e.next].prev != b {
				return fmt.Errorf("kv: block %d is out of the ring of blocks named like %d", b, first)
			}
			if reached++; reached > t.named {
				return fmt.Errorf("kv: more than the %d named blocks are findable", t.named)
			}
			if e.next == first {
				break
			}
		}
	}
	if reached != t.named {
		return fmt.Errorf("kv: %d named blocks, %d findable", t.named, reached)
	}
	return nil
}
