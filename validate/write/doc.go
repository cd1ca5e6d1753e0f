// Package write writes simulated runs down in the words of measured ones, so that both are looked at with the same tools.
// Package read reads all of it back.
//
//   - [Request] is a request's line in a timeline.
//   - [KVLog] is the lines "KV Transfer metrics:" of the servers' logs.
//   - [Metrics] is the Prometheus text of the servers' /metrics.
//
// A KVLog and Metrics are told of a run by the functions of scenarios.Options. Names, buckets, number formats and who counts
// what are vLLM's, from vllm/v1/metrics/loggers.py and its NIXL connector's stats.py; where a simulated server knows less
// than a real one, the comment says so. Nothing depends on the wall clock: times are those of the simulation.
package write
