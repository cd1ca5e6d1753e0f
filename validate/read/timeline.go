package read

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// The kind and version in the header of pdsim's own timeline.
const (
	TimelineKind    = "pdsim-timeline"
	TimelineVersion = 1
)

// Header is the first line of a timeline.
type Header struct {
	Kind     string `json:"kind"`               // TimelineKind
	Version  int    `json:"version"`            // TimelineVersion
	Scenario string `json:"scenario,omitempty"` // what was run
	Protocol string `json:"protocol,omitempty"`
	Source   string `json:"source,omitempty"` // who measured it, and how
}

// Request is one request of a timeline. All times are on one clock; Never is one that was not taken. The package's
// documentation says what each is.
type Request struct {
	ID     int64 `json:"id"`
	Input  int   `json:"input_tokens,omitempty"`
	Output int   `json:"output_tokens,omitempty"`

	Arrival       Instant   `json:"arrival,omitzero"`
	PrefillQueued Instant   `json:"prefill_queued,omitzero"`
	PrefillStart  Instant   `json:"prefill_start,omitzero"`
	PrefillEnd    Instant   `json:"prefill_end,omitzero"`
	Registered    Instant   `json:"registered,omitzero"`
	DecodeQueued  Instant   `json:"decode_queued,omitzero"`
	Admitted      Instant   `json:"admitted,omitzero"`
	PostStart     Instant   `json:"post_start,omitzero"`
	PostEnd       Instant   `json:"post_end,omitzero"`
	Landed        Instant   `json:"landed,omitzero"`
	Seen          Instant   `json:"seen,omitzero"`
	FirstToken    Instant   `json:"first_token,omitzero"`
	Tokens        []Instant `json:"tokens,omitempty"`

	Descriptors int64  `json:"descriptors,omitempty"` // of one rank
	Bytes       int64  `json:"bytes,omitempty"`       // of one rank
	Outcome     string `json:"outcome,omitempty"`     // "done", "failed" or "aborted"; empty: not told
	Reason      string `json:"reason,omitempty"`      // why it failed
}

// NewRequest returns a request of which no time is known.
func NewRequest(id int64) Request {
	return Request{
		ID: id, Arrival: Never, PrefillQueued: Never, PrefillStart: Never, PrefillEnd: Never, Registered: Never, DecodeQueued: Never,
		Admitted: Never, PostStart: Never, PostEnd: Never, Landed: Never, Seen: Never, FirstToken: Never,
	}
}

// Done says whether the request was answered, as far as is known.
func (r *Request) Done() bool {
	return (r.Outcome == "" || r.Outcome == "done") && r.FirstToken != Never
}

// Last is the time of the latest token, Never without one.
func (r *Request) Last() Instant {
	if len(r.Tokens) > 0 {
		return r.Tokens[len(r.Tokens)-1]
	}
	return Never
}

// times are the request's times with their names, in the order of a pull.
func (r *Request) times() []struct {
	name string
	at   Instant
} {
	return []struct {
		name string
		at   Instant
	}{
		{"arrival", r.Arrival}, {"prefill_queued", r.PrefillQueued}, {"prefill_start", r.PrefillStart}, {"prefill_end", r.PrefillEnd},
		{"registered", r.Registered}, {"decode_queued", r.DecodeQueued}, {"admitted", r.Admitted}, {"post_start", r.PostStart},
		{"post_end", r.PostEnd}, {"landed", r.Landed}, {"seen", r.Seen}, {"first_token", r.FirstToken},
	}
}

// Time is one of the request's times by its name in JSON; Never for a name that is not known.
func (r *Request) Time(name string) Instant {
	for _, t := range r.times() {
		if t.name == name {
			return t.at
		}
	}
	return Never
}

