package main

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"reflect"
	"strconv"
	"strings"

	"pdsim/model/serving"
	"pdsim/scenarios"
	"pdsim/sim"
)

// millis is a time in milliseconds; one that is below zero does not exist.
type millis float64

// MarshalJSON writes the number, or null for a time that does not exist.
func (m millis) MarshalJSON() ([]byte, error) {
	if m < 0 {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(m), 'f', -1, 64), nil
}

// requestRow is one request. Times are from the moment at which the client sent it.
type requestRow struct {
	Scenario        string `json:"scenario"`
	Protocol        string `json:"protocol"`
	Request         int64  `json:"request"` // in the order of arrival; readiness probes count
	SentMs          millis `json:"sent_ms"` // from the start of the servers
	InputTokens     int    `json:"input_tokens"`
	OutputTokens    int    `json:"output_tokens"`
	Outcome         string `json:"outcome"`
	Reason          string `json:"reason"`
	TTFT            millis `json:"ttft_ms"`
	TPOT            millis `json:"tpot_ms"`
	E2EL            millis `json:"e2el_ms"`
	PrefillEngine   string `json:"prefill_engine"`
	PrefillQueued   millis `json:"prefill_queued_ms"`
	PrefillAdmitted millis `json:"prefill_admitted_ms"`
	PrefixHitBlocks int    `json:"prefix_hit_blocks"`
	DecodeEngine    string `json:"decode_engine"`
	DecodeQueued    millis `json:"decode_queued_ms"`
	DecodeAdmitted  millis `json:"decode_admitted_ms"`
	KVLoaded        millis `json:"kv_loaded_ms"`
	Stale           bool   `json:"stale"` // its KV was read after the lease had run out
}

// rowOf is the row of a request that has ended.
func rowOf(r *serving.Request) requestRow {
	since := func(t sim.Time) millis {
		if t < r.Sent || t == sim.Never {
			return -1
		}
		return inMillis(t.Sub(r.Sent))
	}
	row := requestRow{
		Request: r.ID, SentMs: inMillis(sim.Duration(r.Sent)), InputTokens: r.Input, OutputTokens: r.Output,
		Outcome: r.Outcome.String(), Reason: r.Reason,
		TTFT: since(r.First), TPOT: -1, E2EL: since(r.Last),
		PrefillQueued: since(r.P.Queued), PrefillAdmitted: since(r.P.Admitted), PrefixHitBlocks: r.P.Hit,
		DecodeQueued: since(r.D.Queued), DecodeAdmitted: since(r.D.Admitted), KVLoaded: since(r.D.Loaded), Stale: r.Stale,
	}
	if r.Outcome == serving.Done && r.Output > 1 {
		row.TPOT = inMillis(r.Last.Sub(r.First)) / millis(r.Output-1)
	}
	if r.P.Engine != nil {
		row.PrefillEngine = r.P.Engine.Name
	}
	if r.D.Engine != nil {
		row.DecodeEngine = r.D.Engine.Name
	}
	return row
}

func inMillis(d sim.Duration) millis { return millis(float64(d) / 1e6) }

// isLines says whether a file for requests gets JSON lines.
func isLines(name string) bool { return strings.HasSuffix(name, ".jsonl") }

// requestLog keeps the rows of one job.
type requestLog struct {
	spool
	scenario, protocol string
	lines              bool
	table              *csv.Writer
}

// add writes the row of a request. An error shows when the log is closed.
func (l *requestLog) add(r *serving.Request) {
	if l.err != nil {
		return
	}
	row := rowOf(r)
	row.Scenario, row.Protocol = l.scenario, l.protocol
	if l.lines {
		l.fail(json.NewEncoder(l).Encode(&row))
		return
	}
	_, values, err := flat("", reflect.ValueOf(row))
	if err == nil {
		err = l.table.Write(values)
	}
	l.fail(err)
}

// newRequestLog returns a log without rows.
func newRequestLog(scenario, protocol string, lines bool) *requestLog {
	l := &requestLog{scenario: scenario, protocol: protocol, lines: lines}
	l.table = csv.NewWriter(l)
	return l
}

// close brings all rows into the file and says what went wrong so far.
func (l *requestLog) close() error {
	if l == nil {
		return nil
	}
	l.table.Flush()
	return l.spool.close()
}

// options are what a job wants to hear of its run.
func (j *job) options() scenarios.Options {
	opt := scenarios.Options{Gaps: j.details != nil}
	listeners := j.record.listen(&opt)
	if j.rows != nil {
		listeners = append(listeners, j.rows.add)
	}
	if j.details != nil {
		listeners = append(listeners, j.details.add)
	}
	if len(listeners) > 0 {
		opt.Request = func(r *serving.Request) {
			for _, hear := range listeners {
				hear(r)
			}
		}
	}
	return opt
}

// writeRequests writes the rows of all jobs, those of a job in the order in which requests ended.
func (r *runner) writeRequests(w io.Writer) error {
	if !isLines(r.requests) {
		names, _, err := flat("", reflect.ValueOf(requestRow{}))
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, strings.Join(names, ",")+"\n"); err != nil {
			return err
		}
	}
	for _, j := range r.jobs {
		if err := j.rows.copyTo(w); err != nil {
			return err
		}
	}
	return nil
}

// discard removes what jobs have left.
func (r *runner) discard() {
	for _, j := range r.jobs {
		if j.rows != nil {
			j.rows.discard()
		}
		j.record.discard()
	}
}
