package read

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// Lifecycle is one step in a KV transfer's life as vLLM's KV connectors log it when asked to. Requests are named by
// hashes; those of one client request share Group, on both sides.
type Lifecycle struct {
	Line int `json:"-"` // in the file, from 1

	Event       string `json:"event"`                  // one of LifecycleEvents
	WallNs      int64  `json:"wall_ns"`                // nanoseconds since 1970, for comparing machines
	MonotonicNs int64  `json:"monotonic_ns"`           // nanoseconds on the process's machine, for durations
	Connector   string `json:"connector"`              // such as "NixlConnector"
	Mode        string `json:"transfer_mode"`          // "pull" or "push"
	Component   string `json:"component"`              // "scheduler" or "worker"
	Role        string `json:"role"`                   // "producer" or "consumer" of the KV
	Request     string `json:"request_id_hash"`        // hash of the request's id
	Group       string `json:"request_group_id_hash"`  // hash of the id without its random end
	Remote      string `json:"remote_request_id_hash"` // hash of the other side's id; "" where it is not known
	Blocks      *int   `json:"block_count"`            // nil where it is not told
}

// LifecycleEvents are the events of schema vllm-kv-connector-v1, in the order in which a push goes through them.
func LifecycleEvents() []string {
	return []string{
		"transfer_staged", "registration_staged", "registration_queued", "registration_sent", "registration_received",
		"registration_failed", "blocks_matched", "transfer_started", "transfer_completed", "transfer_failed",
	}
}

const lifecycleSchema = "vllm-kv-connector-v1"

var lifecycleMark = []byte("KV_CONNECTOR_LIFECYCLE ")

// Lifecycles reads the lifecycle records of a log and passes over all other lines. Failures are counted in Notes.Failed.
func Lifecycles(name string, r io.Reader, opt Options, to func(Lifecycle) error) (*Notes, error) {
	s := newSource(name, opt)
	err := s.each(r, longestLog, func(line []byte, number int) error {
		_, after, ok := bytes.Cut(line, lifecycleMark)
		if !ok {
			return nil
		}
		record := struct {
			Schema string `json:"schema"`
			Lifecycle
		}{}
		if err := json.Unmarshal(after, &record); err != nil {
			return err
		}
		l := record.Lifecycle
		l.Line = number
		switch {
		case record.Schema != lifecycleSchema:
			return fmt.Errorf("want schema %s, have %q", lifecycleSchema, clip(record.Schema))
		case !slices.Contains(LifecycleEvents(), l.Event):
			return fmt.Errorf("unknown event %q", clip(l.Event))
		case l.Request == "":
			return fmt.Errorf("want request_id_hash, have none")
		}
		s.lifecycleLacks(&l)
		return hand(&s, l, to)
	})
	return s.notes, err
}

func (s *source) lifecycleLacks(l *Lifecycle) {
	for _, f := range []struct {
		name string
		has  bool
	}{
		{"wall_ns", l.WallNs != 0}, {"monotonic_ns", l.MonotonicNs != 0}, {"transfer_mode", l.Mode != ""},
		{"component", l.Component != ""}, {"role", l.Role != ""}, {"request_group_id_hash", l.Group != ""},
	} {
		if !f.has {
			s.notes.lack(f.name, 1)
		}
	}
	if l.Event == "transfer_failed" || l.Event == "registration_failed" {
		s.notes.Failed++
	}
}