// check holds a request's times against each other.
func (r *Request) check() error {
	for _, t := range r.times() {
		if t.at != Never && r.Arrival != Never && t.at < r.Arrival {
			return fmt.Errorf("%s comes %d ns before the arrival", t.name, r.Arrival-t.at)
		}
	}
	switch {
	case r.PostEnd != Never && r.PostEnd < r.PostStart:
		return errors.New("post_end comes before post_start")
	case r.Seen != Never && r.Seen < r.PostStart:
		return errors.New("seen comes before post_start")
	case len(r.Tokens) > 0 && r.Tokens[0] != r.FirstToken:
		return errors.New("the first of tokens is not at first_token")
	case r.Input < 0 || r.Output < 0 || r.Descriptors < 0 || r.Bytes < 0:
		return errors.New("want counts of 0 or more")
	}
	for i, t := range r.Tokens {
		if t == Never || i > 0 && t < r.Tokens[i-1] {
			return fmt.Errorf("token %d comes before its predecessor", i)
		}
	}
	return nil
}

// WriteTimeline writes a header; each call of what it returns writes a request.
func WriteTimeline(w io.Writer, h Header) (func(*Request) error, error) {
	h.Kind, h.Version = TimelineKind, TimelineVersion
	enc := json.NewEncoder(w)
	if err := enc.Encode(&h); err != nil {
		return nil, err
	}
	return func(r *Request) error { return enc.Encode(r) }, nil
}

// Timeline reads pdsim's own timelines and the traces of the decode rig, which it tells apart by their header. It
// returns what the header says.
func Timeline(name string, r io.Reader, opt Options, to func(*Request) error) (*Header, *Notes, error) {
	s := newSource(name, opt)
	var head *Header
	var rig rigHeader
	err := s.each(r, longestJSON, func(line []byte, number int) error {
		if len(line) == 0 {
			return nil
		}
		if head == nil {
			var err error
			if head, rig, err = timelineHead(line); err != nil {
				return stop{s.at(number, err)} // nothing is known of what follows
			}
			return nil
		}
		req := NewRequest(-1)
		if rig.Kind != "" {
			if isSteps(line) {
				return nil
			}
			rig.fill(&req)
		}
		if err := json.Unmarshal(line, &req); err != nil {
			return err
		}
		if req.ID < 0 {
			return errors.New("want an id of 0 or more")
		}
		if len(req.Tokens) > 0 && req.FirstToken == Never {
			req.FirstToken = req.Tokens[0]
		}
		if err := req.check(); err != nil {
			return err
		}
		s.requestLacks(&req)
		return hand(&s, &req, to)
	})
	if err == nil && head == nil {
		err = s.at(1, errors.New(`want a header such as {"kind":"pdsim-timeline","version":1}, have none`))
	}
	return head, s.notes, err
}

// timelineHead reads the first line of a timeline or of a rig's trace.
func timelineHead(line []byte) (*Header, rigHeader, error) {
	var h Header
	var rig rigHeader
	if err := json.Unmarshal(line, &h); err != nil {
		return nil, rig, err
	}
	switch {
	case h.Kind == rigKind:
		if err := json.Unmarshal(line, &rig); err != nil {
			return nil, rig, err
		}
		h.Source = rig.GPU
		return &h, rig, rig.check()
	case h.Kind != TimelineKind:
		return nil, rig, fmt.Errorf("want kind %q or %q, have %q", TimelineKind, rigKind, clip(h.Kind))
	case h.Version != TimelineVersion:
		return nil, rig, fmt.Errorf("want version %d, have %d", TimelineVersion, h.Version)
	}
	return &h, rig, nil
}

// requestLacks counts what a request lacks.
func (s *source) requestLacks(r *Request) {
	if r.Outcome == "failed" || r.Outcome == "aborted" {
		s.notes.Failed++
		return
	}
	for _, t := range r.times() {
		if t.at == Never {
			s.notes.lack(t.name, 1)
		}
	}
	if len(r.Tokens) == 0 {
		s.notes.lack("tokens", 1)
	}
	if r.FirstToken != Never && r.FirstToken == r.Arrival || len(r.Tokens) > 1 && r.Last() == r.FirstToken {
		s.notes.ZeroDuration++
	}
}
