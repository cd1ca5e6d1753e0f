package validate

import (
	"bytes"
	"fmt"
	"regexp"

	"pdsim/validate/stats"
)

// aim is how near pdsim wants to come to some figures that nothing was fitted to, in percent.
type aim struct {
	what          string
	family        string
	points        string  // regular expression that names of points match
	metrics       string  // regular expression that names of figures match
	median, worst float64 // 0: not asked for
}

var aims = []aim{
	{"transfers: mean post", "transfers", "", `^kv.avg_post_ms$`, 8, 0},
	{"transfers: mean transfer time", "transfers", "", `^kv.avg_xfer_ms$`, 8, 0},
	{"serve: TTFT", "serve", "", `_ttft_ms$`, 10, 30},
	{"serve: TPOT", "serve", "", `_tpot_ms$`, 10, 30},
	{"serve: ITL p99", "serve", "", `^p99_itl_ms$`, 10, 30},
	{"serve: throughput", "serve", "", `_throughput$`, 10, 30},
	{"4090: parts of TTFT", "4090", `^(512|8192)$`, `^(phase\..*|mean_ttft_ms)$`, 5, 0},
	{"4090: loads below saturation", "4090", `at (5\.2|7\.8|0\.45)/s$`, `^(median_ttft_ms|median_tpot_ms|median_itl_ms|median_e2el_ms|kv.avg_xfer_ms)$`, 15, 0},
	{"4090: throughput at saturation", "4090", `^pull .*(at (9\.3|10\.9|0\.68|0\.81|0\.95)/s|closed loop \d+)$`, `^request_throughput$`, 5, 0},
	{"published figures", "published", "", `^mean_`, 15, 0},
	{"rig: TTFT", "rig", "", `^mean_ttft_ms$`, 3, 8},
	{"rig: TPOT", "rig", "", `^mean_tpot_ms$`, 1, 0},
}

// writeAims writes what was aimed at beside what is reached.
func (r *Report) writeAims(out *bytes.Buffer) {
	t := Table{Head: []string{"figures", "points", "median error (%)", "aim", "worst (%)", "aim", "bias (%)", "reached"}}
	for i := range aims {
		a := &aims[i]
		e := stats.Sum(a.pairs(r))
		reached := "yes"
		if a.median > 0 && !(e.Median <= a.median) || a.worst > 0 && !(e.Worst <= a.worst) {
			reached = "no"
		}
		t.Rows = append(t.Rows, []string{
			a.what, fmt.Sprint(e.Points), percent(Number(e.Median)), limit(a.median), percent(Number(e.Worst)), limit(a.worst), signed(Number(e.Bias)), reached,
		})
	}
	t.markdown(out)
}

func limit(percent float64) string {
	if percent == 0 {
		return ""
	}
	return fmt.Sprint(percent)
}

// pairs are the judged figures that an aim is about.
func (a *aim) pairs(r *Report) []stats.Pair {
	points, metrics := regexp.MustCompile(a.points), regexp.MustCompile(a.metrics)
	var out []stats.Pair
	for i := range r.Cases {
		if r.Cases[i].Family != a.family {
			continue
		}
		for _, p := range r.Cases[i].Points {
			for _, f := range p.Figures {
				if f.Judged && points.MatchString(p.Name) && metrics.MatchString(f.Metric) {
					out = append(out, stats.Pair{Measured: float64(f.Measured), Simulated: float64(f.Simulated)})
				}
			}
		}
	}
	return out
}
