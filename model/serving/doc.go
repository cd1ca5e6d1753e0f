// Package serving models the serving side of disaggregated inference: engines with their scheduler and step loop, the
// router in front of them, the client that watches tokens come in, and the hooks by which a protocol moves KV between
// engines.
//
// A [Cluster] holds prefill and decode [Engine]s on one [nixl.Net]. Its [Client] plays a [workload.Source]: each arrival
// becomes a [Request], which the [Protocol] takes from the router through up to two [Leg]s, its lives in a prefill and in
// a decode engine, to its last token.
//
// # The step
//
// An engine is a loop; between the two ends of a step nothing happens. A step is scheduled (schedule.go), sent to the
// worker, and on its main thread consists of the connector's work and the forward's launch, in the order that the
// version has, and one poll. Its output is there when GPU and main thread are both through (step.go); then tokens,
// finished requests and what the poll has seen are processed (update.go). With asynchronous scheduling two steps are in
// flight. A step without connector work costs one event, and none while nothing else is pending.
//
// # Causes
//
// A leg knows what it met last: a hop, a step, a transfer seen by a poll (trail.go). With a recorder attached, a request's
// Tail is the span that ends with its first token, and the causes behind it tile its time to first token. What a request
// waits for between two pieces of work is a span too, named by its reason: a step boundary, a slot, blocks, the poll.
package serving
