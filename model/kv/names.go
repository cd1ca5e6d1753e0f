package kv

import "math/bits"

// names finds blocks by the hash of their content. Two requests that compute the same prompt side by side publish the
// same content in different blocks; all of them stay findable, in the order in which they were published, because a
// request's blocks must not change under it.
//
// It is a hash table with open addressing over block ids: the hashes lie with the blocks, so a slot is four bytes, and
// neither adding nor dropping allocates.
type names struct {
	entries []entry // by block
	slots   []Block // first block of each hash, 0 where empty; a power of two, at most a quarter full
	shift   uint
	named   int // entries with a name
}

// entry is a block's name and its place in the ring of blocks with that name, in order of publication.
type entry struct {
	hash       uint64
	next, prev Block // itself when alone; 0 while the block has no name
}

func newNames(blocks int) names {
	width := max(bits.Len(uint(4*blocks)), 5)
	return names{
		entries: make([]entry, blocks+1),
		slots:   make([]Block, 1<<width),
		shift:   uint(64 - width + 4),
	}
}

func (t *names) has(b Block) bool { return int(b) < len(t.entries) && t.entries[b].next != 0 }

// home is the slot where the search for a hash begins. A request's blocks have hashes that count up: sixteen in a row
// share a cache line, and the multiplication spreads the lines.
func (t *names) home(hash uint64) int {
	return int((hash>>4)*0x9e3779b97f4a7c15>>t.shift)<<4 | int(hash&15)
}

// slot is where hash is, or the empty slot where it would go.
func (t *names) slot(hash uint64) int {
	mask := len(t.slots) - 1
	for i := t.home(hash); ; i = (i + 1) & mask {
		if b := t.slots[i]; b == 0 || t.entries[b].hash == hash {
			return i
		}
	}
}

// find is the first block published under hash that still holds it, or 0.
func (t *names) find(hash uint64) Block { return t.slots[t.slot(hash)] }

// add names a block that has no name.
func (t *names) add(b Block, hash uint64) {
	t.named++
	i := t.slot(hash)
	first := t.slots[i]
	if first == 0 {
		t.slots[i] = b
		t.entries[b] = entry{hash, b, b}
		return
	}
	last := t.entries[first].prev
	t.entries[b] = entry{hash, first, last}
	t.entries[last].next = b
	t.entries[first].prev = b
}

// drop takes away the name of a block that has one.
func (t *names) drop(b Block) {
	e := t.entries[b]
	t.named--
	t.entries[b].next = 0
	i := t.slot(e.hash)
	if e.next == b {
		t.empty(i)
		return
	}
	t.entries[e.prev].next = e.next
	t.entries[e.next].prev = e.prev
	if t.slots[i] == b {
		t.slots[i] = e.next
	}
}

// empty clears a slot and moves later ones up, so that every search still ends at the first empty slot.
func (t *names) empty(hole int) {
	mask := len(t.slots) - 1
	for i := (hole + 1) & mask; t.slots[i] != 0; i = (i + 1) & mask {
		home := t.home(t.entries[t.slots[i]].hash)
		if (i-home)&mask >= (i-hole)&mask { // the hole lies on this one's way from its home
			t.slots[hole] = t.slots[i]
			hole = i
		}
	}
	t.slots[hole] = 0
}
