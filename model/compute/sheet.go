package compute

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
)

// sheet is a kernel table as it lies in data/: some key columns, then one column for each count that was measured
// (tokens, KV length, elements), whose head is that count. Cells are nanoseconds; an empty cell was not measured.
type sheet struct {
	name   string
	counts []int64
	rows   []sheetRow
}

type sheetRow struct {
	keys    []string
	samples samples
}

// samples are measured times of one kernel over a count: x rises strictly, ns is more than 0.
type samples struct {
	x  []int64
	ns []float64
}

// readSheet reads a table with the given number of key columns. Errors name file, line and column.
func readSheet(name string, r io.Reader, keys int) (*sheet, error) {
	in := csv.NewReader(r)
	in.ReuseRecord = true
	head, err := in.Read()
	if err != nil {
		return nil, readError(name, err)
	}
	s := &sheet{name: name}
	for i := keys; i < len(head); i++ {
		n, err := strconv.ParseInt(head[i], 10, 64)
		if err != nil || n < 0 || len(s.counts) > 0 && n <= s.counts[len(s.counts)-1] {
			return nil, cellError(name, in, i, "head of column %d: want a count above the last, have %q", i+1, head[i])
		}
		s.counts = append(s.counts, n)
	}
	if len(s.counts) == 0 {
		return nil, cellError(name, in, 0, "want %d key columns and then one a count, have %d columns", keys, len(head))
	}
	for {
		record, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, readError(name, err)
		}
		row := sheetRow{keys: append([]string(nil), record[:keys]...)}
		for i, cell := range record[keys:] {
			if cell == "" {
				continue
			}
			ns, err := strconv.ParseInt(cell, 10, 64)
			if err != nil || ns < 1 {
				return nil, cellError(name, in, keys+i, "want nanoseconds above 0, have %q", cell)
			}
			row.samples.x = append(row.samples.x, s.counts[i])
			row.samples.ns = append(row.samples.ns, float64(ns))
		}
		if len(row.samples.x) == 0 {
			return nil, cellError(name, in, 0, "want a measurement, have none in the row")
		}
		s.rows = append(s.rows, row)
	}
	return s, nil
}

// cellError places a mistake at field i of the record that in read last.
func cellError(name string, in *csv.Reader, i int, format string, args ...any) error {
	line, column := in.FieldPos(i)
	return fmt.Errorf("%s:%d:%d: %s", name, line, column, fmt.Sprintf(format, args...))
}

// readError gives csv's own errors the form file:line:column.
func readError(name string, err error) error {
	if e, ok := err.(*csv.ParseError); ok {
		return fmt.Errorf("%s:%d:%d: %w", name, e.Line, e.Column, e.Err)
	}
	if err == io.EOF {
		return fmt.Errorf("%s:1:1: want a head line, have an empty file", name)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// find returns the samples of the row with these keys, and whether there is one.
func (s *sheet) find(keys ...string) (samples, bool) {
next:
	for i := range s.rows {
		for j, k := range keys {
			if s.rows[i].keys[j] != k {
				continue next
			}
		}
		return s.rows[i].samples, true
	}
	return samples{}, false
}

// at interpolates between neighbouring measurements. Below the first the time stays, as a kernel does not get faster
// than its smallest launch; above the last it grows with the count, at the rate that the largest kernel reached.
func (s *samples) at(x float64) float64 {
	last := len(s.x) - 1
	switch {
	case x <= float64(s.x[0]):
		return s.ns[0]
	case x >= float64(s.x[last]):
		return s.ns[last] * x / float64(s.x[last])
	}
	lo, hi := 0, last
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; float64(s.x[mid]) <= x {
			lo = mid
		} else {
			hi = mid
		}
	}
	return between(float64(s.x[lo]), s.ns[lo], float64(s.x[hi]), s.ns[hi], x)
}

// between is the straight line through (x0, y0) and (x1, y1) at x.
func between(x0, y0, x1, y1, x float64) float64 { return lerp(y0, y1, (x-x0)/(x1-x0)) }
