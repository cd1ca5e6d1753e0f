package workload

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
)

// longestLine is the longest line of JSON in bytes: a prompt of 2^30 tokens would need as much for its hash_ids.
const longestLine = 16 << 20

// objects reads rows of JSON, one object a line.
type objects struct {
	lines *bufio.Scanner
	line  int
}

// newObjects returns the rows in r.
func newObjects(r io.Reader) *objects {
	o := &objects{lines: bufio.NewScanner(r)}
	o.lines.Buffer(nil, longestLine)
	return o
}

// next implements rows.
func (o *objects) next() (row, error) {
	for o.lines.Scan() {
		o.line++
		text := bytes.TrimSpace(o.lines.Bytes())
		if len(text) == 0 {
			continue
		}
		r, err := parseObject(text)
		if err != nil {
			return row{}, fmt.Errorf("%d: %w", o.line, err)
		}
		r.line = o.line
		return r, nil
	}
	if err := o.lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return row{}, fmt.Errorf("%d: want lines of at most %d bytes, have a longer one", o.line+1, longestLine)
	} else if err != nil {
		return row{}, fmt.Errorf("%d: %w", o.line+1, err)
	}
	return row{}, io.EOF
}

// parseObject reads one request in Mooncake's form.
func parseObject(text []byte) (row, error) {
	var have struct {
		Timestamp    *float64 `json:"timestamp"` // ms
		InputLength  *int     `json:"input_length"`
		OutputLength *int     `json:"output_length"`
		HashIDs      []uint64 `json:"hash_ids"`
	}
	if err := json.Unmarshal(text, &have); err != nil {
		return row{}, err
	}
	const unit = 1e6 // nanoseconds in a millisecond
	switch {
	case have.Timestamp == nil:
		return row{}, fmt.Errorf("want a timestamp in milliseconds, have none")
	case !clockFits(*have.Timestamp, unit):
		return row{}, fmt.Errorf("timestamp: want milliseconds from 0 to %.0f, have %v", longestSpan*1e9/unit, *have.Timestamp)
	}
	lengths := []struct {
		name string
		n    *int
	}{{"input_length", have.InputLength}, {"output_length", have.OutputLength}}
	for _, l := range lengths {
		if l.n == nil {
			return row{}, fmt.Errorf("want %s, have none", l.name)
		}
		if *l.n < 0 || *l.n > maxTokens {
			return row{}, fmt.Errorf("%s: want a whole number from 0 to %d, have %d", l.name, maxTokens, *l.n)
		}
	}
	return row{
		at:     int64(math.Round(*have.Timestamp * unit)),
		input:  *have.InputLength,
		output: *have.OutputLength,
		chunks: have.HashIDs,
	}, nil
}
