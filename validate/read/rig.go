package read

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// rigKind is in the header of a trace of the decode rig, which plays the decode side of a split deployment on one GPU.
const rigKind = "decode-rig"

// rigHeader says how the rig was run.
type rigHeader struct {
	Kind            string  `json:"kind"`
	Mode            string  `json:"mode"` // "inline" or "thread": who posts
	QPS             float64 `json:"qps"`
	Descriptors     int64   `json:"descriptors"`
	DescriptorBytes int64   `json:"descriptor_bytes"`
	ContextTokens   int     `json:"context_tokens"`
	OutputTokens    int     `json:"output_tokens"`
	GPU             string  `json:"gpu"`
}

func (h *rigHeader) check() error {
	const most = 1 << 40
	if h.Descriptors < 0 || h.DescriptorBytes < 0 || h.Descriptors > most || h.DescriptorBytes > most/max(h.Descriptors, 1) || h.ContextTokens < 0 || h.OutputTokens < 0 {
		return errors.New("descriptors, bytes or tokens are out of range")
	}
	return nil
}

// fill sets what the header says of every request.
func (h *rigHeader) fill(r *Request) {
	r.Input, r.Output = h.ContextTokens, h.OutputTokens
	r.Descriptors, r.Bytes = h.Descriptors, h.Descriptors*h.DescriptorBytes
}

// isSteps says whether a line has the steps of a run and not a request.
func isSteps(line []byte) bool { return bytes.HasPrefix(line, []byte(`{"steps"`)) }

// Step is one turn of the rig's loop with a forward. Times are seconds on the trace's clock.
type Step struct {
	Loop  float64 // the loop began to look for arrivals and completions
	Start float64 // the forward was launched
	End   float64 // it had ended
	Batch int     // requests in it
}

// RigSteps reads the steps of a rig's trace, which are in its last line.
func RigSteps(name string, r io.Reader, opt Options, to func(Step) error) (*Notes, error) {
	s := newSource(name, opt)
	err := s.each(r, longestJSON, func(line []byte, _ int) error {
		if !isSteps(line) {
			return nil
		}
		var all struct {
			Steps [][]float64 `json:"steps"`
		}
		if err := json.Unmarshal(line, &all); err != nil {
			return err
		}
		for i, step := range all.Steps {
			if len(step) != 4 || step[1] < step[0] || step[2] < step[1] {
				return fmt.Errorf("step %d: want loop, start, end and batch in order of time, have %v", i, step)
			}
			if step[2] == step[1] {
				s.notes.ZeroDuration++
			}
			if err := hand(&s, Step{step[0], step[1], step[2], int(step[3])}, to); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && s.notes.Records == 0 {
		s.notes.lack("steps", 1)
	}
	return s.notes, err
}
