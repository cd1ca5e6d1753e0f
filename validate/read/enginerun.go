package read

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
)

// engineRecord is a request in requests.jsonl of LLMServingSim's vLLM runs. The arrival is on the wall clock, the rest on
// the engine's.
type engineRecord struct {
	ID        string   `json:"request_id"`
	Input     *int     `json:"input_toks"`
	Output    *int     `json:"output_toks"`
	Arrival   *Instant `json:"arrival_time"`
	Queued    *Instant `json:"queued_ts"`
	Scheduled *Instant `json:"scheduled_ts"`
	First     *Instant `json:"first_token_ts"`
	Last      *Instant `json:"last_token_ts"`
}

// EngineRun reads the requests of one vLLM engine, one JSON object a line, as LLMServingSim records them
// (github.com/casys-kaist/LLMServingSim): request_id, input_toks, output_toks, arrival_time, queued_ts, scheduled_ts,
// first_token_ts, last_token_ts. IDs count from 0 in the order of the file.
//
// The file has two clocks. They are laid over each other so that the request that was queued fastest was queued at its
// arrival; arrivals are therefore late by that request's way into the queue, which is below 2 ms in the known runs.
// Tokens has the first and the last token only.
func EngineRun(name string, r io.Reader, opt Options) ([]Request, *Notes, error) {
	s := newSource(name, opt)
	var out []Request
	offset := Instant(math.MaxInt64)
	err := s.each(r, longestLog, func(line []byte, number int) error {
		if len(line) == 0 {
			return nil
		}
		var e engineRecord
		if err := json.Unmarshal(line, &e); err != nil {
			return err
		}
		req, err := s.engineRequest(&e, int64(len(out)))
		if err != nil {
			return err
		}
		if req.DecodeQueued != Never && req.Arrival != Never {
			offset = min(offset, req.DecodeQueued-req.Arrival)
		}
		out = append(out, req)
		s.notes.Records++
		return nil
	})
	for i := range out {
		if out[i].Arrival != Never && offset != math.MaxInt64 {
			out[i].Arrival += offset
		}
	}
	return out, s.notes, err
}

// engineRequest takes over one record, its arrival still on the wall clock.
func (s *source) engineRequest(e *engineRecord, id int64) (Request, error) {
	req := NewRequest(id)
	if e.Input == nil || e.Output == nil || *e.Input < 0 || *e.Output < 0 {
		return req, errors.New("want input_toks and output_toks of 0 or more")
	}
	req.Input, req.Output = *e.Input, *e.Output
	for _, f := range []struct {
		name string
		from *Instant
		to   *Instant
	}{
		{"arrival_time", e.Arrival, &req.Arrival}, {"queued_ts", e.Queued, &req.DecodeQueued}, {"scheduled_ts", e.Scheduled, &req.Admitted},
		{"first_token_ts", e.First, &req.FirstToken},
	} {
		if f.from == nil {
			s.notes.lack(f.name, 1)
			continue
		}
		*f.to = *f.from
	}
	if req.FirstToken == Never {
		s.notes.Failed++
		req.Outcome = "failed"
		return req, nil
	}
	req.Tokens = []Instant{req.FirstToken}
	switch {
	case e.Last == nil:
		s.notes.lack("last_token_ts", 1)
	case *e.Last < req.FirstToken:
		return req, fmt.Errorf("the last token comes %d ns before the first", req.FirstToken-*e.Last)
	case req.Output > 1:
		req.Tokens = append(req.Tokens, *e.Last)
		if *e.Last == req.FirstToken {
			s.notes.ZeroDuration++
		}
	}
	return req, nil
}
