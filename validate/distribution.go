package validate

import (
	"math"

	"pdsim/validate/read"
	"pdsim/validate/stats"
)

// quantities are what is compared request by request.
var quantities = []struct {
	name string
	of   func(r *read.Request) (float64, bool)
}{
	{"ttft_ms", func(r *read.Request) (float64, bool) { return r.FirstToken.Ms(r.Arrival) }},
	{"tpot_ms", func(r *read.Request) (float64, bool) {
		ms, ok := r.Last().Ms(r.FirstToken)
		return ms / float64(max(r.Output-1, 1)), ok && r.Output > 1
	}},
	{"queue_ms", func(r *read.Request) (float64, bool) { return r.Admitted.Ms(r.Arrival) }},
	{"post_ms", func(r *read.Request) (float64, bool) { return r.PostEnd.Ms(r.PostStart) }},
	{"seen_after_post_ms", func(r *read.Request) (float64, bool) { return r.Seen.Ms(r.PostEnd) }},
}

// distributions compares timelines whose requests are in the same order.
func distributions(measured, simulated []read.Request) []Distribution {
	var out []Distribution
	for _, q := range quantities {
		var m, s, differences []float64
		for i := range measured {
			v, ok := q.of(&measured[i])
			if ok {
				m = append(m, v)
			}
			if i >= len(simulated) {
				continue
			}
			w, also := q.of(&simulated[i])
			if also {
				s = append(s, w)
			}
			if ok && also {
				differences = append(differences, math.Abs(w-v))
			}
		}
		d, ok := stats.Compare(m, s)
		if !ok {
			continue
		}
		x := Distribution{Metric: q.name, Measured: d.Measured, Simulated: d.Simulated, KS: Number(d.KS), Requests: Differences{
			Number(stats.Percentile(differences, 50)), Number(stats.Percentile(differences, 90)), Number(stats.Percentile(differences, 100)),
		}}
		for _, k := range d.Quantiles {
			x.Quantiles = append(x.Quantiles, Quantile{Number(k.Percent), Number(k.Measured), Number(k.Simulated), Number(k.Error())})
		}
		out = append(out, x)
	}
	return out
}
