package compute

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
)

// Table holds measured times of whole steps, for any number of tensor-parallel degrees.
type Table struct {
	Decode  []DecodePoint
	Prefill []PrefillPoint
}

// DecodePoint is one measured decode step.
type DecodePoint struct {
	TP      int
	Batch   int     // sequences
	Context int     // KV tokens that each of them reads
	Ms      float64 // time of the step, milliseconds
}

// PrefillPoint is one measured prefill of a single prompt without context.
type PrefillPoint struct {
	TP     int
	Tokens int     // prompt tokens
	Ms     float64 // time, milliseconds
}

// ReadDecode adds the rows of a CSV with the columns tp, batch, context_tokens and median_ms to t; other columns are
// ignored and the order is free. Errors name file, line and column.
func (t *Table) ReadDecode(file string, r io.Reader) error {
	return readColumns(file, r, []string{"tp", "batch", "context_tokens", "median_ms"}, func(n []int, ms float64) {
		t.Decode = append(t.Decode, DecodePoint{n[0], n[1], n[2], ms})
	})
}

// ReadPrefill adds the rows of a CSV with the columns tp, prompt_tokens and median_ms to t, as ReadDecode does.
func (t *Table) ReadPrefill(file string, r io.Reader) error {
	return readColumns(file, r, []string{"tp", "prompt_tokens", "median_ms"}, func(n []int, ms float64) {
		t.Prefill = append(t.Prefill, PrefillPoint{n[0], n[1], ms})
	})
}

// maxCount keeps a product of two counts of a table within an int64.
const maxCount = 1<<31 - 1

// readColumns reads the named columns of a CSV: counts, and a time in milliseconds as the last one.
func readColumns(file string, r io.Reader, names []string, add func(counts []int, ms float64)) error {
	in := csv.NewReader(r)
	in.Comment = '#'
	in.ReuseRecord = true
	head, err := in.Read()
	if err != nil {
		return readError(file, err)
	}
	at := make([]int, len(names))
	for i, name := range names {
		at[i] = -1
		for j, have := range head {
			if have == name {
				at[i] = j
			}
		}
		if at[i] < 0 {
			return cellError(file, in, 0, "want a column %q, have %q", name, head)
		}
	}
	counts := make([]int, len(names)-1)
	for {
		record, err := in.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return readError(file, err)
		}
		for i := range counts {
			cell := record[at[i]]
			if counts[i], err = strconv.Atoi(cell); err != nil || counts[i] < 1 || counts[i] > maxCount {
				return cellError(file, in, at[i], "%s: want a whole number from 1 to %d, have %q", names[i], maxCount, cell)
			}
		}
		last := at[len(counts)]
		ms, err := strconv.ParseFloat(record[last], 64)
		if err != nil || !(ms > 0) || math.IsInf(ms, 0) {
			return cellError(file, in, last, "%s: want milliseconds above 0, have %q", names[len(counts)], record[last])
		}
		add(counts, ms)
	}
}

// H200Qwen32B returns the built-in table: Qwen3-32B's shape on one H200, as the shards of tp = 1, 2 and 8 without
// all-reduce, with kernels that are not fused as an engine's are (data/PROVENANCE.md). It is a measurement of a bare
// GPU, not of vLLM: below about 1,000 prompt tokens at tp = 8 its prefill is bound by launches.
func H200Qwen32B() (*Table, error) {
	t := &Table{}
	for _, f := range []struct {
		name string
		read func(string, io.Reader) error
	}{{"h200_qwen3-32b_decode_step.csv", t.ReadDecode}, {"h200_qwen3-32b_prefill.csv", t.ReadPrefill}} {
		file, err := data.Open("data/" + f.name)
		if err != nil {
			return nil, fmt.Errorf("compute: %w", err)
		}
		err = f.read(f.name, file)
		file.Close()
		if err != nil {
			return nil, err
		}
	}
	return t, nil
}
