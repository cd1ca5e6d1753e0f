package kv

import "fmt"

// Pairing says how the ranks of two engines with different tensor parallelism share a transfer. It is written for the
// posting rank: decode reads, or prefill writes.
type Pairing struct {
	// Handles is the number of remote ranks that one posting rank has a transfer with, each over all blocks.
	Handles int

	// Slices is into how many parts a page of the posting rank is cut: a descriptor carries one of them.
	Slices int

	// Dense says that a descriptor covers the whole page on both sides, so that adjacent blocks merge. Where one side
	// addresses the heads it needs inside a wider page, its blocks lie apart and nothing merges.
	Dense bool

	// Notifications is how many completion notices one rank of the other side counts before it is done with a request:
	// a prefill rank that was read, or a decode rank that was written to.
	Notifications int

	write, gather bool // gather: several prefill ranks for each decode rank
}

// Pair works out the pairing. kvHeads is the model's number of KV heads, which tensor parallelism spreads over ranks
// and repeats when there are more ranks than heads; with MLA every rank holds the same and kvHeads does not matter.
// write says that prefill writes; otherwise decode reads.
//
// Where heads are repeated on one side only, a reader takes one rank for each distinct share of the heads, and a
// writer fills every rank. That is what the data needs; how vLLM handles this case is not documented.
func Pair(prefillTP, decodeTP, kvHeads int, mla, write bool) (Pairing, error) {
	if prefillTP < 1 || decodeTP < 1 {
		return Pairing{}, fmt.Errorf("tensor parallelism: want 1 or more, have %d for prefill and %d for decode", prefillTP, decodeTP)
	}
	if max(prefillTP, decodeTP)%min(prefillTP, decodeTP) != 0 {
		return Pairing{}, fmt.Errorf("tensor parallelism: want one a multiple of the other, have %d for prefill and %d for decode", prefillTP, decodeTP)
	}
	prefillShares, decodeShares := 1, 1 // distinct pages: with MLA all ranks hold the same one
	if !mla {
		for _, tp := range []int{prefillTP, decodeTP} {
			if kvHeads < 1 || max(tp, kvHeads)%min(tp, kvHeads) != 0 {
				return Pairing{}, fmt.Errorf("tensor parallelism: want %d KV heads spread evenly, have %d ranks", kvHeads, tp)
			}
		}
		prefillShares, decodeShares = min(prefillTP, kvHeads), min(decodeTP, kvHeads)
	}

	p := Pairing{Handles: 1, Dense: prefillShares == decodeShares, write: write, gather: prefillTP > decodeTP}
	if write {
		p.Handles = max(1, decodeTP/prefillTP)
		p.Slices = max(1, decodeShares/prefillShares)
		p.Notifications = max(1, prefillTP/decodeTP)
	} else {
		p.Handles = max(1, prefillShares/decodeShares)
		p.Slices = p.Handles
		p.Notifications = max(1, decodeTP/prefillTP)
	}
	return p, nil
}

// Slice is the geometry of one of the posting rank's transfers: g is that rank's own, with pages cut into Slices.
func (p Pairing) Slice(g Geometry) Geometry {
	g.BytesPerTokenPerRank /= int64(p.Slices)
	return g
}

// MatchBlocks says how many prefill blocks one decode block holds, or why the two sizes cannot be paired. A reader
// addresses its own larger blocks in pieces of the writer's size (see Subdivide) and rearranges them afterwards,
// which it cannot do while it gathers from several ranks. A writer and the engine it writes to disagree about who
// cuts, so writing takes equal sizes.
func MatchBlocks(p Pairing, prefillSize, decodeSize int) (int, error) {
	switch {
	case prefillSize < 1 || decodeSize < 1:
		return 0, fmt.Errorf("block size: want 1 or more, have %d for prefill and %d for decode", prefillSize, decodeSize)
	case prefillSize == decodeSize:
		return 1, nil
	case p.write:
		return 0, fmt.Errorf("block size: want equal sizes when prefill writes, have %d for prefill and %d for decode", prefillSize, decodeSize)
	case p.gather:
		return 0, fmt.Errorf("block size: want equal sizes when prefill has more ranks than decode, have %d for prefill and %d for decode", prefillSize, decodeSize)
	case decodeSize%prefillSize != 0:
		return 0, fmt.Errorf("block size: want decode's a multiple of prefill's, have %d for prefill and %d for decode", prefillSize, decodeSize)
	}
	return decodeSize / prefillSize, nil
}
