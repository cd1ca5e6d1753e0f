package workload

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// columns says where a CSV format keeps what a row needs. Columns are found by the names in the header, in any order and
// with any others between them.
type columns struct {
	time, input, output string
	parseTime           func(text string) (int64, error) // nanoseconds on the trace's clock
}

var (
	azureColumns   = columns{"TIMESTAMP", "ContextTokens", "GeneratedTokens", parseInstant}
	lengthsColumns = columns{"timestamp_ms", "input_length", "output_length", parseMilliseconds}
	burstColumns   = columns{"Timestamp", "Request tokens", "Response tokens", parseSeconds}
)

// table reads rows of CSV.
type table struct {
	columns
	csv                    *csv.Reader
	timeAt, inputAt, outAt int // positions of the columns
	width                  int // columns that a row must have at least
	line                   int // of the latest row
}

// newTable reads the header.
func newTable(r io.Reader, c columns) (*table, error) {
	t := &table{columns: c, csv: csv.NewReader(r)}
	t.csv.FieldsPerRecord = -1
	t.csv.ReuseRecord = true
	header, err := t.record()
	want := []string{c.time, c.input, c.output}
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("1: want a header with %s, have an empty file", fields(want))
	}
	if err != nil {
		return nil, err
	}
	at := [3]int{}
	for i, name := range want {
		at[i] = slices.IndexFunc(header, func(have string) bool { return strings.EqualFold(strings.TrimSpace(have), name) })
		if at[i] < 0 {
			return nil, fmt.Errorf("%d: want a header with %s, have %q", t.line, fields(want), fields(header))
		}
	}
	t.timeAt, t.inputAt, t.outAt = at[0], at[1], at[2]
	t.width = max(at[0], at[1], at[2]) + 1
	return t, nil
}

// record returns the fields of the next line that is not blank. Its errors, but for io.EOF, start with the line.
func (t *table) record() ([]string, error) {
	for {
		record, err := t.csv.Read()
		if errors.Is(err, io.EOF) {
			return nil, io.EOF
		}
		var parse *csv.ParseError
		if errors.As(err, &parse) {
			return nil, fmt.Errorf("%d: %w", parse.Line, parse.Err)
		}
		if err != nil {
			return nil, fmt.Errorf("%d: %w", t.line+1, err)
		}
		t.line, _ = t.csv.FieldPos(0)
		if len(record) > 1 || strings.TrimSpace(record[0]) != "" {
			return record, nil
		}
	}
}

// next implements rows.
func (t *table) next() (row, error) {
	record, err := t.record()
	if err != nil {
		return row{}, err
	}
	if len(record) < t.width {
		return row{}, fmt.Errorf("%d: want %d fields or more, have %d", t.line, t.width, len(record))
	}
	r := row{line: t.line}
	if r.at, err = t.parseTime(strings.TrimSpace(record[t.timeAt])); err != nil {
		return row{}, fmt.Errorf("%d: %s: %w", t.line, t.time, err)
	}
	if r.input, err = parseTokens(record[t.inputAt]); err != nil {
		return row{}, fmt.Errorf("%d: %s: %w", t.line, t.input, err)
	}
	if r.output, err = parseTokens(record[t.outAt]); err != nil {
		return row{}, fmt.Errorf("%d: %s: %w", t.line, t.output, err)
	}
	return r, nil
}

// parseTokens reads a number of tokens.
func parseTokens(text string) (int, error) {
	text = strings.TrimSpace(text)
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > maxTokens {
		return 0, fmt.Errorf("want a whole number from 0 to %d, have %q", maxTokens, text)
	}
	return n, nil
}

// parseSeconds reads seconds on a clock of the trace's own, as nanoseconds.
func parseSeconds(text string) (int64, error) { return parseClock(text, 1e9, "seconds") }

// parseMilliseconds reads milliseconds on a clock of the trace's own, as nanoseconds.
func parseMilliseconds(text string) (int64, error) { return parseClock(text, 1e6, "milliseconds") }

// parseClock reads a number of units of so many nanoseconds each.
func parseClock(text string, unit float64, name string) (int64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !clockFits(x, unit) {
		return 0, fmt.Errorf("want %s from 0 to %.0f, have %q", name, longestSpan*1e9/unit, text)
	}
	return int64(math.Round(x * unit)), nil
}

// clockFits says whether x units of so many nanoseconds are within the longest span.
func clockFits(x, unit float64) bool { return x >= 0 && x <= longestSpan*1e9/unit }
