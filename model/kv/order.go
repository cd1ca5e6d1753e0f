package kv

import (
	"fmt"
	"strings"
)

// FreeOrder says where blocks join the free queue when their last reference goes. vLLM changed this more than once,
// and it decides after how much work a pool starts to hand out descending blocks, so it is a switch.
type FreeOrder uint8

const (
	// FreeToTail puts every freed block at the tail, last block of the request first: vLLM before 0.24. A pool is
	// used up from end to end before a block is used again.
	FreeToTail FreeOrder = iota

	// FreeUnnamedToHead puts blocks that carry no name at the head, where the next allocation finds them, and named
	// ones at the tail: vLLM 0.24, and again from August 2026 on. Without prefix caching no block has a name, so the
	// blocks freed last are used first.
	FreeUnnamedToHead

	// FreeUnnamedToHeadIfCaching is FreeUnnamedToHead with prefix caching and FreeToTail without: vLLM from July to
	// August 2026, 0.27 among them.
	FreeUnnamedToHeadIfCaching
)

var freeOrders = [...]string{"tail", "split", "split-if-caching"}

// String is the word for the order in a scenario.
func (o FreeOrder) String() string { return word(freeOrders[:], o) }

// ParseFreeOrder reads the word for an order: tail, split or split-if-caching.
func ParseFreeOrder(s string) (FreeOrder, error) {
	return parse[FreeOrder]("free order", freeOrders[:], s)
}

func word[T ~uint8](words []string, v T) string {
	if int(v) < len(words) {
		return words[v]
	}
	return fmt.Sprintf("%T(%d)", v, uint8(v))
}

func parse[T ~uint8](what string, words []string, s string) (T, error) {
	for i, w := range words {
		if w == s {
			return T(i), nil
		}
	}
	return 0, fmt.Errorf("%s: want one of %s, have %q", what, strings.Join(words, ", "), s)
}
