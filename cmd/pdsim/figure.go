package main

import (
	"strconv"

	"pdsim/scenarios"
)

// figure is one number of a result as tables show it.
type figure struct {
	name   string
	unit   string
	digits int
	gap    bool // zero says that there was nothing to measure
	of     func(r *scenarios.Result) float64
}

// head is the figure's name with its unit.
func (f *figure) head() string {
	if f.unit == "" {
		return f.name
	}
	return f.name + " (" + f.unit + ")"
}

// text is the figure as tables show it.
func (f *figure) text(r *scenarios.Result) string {
	if f.gap && f.of(r) == 0 {
		return "-"
	}
	return strconv.FormatFloat(f.of(r), 'f', f.digits, 64)
}

// ratio is the figure of one result as a multiple of another's, or "-" where that has none.
func (f *figure) ratio(r, of *scenarios.Result) string {
	if f.of(of) == 0 {
		return "-"
	}
	return strconv.FormatFloat(f.of(r)/f.of(of), 'f', 3, 64)
}

// figures are what the table of a run shows, in its order.
var figures = []figure{
	{"TTFT mean", "ms", 1, true, func(r *scenarios.Result) float64 { return r.MeanTTFTMs }},
	{"TTFT median", "ms", 1, true, func(r *scenarios.Result) float64 { return r.MedianTTFTMs }},
	{"TTFT p99", "ms", 1, true, func(r *scenarios.Result) float64 { return r.P99TTFTMs }},
	{"TPOT mean", "ms", 2, true, func(r *scenarios.Result) float64 { return r.MeanTPOTMs }},
	{"TPOT p99", "ms", 2, true, func(r *scenarios.Result) float64 { return r.P99TPOTMs }},
	{"ITL p99", "ms", 2, true, func(r *scenarios.Result) float64 { return r.P99ITLMs }},
	{"throughput", "requests/s", 3, false, func(r *scenarios.Result) float64 { return r.RequestThroughput }},
	{"throughput", "output tokens/s", 1, false, func(r *scenarios.Result) float64 { return r.OutputThroughput }},
	{"completed", "requests", 0, false, func(r *scenarios.Result) float64 { return float64(r.Completed) }},
	{"failed", "requests", 0, false, func(r *scenarios.Result) float64 { return float64(r.Failed) }},
	{"KV post", "ms", 3, true, func(r *scenarios.Result) float64 { return r.KV.AvgPostMs }},
	{"KV transfer", "ms", 3, true, func(r *scenarios.Result) float64 { return r.KV.AvgXferMs }},
	{"KV descriptors", "per transfer", 1, true, func(r *scenarios.Result) float64 { return r.KV.AvgDescriptors }},
	{"KV size", "MB per transfer", 2, true, func(r *scenarios.Result) float64 { return r.KV.AvgMB }},
	{"prefix hits", "% of prompt", 1, false, func(r *scenarios.Result) float64 { return 100 * r.Engine.PrefixHitShare }},
	{"GPU busy, prefill", "%", 1, false, func(r *scenarios.Result) float64 { return 100 * r.Engine.PrefillBusyShare }},
	{"GPU busy, decode", "%", 1, false, func(r *scenarios.Result) float64 { return 100 * r.Engine.DecodeBusyShare }},
	{"running, mean", "requests", 2, false, func(r *scenarios.Result) float64 { return r.Engine.MeanRunning }},
	{"slot wait, mean", "ms", 1, false, func(r *scenarios.Result) float64 { return r.Engine.SlotWaitMs }},
	{"peak, prefill", "blocks", 0, false, func(r *scenarios.Result) float64 { return float64(r.Engine.PeakBlocksPrefill) }},
	{"peak, decode", "blocks", 0, false, func(r *scenarios.Result) float64 { return float64(r.Engine.PeakBlocksDecode) }},
}

// gridFigures are what a sweep compares, most wanted first: a narrow terminal has room for the first ones only.
var gridFigures = []figure{figures[0], figures[3], figures[2], figures[6], figures[5], figures[10], figures[12], figures[17], figures[18]}
