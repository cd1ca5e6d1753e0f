package write

// family is a histogram, counter or gauge of vLLM's /metrics.
type family struct {
	name, help string
	bounds     []float64 // of a histogram
	per        float64   // how many of what is added up, in whole numbers, make one in the unit of the name
}

// Histograms.
const (
	ttft = iota
	itl
	tpot
	e2el
	queued
	inference
	prefill
	decode
	xfer
	post
	moved
	descriptors
	histograms // their number
)

// nano is a time that is added up in nanoseconds and told in seconds.
const nano = 1e9

var (
	ttftBounds    = []float64{.001, .005, .01, .02, .04, .06, .08, .1, .25, .5, .75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640, 2560}
	tokenBounds   = []float64{.01, .025, .05, .075, .1, .15, .2, .3, .4, .5, .75, 1, 2.5, 5, 7.5, 10, 20, 40, 80}
	latencyBounds = []float64{.3, .5, .8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680}
	xferBounds    = []float64{.005, .01, .025, .05, .075, .1, .2, .3, .5, .75, 1, 5}
	postBounds    = append([]float64{.001}, xferBounds...)
	bytesBounds   = []float64{1 << 11, 1 << 13, 1 << 15, 1 << 17, 1 << 19, 1 << 21, 1 << 23, 1 << 25, 1 << 27, 1 << 29, 1 << 31, 1 << 33}
	descBounds    = []float64{10, 20, 30, 50, 75, 100, 200, 400, 1000, 2000, 4000, 10000, 20000, 50000}
)

var histogramFamilies = [histograms]family{
	ttft:        {"vllm:time_to_first_token_seconds", "Histogram of time to first token in seconds.", ttftBounds, nano},
	itl:         {"vllm:inter_token_latency_seconds", "Histogram of inter-token latency in seconds.", tokenBounds, nano},
	tpot:        {"vllm:request_time_per_output_token_seconds", "Histogram of time_per_output_token_seconds per request.", tokenBounds, nano},
	e2el:        {"vllm:e2e_request_latency_seconds", "Histogram of e2e request latency in seconds.", latencyBounds, nano},
	queued:      {"vllm:request_queue_time_seconds", "Histogram of time spent in WAITING phase for request.", latencyBounds, nano},
	inference:   {"vllm:request_inference_time_seconds", "Histogram of time spent in RUNNING phase for request.", latencyBounds, nano},
	prefill:     {"vllm:request_prefill_time_seconds", "Histogram of time spent in PREFILL phase for request.", latencyBounds, nano},
	decode:      {"vllm:request_decode_time_seconds", "Histogram of time spent in DECODE phase for request.", latencyBounds, nano},
	xfer:        {"vllm:nixl_xfer_time_seconds", "Histogram of transfer duration for NIXL KV Cache transfers.", xferBounds, nano},
	post:        {"vllm:nixl_post_time_seconds", "Histogram of transfer post time for NIXL KV Cache transfers.", postBounds, nano},
	moved:       {"vllm:nixl_bytes_transferred", "Histogram of bytes transferred per NIXL KV Cache transfers.", bytesBounds, 1},
	descriptors: {"vllm:nixl_num_descriptors", "Histogram of number of descriptors per NIXL KV Cache transfers.", descBounds, 1},
}

// Counters.
const (
	promptTokens = iota
	generationTokens
	prefixQueries
	prefixHits
	externalQueries
	externalHits
	preemptions
	failedTransfers
	lostNotes
	expiredLeases
	counters // their number
)

var counterFamilies = [counters]family{
	promptTokens:     {name: "vllm:prompt_tokens_total", help: "Number of prefill tokens processed."},
	generationTokens: {name: "vllm:generation_tokens_total", help: "Number of generation tokens processed."},
	prefixQueries:    {name: "vllm:prefix_cache_queries_total", help: "Prefix cache queries, in terms of number of queried tokens."},
	prefixHits:       {name: "vllm:prefix_cache_hits_total", help: "Prefix cache hits, in terms of number of cached tokens."},
	externalQueries: {name: "vllm:external_prefix_cache_queries_total",
		help: "External prefix cache queries from KV connector cross-instance cache sharing, in terms of number of queried tokens."},
	externalHits: {name: "vllm:external_prefix_cache_hits_total",
		help: "External prefix cache hits from KV connector cross-instance cache sharing, in terms of number of cached tokens."},
	preemptions:     {name: "vllm:num_preemptions_total", help: "Cumulative number of preemption from the engine."},
	failedTransfers: {name: "vllm:nixl_num_failed_transfers_total", help: "Number of failed NIXL KV Cache transfers."},
	lostNotes:       {name: "vllm:nixl_num_failed_notifications_total", help: "Number of failed NIXL KV Cache notifications."},
	expiredLeases:   {name: "vllm:nixl_num_kv_expired_reqs_total", help: "Number of requests that had their KV expire."},
}

// reasons are the values of finished_reason, in the order in which vLLM has them.
var reasons = []string{"stop", "length", "abort", "error"}

const (
	successName = "vllm:request_success_total"
	successHelp = "Count of successfully processed requests."
)

var (
	runningGauge = family{name: "vllm:num_requests_running", help: "Number of requests in model execution batches."}
	waitingGauge = family{name: "vllm:num_requests_waiting", help: "Number of requests waiting to be processed."}
	usageGauge   = family{name: "vllm:kv_cache_usage_perc", help: "KV-cache usage. 1 means 100 percent usage."}
)
