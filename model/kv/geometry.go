package kv

import "fmt"

// Layout says how a layer's keys and values lie in registered memory.
type Layout uint8

const (
	// Split has two regions a layer, one of keys and one of values: vLLM before mid-2026.
	Split Layout = iota
	// Packed has one region a layer; a block's keys and values lie side by side in it: vLLM since.
	Packed
	// CrossLayer has one region in all; a block's layers lie side by side in it.
	CrossLayer
)

var layouts = [...]string{"split", "packed", "cross-layer"}

// String is the word for the layout in a scenario.
func (l Layout) String() string { return word(layouts[:], l) }

// ParseLayout reads the word for a layout: split, packed or cross-layer.
func ParseLayout(s string) (Layout, error) { return parse[Layout]("layout", layouts[:], s) }

// Geometry is how one rank's share of the KV cache is cut into regions and blocks.
type Geometry struct {
	Layout               Layout // split is the same as packed with MLA, which caches one tensor a layer
	Layers               int
	BytesPerTokenPerRank int64 // over all layers, keys and values
	MLA                  bool
	BlockSize            int // tokens in a block
}

// Regions is the number of stretches of memory that have a slot for every block.
func (g Geometry) Regions() int {
	switch {
	case g.Layout == CrossLayer:
		return 1
	case g.Layout == Split && !g.MLA:
		return 2 * g.Layers
	default:
		return g.Layers
	}
}

// BlockBytes is the size of one block in one region on one rank.
func (g Geometry) BlockBytes() int64 {
	return g.BytesPerTokenPerRank * int64(g.BlockSize) / int64(g.Regions())
}

// Extent is what it takes to move a list of blocks from one rank to another.
type Extent struct {
	Raw         int // descriptors before merging: blocks x regions
	Descriptors int // descriptors to post: runs x regions
	Bytes       int64

	Large      int   // descriptors of at least the striping threshold
	LargeBytes int64 // bytes in those

	Smallest, Largest int64 // bytes of a descriptor
}

// Describe counts the descriptors of a transfer between the blocks at equal positions of the two lists. A descriptor
// of at least stripe bytes is Large; none is if stripe is 0. Neighbours merge if dense says that blocks lie without
// gaps on both sides; where one side addresses a slice of a wider page (see Pairing), they never do.
func (g Geometry) Describe(local, remote []Block, stripe int64, dense bool) Extent {
	mustPair(local, remote)
	if len(local) == 0 {
		return Extent{}
	}
	regions, block := g.Regions(), g.BlockBytes()
	e := Extent{Raw: regions * len(local), Bytes: int64(regions*len(local)) * block, Smallest: int64(len(local)) * block}
	start := 0
	for i := 1; i <= len(local); i++ {
		if dense && i < len(local) && adjacent(local, remote, i) {
			continue
		}
		size := int64(i-start) * block
		start = i
		e.Descriptors += regions
		e.Smallest, e.Largest = min(e.Smallest, size), max(e.Largest, size)
		if stripe > 0 && size >= stripe {
			e.Large += regions
			e.LargeBytes += int64(regions) * size
		}
	}
	return e
}

// Runs is the number of pieces into which two lists of blocks fall when cut wherever not both advance by exactly one.
// It is the number of descriptors of a dense transfer in one region.
func Runs(local, remote []Block) int {
	mustPair(local, remote)
	if len(local) == 0 {
		return 0
	}
	runs := 1
	for i := 1; i < len(local); i++ {
		if !adjacent(local, remote, i) {
			runs++
		}
	}
	return runs
}

// adjacent is the transfer library's merge test between list entries i-1 and i.
func adjacent(local, remote []Block, i int) bool {
	return local[i] == local[i-1]+1 && remote[i] == remote[i-1]+1
}

func mustPair(local, remote []Block) {
	if len(local) != len(remote) {
		panic(fmt.Sprintf("kv: transfer between %d and %d blocks", len(local), len(remote)))
	}
}

// Subdivide appends to dst the ids of the smaller blocks that blocks consist of when each is cut into ratio pieces:
// kernel blocks of a larger scheduler block, or a peer's smaller blocks. The pieces of a block are adjacent.
func Subdivide(dst, blocks []Block, ratio int) []Block {
	for _, b := range blocks {
		for i := range ratio {
			dst = append(dst, b*Block(ratio)+Block(i))
		}
	}
	return dst
}
