package read

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// Scrape is the text of one look at a server's /metrics. Counts and sums are since the server's start; Minus makes those
// of an interval.
type Scrape struct {
	Histograms []Histogram // in order of name and labels
	Values     []Value     // counters and gauges, in the same order
}

// Value is a counter or a gauge.
type Value struct {
	Name   string
	Labels map[string]string
	Value  float64
}

// Histogram is a cumulative histogram.
type Histogram struct {
	Name    string
	Labels  map[string]string
	Count   float64
	Sum     float64  // in the unit of the name, mostly seconds
	Buckets []Bucket // by rising bound
}

// Bucket counts what was not above its bound.
type Bucket struct {
	Bound float64 // +Inf in the last one
	Count float64
}

// ScrapeNames are the families of vLLM's metrics by what they measure, the present name first and then older ones.
var ScrapeNames = map[string][]string{
	"ttft":        {"vllm:time_to_first_token_seconds"},
	"itl":         {"vllm:inter_token_latency_seconds", "vllm:time_per_output_token_seconds"},
	"tpot":        {"vllm:request_time_per_output_token_seconds"},
	"e2el":        {"vllm:e2e_request_latency_seconds", "vllm:e2e_request_latency"},
	"queue":       {"vllm:request_queue_time_seconds", "vllm:time_in_queue_requests"},
	"prefill":     {"vllm:request_prefill_time_seconds"},
	"decode":      {"vllm:request_decode_time_seconds"},
	"xfer":        {"vllm:nixl_xfer_time_seconds"},
	"post":        {"vllm:nixl_post_time_seconds"},
	"bytes":       {"vllm:nixl_bytes_transferred"},
	"descriptors": {"vllm:nixl_num_descriptors"},
	"failed":      {"vllm:nixl_num_failed_transfers", "vllm:nixl_num_failed_transfers_total"},
	"lost":        {"vllm:nixl_num_failed_notifications", "vllm:nixl_num_failed_notifications_total"},
	"expired":     {"vllm:nixl_num_kv_expired_reqs", "vllm:nixl_num_kv_expired_reqs_total"},
}

const (
	longestScrape = 64 << 20
	mostBadLines  = 100 // each costs another parse
)

// ReadScrape reads Prometheus text. What [ScrapeNames] knows and the text does not have is in Notes.Missing.
func ReadScrape(name string, r io.Reader, opt Options) (*Scrape, *Notes, error) {
	s := newSource(name, opt)
	in, err := plain(r)
	if err != nil {
		return nil, s.notes, s.at(1, err)
	}
	text, err := io.ReadAll(io.LimitReader(in, longestScrape+1))
	if err != nil {
		return nil, s.notes, s.at(1+strings.Count(string(text), "\n"), err)
	}
	if len(text) > longestScrape {
		return nil, s.notes, fmt.Errorf("%s: want at most %d bytes", name, longestScrape)
	}
	rows := strings.SplitAfter(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
	if last := len(rows) - 1; rows[last] != "" {
		rows[last] += "\n" // the format wants it, and a file cut by hand may lack it
	}
	for {
		parser := expfmt.NewTextParser(model.UTF8Validation)
		families, err := parser.TextToMetricFamilies(strings.NewReader(strings.Join(rows, "")))
		if err == nil {
			return s.scrape(families), s.notes, nil
		}
		line, what := scrapeError(err)
		if s.notes.Malformed == mostBadLines || line < 1 || line > len(rows) || rows[line-1] == "\n" {
			return nil, s.notes, s.at(max(line, 1), what)
		}
		if err := s.bad(line, what); err != nil {
			return nil, s.notes, err
		}
		rows[line-1] = "\n"
	}
}

var scrapeLine = regexp.MustCompile(`^text format parsing error in line (\d+): `)

// scrapeError takes the line out of the parser's error.
func scrapeError(err error) (line int, what error) {
	text := err.Error()
	m := scrapeLine.FindStringSubmatch(text)
	if m == nil {
		return 0, err
	}
	line, _ = strconv.Atoi(m[1])
	return line, errors.New(text[len(m[0]):])
}

// scrape takes over what was parsed.
func (s *source) scrape(families map[string]*dto.MetricFamily) *Scrape {
	out := &Scrape{}
	for _, name := range slices.Sorted(maps.Keys(families)) {
		for _, m := range families[name].GetMetric() {
			labels := map[string]string{}
			for _, l := range m.GetLabel() {
				labels[l.GetName()] = l.GetValue()
			}
			if h := m.GetHistogram(); h != nil {
				out.Histograms = append(out.Histograms, s.histogram(name, labels, h))
				continue
			}
			v := m.GetCounter().GetValue() + m.GetGauge().GetValue() + m.GetUntyped().GetValue()
			if math.IsNaN(v) || math.IsInf(v, 0) {
				s.notes.NonFinite++
				continue
			}
			out.Values = append(out.Values, Value{name, labels, v})
		}
	}
	s.notes.Records = len(out.Histograms) + len(out.Values)
	for what, names := range ScrapeNames {
		if !slices.ContainsFunc(names, func(n string) bool { return families[n] != nil }) {
			s.notes.lack(what, 1)
		}
	}
	return out
}

func (s *source) histogram(name string, labels map[string]string, h *dto.Histogram) Histogram {
	out := Histogram{Name: name, Labels: labels, Count: float64(h.GetSampleCount()), Sum: h.GetSampleSum()}
	if math.IsNaN(out.Sum) || math.IsInf(out.Sum, 0) {
		s.notes.NonFinite++
		out.Sum = 0
		out.Count = 0
	}
	for _, b := range h.GetBucket() {
		out.Buckets = append(out.Buckets, Bucket{b.GetUpperBound(), float64(b.GetCumulativeCount())})
	}
	slices.SortFunc(out.Buckets, func(a, b Bucket) int {
		if a.Bound < b.Bound {
			return -1
		}
		return 1
	})
	if out.Count > 0 && out.Sum == 0 {
		s.notes.ZeroDuration++
	}
	return out
}
