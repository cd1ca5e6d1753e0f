package workload

// Prompt names the content of a prompt, so that prefix caches can tell equal prefixes. It holds no tokens: a prompt is the
// start of an endless sequence that its names determine, and two prompts are equal up to token n when their sequences are.
//
// What the model generates is the rest of the same sequence, as it is when answers depend on prompts only (temperature 0).
// A conversation's next prompt therefore continues the former prompt and its answer under the same ID.
type Prompt struct {
	ID uint64 // content of the part that is the prompt's own

	Prefix       uint64 // content of the part before that
	PrefixTokens int    // the first PrefixTokens tokens are common to all prompts with this Prefix

	// Chunks is the trace form: content of each ChunkTokens tokens and of all before them (Mooncake's hash_ids). Where it
	// reaches, it is used instead of ID and Prefix.
	Chunks      []uint64
	ChunkTokens int // tokens per chunk; 512 in Mooncake's traces
}

// BlockHash names the content of block i, of blockSize tokens, and of all before it: equal for two prompts when their first
// (i+1)*blockSize tokens are equal, and different otherwise, apart from collisions of 64 bits.
//
// A block that contains both prefix and own tokens is the prompt's own. A block that ends within a chunk counts as equal
// only when that whole chunk is: the trace does not say where in a chunk two prompts part, so that a real cache may hit a
// few blocks more (fewer than ChunkTokens/blockSize). Likewise, past the last chunk only the same ID is equal.
func (p *Prompt) BlockHash(i, blockSize int) uint64 {
	end := (i + 1) * blockSize
	if n := len(p.Chunks); n > 0 {
		if chunk := (end - 1) / p.ChunkTokens; chunk < n {
			return hash(kindChunk, p.Chunks[chunk], uint64(end))
		}
		return hash(hash(kindOwn, p.Chunks[n-1], p.ID), 0, uint64(end))
	}
	if p.PrefixTokens == 0 {
		return hash(kindOwn, p.ID, uint64(blockSize)) + uint64(i)
	}
	if end <= p.PrefixTokens {
		return hash(kindPrefix, p.Prefix, uint64(blockSize)) + uint64(i)
	}
	return hash(hash(kindOwn, p.ID, p.Prefix), uint64(p.PrefixTokens), uint64(blockSize)) + uint64(i)
}

// What a hash is of, so that equal numbers of different kinds do not meet.
const (
	kindOwn    = 0x6f776e
	kindPrefix = 0x707265
	kindChunk  = 0x63686b
)

// hash mixes three numbers into one, all bits of each into all of the result.
func hash(a, b, c uint64) uint64 {
	return mix64(mix64(mix64(a)+b) + c)
}

// mix64 is the output function of SplitMix64, a bijection in which each bit of x changes half of the bits.
func mix64(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
