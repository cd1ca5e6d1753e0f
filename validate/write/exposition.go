package write

import (
	"bytes"
	"fmt"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
)

// Page is the text of one server's /metrics.
type Page struct {
	Engine string // its name, such as "P0"
	Text   []byte
}

// Pages returns the text of every server, prefill servers first. Gauges are of now.
func (m *Metrics) Pages(model string) ([]Page, error) {
	pages := make([]Page, 0, len(m.servers))
	for _, s := range m.servers {
		var b bytes.Buffer
		for _, f := range s.families(model) {
			if _, err := expfmt.MetricFamilyToText(&b, f); err != nil {
				return nil, fmt.Errorf("metrics of %s: %w", s.engine.Name, err)
			}
		}
		pages = append(pages, Page{s.engine.Name, b.Bytes()})
	}
	return pages, nil
}

// families are the server's metrics in the order in which vLLM registers them, those of the connector last.
func (s *server) families(model string) []*dto.MetricFamily {
	labels := []*dto.LabelPair{label("engine", "0"), label("model_name", model)} // each has one engine
	e := s.engine
	s.counters[preemptions] = e.Stats.Preemptions - s.preempted
	out := []*dto.MetricFamily{
		runningGauge.gauge(labels, float64(e.Running())),
		waitingGauge.gauge(labels, float64(e.Unfinished()-e.Running())),
		usageGauge.gauge(labels, float64(e.Pool.Used())/float64(e.Pool.Blocks())),
	}
	for i := range counterFamilies {
		if i < failedTransfers {
			out = append(out, counterFamilies[i].counter(labels, s.counters[i]))
		}
	}
	out = append(out, s.success(labels))
	for i := range histogramFamilies {
		out = append(out, histogramFamilies[i].histogram(labels, &s.histograms[i]))
	}
	for i := failedTransfers; i < counters; i++ {
		out = append(out, counterFamilies[i].counter(labels, s.counters[i]))
	}
	return out
}

// success counts requests by the way in which they ended.
func (s *server) success(labels []*dto.LabelPair) *dto.MetricFamily {
	out := &dto.MetricFamily{Name: new(successName), Help: new(successHelp), Type: dto.MetricType_COUNTER.Enum()}
	for _, why := range reasons {
		with := []*dto.LabelPair{labels[0], label("finished_reason", why), labels[1]}
		out.Metric = append(out.Metric, &dto.Metric{Label: with, Counter: &dto.Counter{Value: new(float64(s.finished[why]))}})
	}
	return out
}

func label(name, value string) *dto.LabelPair { return &dto.LabelPair{Name: &name, Value: &value} }

// one is a family of a single metric.
func (f *family) one(kind dto.MetricType, m *dto.Metric) *dto.MetricFamily {
	return &dto.MetricFamily{Name: &f.name, Help: &f.help, Type: &kind, Metric: []*dto.Metric{m}}
}

func (f *family) gauge(labels []*dto.LabelPair, v float64) *dto.MetricFamily {
	return f.one(dto.MetricType_GAUGE, &dto.Metric{Label: labels, Gauge: &dto.Gauge{Value: &v}})
}

func (f *family) counter(labels []*dto.LabelPair, n int64) *dto.MetricFamily {
	return f.one(dto.MetricType_COUNTER, &dto.Metric{Label: labels, Counter: &dto.Counter{Value: new(float64(n))}})
}

func (f *family) histogram(labels []*dto.LabelPair, h *histogram) *dto.MetricFamily {
	out := &dto.Histogram{SampleSum: new(float64(h.sum) / f.per)}
	below := uint64(0)
	for i, bound := range f.bounds {
		below += h.counts[i]
		out.Bucket = append(out.Bucket, &dto.Bucket{UpperBound: &bound, CumulativeCount: new(below)})
	}
	out.SampleCount = new(below + h.counts[len(f.bounds)]) // the text has the bucket without a bound from it
	return f.one(dto.MetricType_HISTOGRAM, &dto.Metric{Label: labels, Histogram: out})
}
