// Package metric turns what a client saw into the figures of `vllm bench serve`, so that simulated and measured runs
// compare name by name.
//
// The words, for one request that is sent at s, whose n tokens arrive from f to l:
//
//   - TTFT, time to first token: f - s. Queueing, prefill, transfer and the first decode step are all in it.
//   - ITL, inter-token latency: each gap between two tokens that follow each other. A run has n-1 of them per request,
//     so long answers weigh more.
//   - TPOT, time per output token: (l - f)/(n - 1), one value per request that has two tokens or more.
//   - E2EL, end-to-end latency: l - s.
//   - Duration: from the start of the run, not of the first request, to the last completion. Throughputs divide by it.
//
// A [Sample] holds one of these over many requests; a [Collector] holds all of them and makes a [Summary], which has
// vLLM's JSON names. [WriteResult] writes the file of `--save-result`, with or without `--save-detailed`.
//
// Statistics are those of numpy: the mean, the standard deviation of the population, percentiles on the straight line
// between neighbours. Sums are integers, so that a result is the same to the last bit on every machine and for every
// order of requests, and a run of a million requests needs a few megabytes: see [Sample] for what stays exact.
package metric
