package web

import (
	"net/http"
	"strconv"

	"pdsim/scenarios"
)

// What a run on the page may be. Such a run takes a second or so; larger ones are for the command line.
const (
	mostRequests  = 2_000     // of all iterations, warm-up included
	mostTokens    = 2_000_000 // of all answers
	mostBlocks    = 4 << 20   // of all prompts
	mostInstances = 16        // engines
	mostPool      = 6 << 20   // blocks of all engines that have been given a number
	leastBlock    = 4         // tokens
	mostParts     = 64        // rails of a GPU, threads of a pool
)

// affordable refuses a scenario that would take too long or too much memory.
func affordable(sp *scenarios.Spec) error {
	w := &sp.Workload
	// The first limit is looked at first: products that overflow are of scenarios that it has refused.
	requests := int64(w.Requests) * int64(w.Iterations+w.Warmup) * int64(w.Turns)
	block := int64(min(sp.Prefill.BlockSize, sp.Decode.BlockSize))
	longest := int64(w.InputTokens) + int64(w.PrefixTokens) + int64(w.Turns-1)*int64(w.TurnTokens+w.OutputTokens)
	if w.Kind == "trace" {
		longest = 16_384 // those of the traces that come with pdsim, about
	}
	for _, limit := range []struct {
		what       string
		have, most int64
	}{
		{"requests, of all iterations, warm-up and turns", requests, mostRequests},
		{"output tokens of all requests", requests * int64(w.OutputTokens), mostTokens},
		{"KV blocks of all prompts", requests * (longest / block), mostBlocks},
		{"engines", int64(sp.Prefill.Instances + sp.Decode.Instances), mostInstances},
		{"KV blocks of all engines", int64(sp.Prefill.Instances)*int64(sp.Prefill.KVBlocks) + int64(sp.Decode.Instances)*int64(sp.Decode.KVBlocks), mostPool},
	} {
		if limit.have > limit.most {
			return refuse(http.StatusUnprocessableEntity, "too large for the page: want at most %d %s, have %d; use the command line", limit.most, limit.what, limit.have)
		}
	}
	for _, c := range sp.Costs {
		if c.Path == "gpu.memory" {
			return refuse(http.StatusUnprocessableEntity, "want prefill.kv_blocks and decode.kv_blocks on the page instead of costs.gpu.memory")
		}
		if c.Path != "instance.rails_per_gpu" && c.Path != "backend.pool_threads" {
			continue
		}
		if n, err := strconv.Atoi(c.Value); err != nil || n > mostParts {
			return refuse(http.StatusUnprocessableEntity, "too large for the page: want costs.%s of at most %d, have %s; use the command line", c.Path, mostParts, c.Value)
		}
	}
	if block < leastBlock {
		return refuse(http.StatusUnprocessableEntity, "too large for the page: want blocks of %d tokens or more, have %d; use the command line", leastBlock, block)
	}
	if w.Kind == "trace" && w.Requests == 0 {
		return refuse(http.StatusUnprocessableEntity, "too large for the page: want workload.requests of at most %d instead of the whole trace", mostRequests)
	}
	return nil
}
