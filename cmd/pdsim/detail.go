package main

import (
	"cmp"
	"io"
	"math"
	"slices"

	"pdsim/model/metric"
	"pdsim/model/serving"
	"pdsim/scenarios"
	"pdsim/sim"
)

// detailLog keeps what vllm bench serve tells of each request of a job.
type detailLog struct {
	spec     *scenarios.Spec
	protocol string
	ids      []int64
	details  []metric.Detail
}

// add keeps a request that has ended.
func (l *detailLog) add(r *serving.Request) {
	d := metric.Detail{Start: r.Sent, Input: r.Input}
	if r.Outcome == serving.Done {
		d.TTFT, d.Latency, d.Output = r.First.Sub(r.Sent), r.Last.Sub(r.Sent), r.Output
		d.ITLs = append([]sim.Duration{}, r.Gaps...)
	} else {
		d.Err = r.Outcome.String()
		if r.Reason != "" {
			d.Err = r.Reason
		}
	}
	l.ids = append(l.ids, r.ID)
	l.details = append(l.details, d)
}

// sorted is the requests in the order in which they were sent.
func (l *detailLog) sorted() []metric.Detail {
	order := make([]int, len(l.ids))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(l.ids[a], l.ids[b]) })
	out := make([]metric.Detail, 0, len(order))
	for _, i := range order {
		out = append(out, l.details[i])
	}
	return out
}

// meta is what a result file says of the run.
func (l *detailLog) meta() metric.Meta {
	w := &l.spec.Workload
	model := modelName(l.spec)
	m := metric.Meta{
		Backend: "pdsim", Label: &l.protocol, ModelID: model, TokenizerID: model,
		NumPrompts: len(l.details), RequestRate: metric.Rate(w.QPS), Burstiness: w.Burstiness,
	}
	if m.RequestRate == 0 || w.Kind == "trace" {
		m.RequestRate = metric.Rate(math.Inf(1))
	}
	if w.MaxConcurrency > 0 {
		m.MaxConcurrency = &w.MaxConcurrency
	}
	return m
}

// modelName is what a client calls the model by.
func modelName(sp *scenarios.Spec) string { return cmp.Or(sp.Model.Name, sp.Model.Config) }

// writeDetailed writes a line for each job, as vllm bench serve --append-result does.
func (r *runner) writeDetailed(w io.Writer) error {
	for _, j := range r.jobs {
		details := j.details.sorted()
		if details == nil {
			details = []metric.Detail{}
		}
		if err := metric.WriteResult(w, j.details.meta(), j.result.Summary, details); err != nil {
			return err
		}
	}
	return nil
}
