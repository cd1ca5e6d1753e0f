// Package kv models the memory that holds keys and values: which blocks a request gets, which come back when, what is
// still cached, and how many descriptors it takes to move a request's blocks to another engine.
//
// # Why the order of blocks matters
//
// An engine cuts its KV memory into blocks of a fixed number of tokens. A request's blocks may lie anywhere. To send
// them, the engine lists them, and the transfer library merges neighbours in that list into one descriptor when the
// next block lies right behind the previous one on both engines. A request of 1,024 blocks in one piece costs 64
// descriptors in a model of 64 layers; the same request in scattered blocks costs 65,536. Posting is paid by the
// descriptor, so the history of allocations decides how long a transfer takes to post. That history cannot be
// guessed by a fragmentation factor: it is replayed here, block by block, in vLLM's order.
//
// # The words
//
//   - A [Block] is an id in one engine's [Pool]. Block 0 is vLLM's placeholder (its null block), never lent.
//   - The free queue holds the blocks without references. Allocation takes from its head. Where freed blocks join is
//     the [FreeOrder], which differs between vLLM releases.
//   - A block is named, or published, once it is full and its content can be found by others: the name is a hash of
//     its tokens and of all tokens before (see [Hasher]). A free block keeps its name until it is lent out again.
//   - A region is one stretch of registered memory with a slot for every block. A [Layout] has one or two regions for
//     each layer, or one for all. A transfer lists every block once in every region.
//   - A run is a longest piece of a block list that advances by one on both sides; merging turns it into one
//     descriptor in each region. [Geometry.Describe] counts them.
//   - A [Pairing] says which ranks talk to which when the two engines split the model over different numbers of GPUs.
//
// # What comes out
//
// In a fresh pool blocks ascend and a request is one run. A finished request gives its blocks back last block first,
// so whoever gets them next gets them in descending order, and descending blocks never merge. Give them back once
// more and they ascend again. Requests that run side by side interleave the blocks they grow by, and cut each other's
// runs for good. None of this is put in by hand; the tests of this package show each case.
//
// # Limits
//
// One group of layers with full attention: no sliding windows, no state-space layers, no blocks shared by several
// groups. Hashes never collide. Speculative slots are the scheduler's to ask for.
package kv
