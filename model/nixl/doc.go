// Package nixl models the transfer library below a KV connector: what a transfer costs the thread that posts it, which
// rails its bytes take, when it is complete, and how the other side hears of it.
//
// An [Agent] is one rank of one engine. Ranks of an engine do the same thing at the same time on rails of their own, so
// one of them stands for all. [Net.Post] is the life of a transfer on the posting side:
//
//	prepare  index lists and the request, on the posting thread (not in the library's post time)
//	post     one work request after the other, on the posting thread or handed to the progress thread
//	wire     the bytes on each rail, fed no faster than they are posted, sharing both ends with other transfers
//	landed   the last work request is through on all rails; somebody has to poll to see it
//
// Sources: the NIXL repository, github.com/ai-dynamo/nixl (src/core/nixl_agent.cpp, src/plugins/libfabric,
// src/plugins/ucx), and the threads named in the catalogue beside each cost.
package nixl
