package metric

import "math"

// Summary is the result of a run with the names and meanings of `vllm bench serve --save-result`. Numbers are rounded to
// six decimals. It reads such files too; percentiles that a file lacks are then zero.
type Summary struct {
	Duration             float64  `json:"duration"`                // seconds from the start of the run to the last completion
	Completed            int      `json:"completed"`               // requests answered
	Failed               int      `json:"failed"`                  // requests not answered
	TotalInputTokens     int64    `json:"total_input_tokens"`      // prompt tokens of completed requests
	TotalOutputTokens    int64    `json:"total_output_tokens"`     // tokens of their answers
	RequestThroughput    float64  `json:"request_throughput"`      // completed requests per second of the duration
	RequestGoodput       *float64 `json:"request_goodput"`         // those within the SLO per second; null without an SLO
	OutputThroughput     float64  `json:"output_throughput"`       // output tokens per second
	TotalTokenThroughput float64  `json:"total_token_throughput"`  // input and output tokens per second
	MaxOutputTokensPerS  float64  `json:"max_output_tokens_per_s"` // most output tokens in any one-second bucket
	// MaxConcurrentRequests is the most completed requests in flight at one instant. Older versions of vLLM counted a
	// request in every second that it touched and took the busiest second, which gives more.
	MaxConcurrentRequests int `json:"max_concurrent_requests"`

	MeanTTFTMs   float64 `json:"mean_ttft_ms"`   // time to first token, ms: mean
	MedianTTFTMs float64 `json:"median_ttft_ms"` // median
	StdTTFTMs    float64 `json:"std_ttft_ms"`    // standard deviation of the population
	P90TTFTMs    float64 `json:"p90_ttft_ms"`    // 90th percentile
	P95TTFTMs    float64 `json:"p95_ttft_ms"`    // 95th percentile
	P99TTFTMs    float64 `json:"p99_ttft_ms"`    // 99th percentile

	MeanTPOTMs   float64 `json:"mean_tpot_ms"`   // time per output token after the first, a value per request, ms: mean
	MedianTPOTMs float64 `json:"median_tpot_ms"` // median
	StdTPOTMs    float64 `json:"std_tpot_ms"`    // standard deviation of the population
	P90TPOTMs    float64 `json:"p90_tpot_ms"`    // 90th percentile
	P95TPOTMs    float64 `json:"p95_tpot_ms"`    // 95th percentile
	P99TPOTMs    float64 `json:"p99_tpot_ms"`    // 99th percentile

	MeanITLMs   float64 `json:"mean_itl_ms"`   // gap between tokens, a value per gap, ms: mean
	MedianITLMs float64 `json:"median_itl_ms"` // median
	StdITLMs    float64 `json:"std_itl_ms"`    // standard deviation of the population
	P90ITLMs    float64 `json:"p90_itl_ms"`    // 90th percentile
	P95ITLMs    float64 `json:"p95_itl_ms"`    // 95th percentile
	P99ITLMs    float64 `json:"p99_itl_ms"`    // 99th percentile

	MeanE2ELMs   float64 `json:"mean_e2el_ms"`   // time to the last token, ms: mean
	MedianE2ELMs float64 `json:"median_e2el_ms"` // median
	StdE2ELMs    float64 `json:"std_e2el_ms"`    // standard deviation of the population
	P90E2ELMs    float64 `json:"p90_e2el_ms"`    // 90th percentile
	P95E2ELMs    float64 `json:"p95_e2el_ms"`    // 95th percentile
	P99E2ELMs    float64 `json:"p99_e2el_ms"`    // 99th percentile
}

// Summary returns the statistics of what has been added so far. Those of an empty sample are zero, as vLLM has it; so are
// the rates of a run that took no time.
func (c *Collector) Summary() Summary {
	seconds := c.last.Sub(c.start).Seconds()
	rate := func(n float64) float64 {
		if seconds <= 0 {
			return 0
		}
		return round6(n / seconds)
	}
	s := Summary{
		Duration:              round6(seconds),
		Completed:             c.Completed(),
		Failed:                c.failed,
		TotalInputTokens:      int64(c.input),
		TotalOutputTokens:     int64(c.output),
		RequestThroughput:     rate(float64(c.Completed())),
		OutputThroughput:      rate(float64(c.output)),
		TotalTokenThroughput:  rate(float64(c.input + c.output)),
		MaxOutputTokensPerS:   float64(c.tokens.max()),
		MaxConcurrentRequests: c.open.live,
	}
	if c.slo != nil {
		good := rate(float64(c.good))
		s.RequestGoodput = &good
	}
	fill(&c.TTFT, &s.MeanTTFTMs, &s.MedianTTFTMs, &s.StdTTFTMs, &s.P90TTFTMs, &s.P95TTFTMs, &s.P99TTFTMs)
	fill(&c.TPOT, &s.MeanTPOTMs, &s.MedianTPOTMs, &s.StdTPOTMs, &s.P90TPOTMs, &s.P95TPOTMs, &s.P99TPOTMs)
	fill(&c.ITL, &s.MeanITLMs, &s.MedianITLMs, &s.StdITLMs, &s.P90ITLMs, &s.P95ITLMs, &s.P99ITLMs)
	fill(&c.E2EL, &s.MeanE2ELMs, &s.MedianE2ELMs, &s.StdE2ELMs, &s.P90E2ELMs, &s.P95E2ELMs, &s.P99E2ELMs)
	return s
}

// fill sets the six statistics of a sample, in milliseconds.
func fill(from *Sample, mean, median, std, p90, p95, p99 *float64) {
	*mean = round6(from.Mean())
	*median = round6(from.Median())
	*std = round6(from.Std())
	*p90 = round6(from.Percentile(90))
	*p95 = round6(from.Percentile(95))
	*p99 = round6(from.Percentile(99))
}

// round6 rounds to six decimals: a nanosecond in a figure in milliseconds.
func round6(x float64) float64 { return math.Round(x*1e6) / 1e6 }
