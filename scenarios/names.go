package scenarios

import (
	"reflect"
	"slices"

	"pdsim/model/workload"
	"pdsim/protocols"
)

// The words that keys take where no catalogue has them.
var (
	computeModels = []string{"auto", "kernels", "fitted", "measured", "roofline", "free"}
	kvLayouts     = []string{"split", "packed", "cross-layer"}
	merges        = []string{"neighbours", "never", "always"}
	freeOrders    = []string{"tail", "split", "split-if-caching"}
	notifications = []string{"auto", "data", "poll"}
	posters       = []string{"auto", "caller", "pool", "progress-thread"}
	policies      = []string{"round-robin", "least-loaded"}
	dispatches    = []string{"concurrent", "sequential"}
	kinds         = []string{"synthetic", "trace"}
)

// longestTime is the longest time that a key takes, about a month: sums of times stay far from overflowing.
const longestTime = "1000h"

func protocolNames() []string {
	var names []string
	for _, p := range protocols.All() {
		names = append(names, p.Name())
	}
	return names
}

func traceFormats() []string {
	var names []string
	for _, f := range workload.Formats() {
		names = append(names, string(f))
	}
	return names
}

// optional is words with the empty one besides.
type optional struct{ words }

func orNothing(names func() []string) rule { return optional{names} }

func (r optional) allows(v reflect.Value) bool {
	return v.String() == "" || slices.Contains(r.words(), v.String())
}
