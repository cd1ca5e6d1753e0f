package workload

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"pdsim/sim"
)

// Format names the layout of a trace file.
type Format string

// The formats that are read.
const (
	// Azure is the CSV of the Azure LLM inference traces of 2023 and 2024: TIMESTAMP, ContextTokens, GeneratedTokens.
	Azure Format = "azure"
	// Mooncake is JSON, one object a line: timestamp (ms), input_length, output_length, hash_ids.
	Mooncake Format = "mooncake"
	// MooncakeLengths is CSV of the same without content: timestamp_ms, input_length, output_length.
	MooncakeLengths Format = "mooncake-lengths"
	// BurstGPT is CSV: Timestamp (s), Request tokens, Response tokens; other columns are not used.
	BurstGPT Format = "burstgpt"
)

// Formats returns all formats, for lists and messages.
func Formats() []Format { return []Format{Azure, Mooncake, MooncakeLengths, BurstGPT} }

// TraceOptions says how a trace is replayed. The zero value replays all of it as it was.
type TraceOptions struct {
	Speed     float64      // time runs so many times faster; 0 means 1
	Start     sim.Duration // time of the trace to skip, counted from its first row; what remains starts at 0
	Limit     int          // most arrivals; 0 for all
	MaxInput  int          // longer prompts are cut to so many tokens; 0 for no limit
	MaxOutput int          // longer answers are cut to so many tokens; 0 for no limit
	Seed      uint64       // of the prompts' content, where the trace does not name it

	ChunkTokens int // tokens that one of hash_ids stands for; 0 means 512, as in Mooncake's own traces
}

// row is one request as a file has it.
type row struct {
	line          int
	at            int64 // nanoseconds on the trace's clock
	input, output int
	chunks        []uint64
}

// rows reads a file of some format.
type rows interface {
	// next returns the next row, or io.EOF, or an error and the line that it is in.
	next() (row, error)
}

// Trace replays a file of recorded requests. It reads a row at a time.
//
// Time 0 is the first row's. Rows must be in order of time: a stream cannot be sorted, so a row that goes back is an
// error, even if by little. Rows without input or without output tokens, which is how BurstGPT notes failures, are
// skipped and counted.
type Trace struct {
	name    string
	rows    rows
	options TraceOptions

	number   uint64 // rows read
	first    int64  // time of the first row
	latest   int64  // time of the latest row
	yielded  int
	skipped  int
	finished bool
	err      error
}

// NewTrace returns the trace in r, plain or compressed with gzip. Name is what messages call the file.
func NewTrace(format Format, name string, r io.Reader, o TraceOptions) (*Trace, error) {
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if o.Speed == 0 {
		o.Speed = 1
	}
	if o.ChunkTokens == 0 {
		o.ChunkTokens = 512
	}
	text, err := plainText(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	t := &Trace{name: name, options: o}
	switch format {
	case Azure:
		t.rows, err = newTable(text, azureColumns)
	case MooncakeLengths:
		t.rows, err = newTable(text, lengthsColumns)
	case BurstGPT:
		t.rows, err = newTable(text, burstColumns)
	case Mooncake:
		t.rows = newObjects(text)
	default:
		return nil, fmt.Errorf("%s: want a format of %v, have %q", name, Formats(), format)
	}
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	return t, nil
}

// check reports what is out of range.
func (o *TraceOptions) check() error {
	if !(o.Speed >= 0) || math.IsInf(o.Speed, 1) {
		return fmt.Errorf("speed: want more than 0, have %v", o.Speed)
	}
	if o.Start < 0 {
		return fmt.Errorf("start: want 0s or more, have %v", o.Start)
	}
	counts := []struct {
		name string
		n    int
	}{{"limit", o.Limit}, {"max input", o.MaxInput}, {"max output", o.MaxOutput}, {"chunk tokens", o.ChunkTokens}}
	for _, c := range counts {
		if c.n < 0 {
			return fmt.Errorf("%s: want 0 or more, have %d", c.name, c.n)
		}
	}
	return nil
}

// plainText takes off compression and the byte order mark.
func plainText(r io.Reader) (io.Reader, error) {
	text := bufio.NewReader(r)
	if magic, _ := text.Peek(2); string(magic) == "\x1f\x8b" {
		unzipped, err := gzip.NewReader(text)
		if err != nil {
			return nil, err
		}
		text = bufio.NewReader(unzipped)
	}
	if mark, _ := text.Peek(3); string(mark) == "\xef\xbb\xbf" {
		text.Discard(3)
	}
	return text, nil
}

// Next returns the next arrival, or false at the end of the trace, at its limit and after an error.
func (t *Trace) Next() (Arrival, bool) {
	for !t.finished {
		r, err := t.rows.next()
		if err == nil {
			err = t.admit(r)
		}
		if err != nil {
			t.finished = true
			if !errors.Is(err, io.EOF) {
				t.err = fmt.Errorf("%s:%w", t.name, err)
			}
			break
		}
		since := r.at - t.first - int64(t.options.Start)
		if since < 0 {
			continue
		}
		if r.input == 0 || r.output == 0 {
			t.skipped++
			continue
		}
		if t.options.Speed != 1 {
			since = int64(min(math.Round(float64(since)/t.options.Speed), math.MaxInt64/2))
		}
		if since > longestSpan*1e9 {
			t.finished = true
			t.err = fmt.Errorf("%s:%d: want at most %.0f seconds after the first row", t.name, r.line, longestSpan)
			break
		}
		t.yielded++
		t.finished = t.yielded == t.options.Limit
		return t.arrive(r, sim.Time(since)), true
	}
	return Arrival{}, false
}

// admit takes note of a row and checks that it does not go back in time.
func (t *Trace) admit(r row) error {
	if t.number == 0 {
		t.first, t.latest = r.at, r.at
	}
	t.number++
	if r.at < t.latest {
		back := sim.Duration(t.latest - r.at)
		return fmt.Errorf("%d: want rows in order of time, have one %v before its predecessor; sort the file", r.line, back)
	}
	t.latest = r.at
	return nil
}

// arrive makes the arrival of a row.
func (t *Trace) arrive(r row, at sim.Time) Arrival {
	a := Arrival{At: at, Input: r.input, Output: r.output}
	if t.options.MaxInput > 0 {
		a.Input = min(a.Input, t.options.MaxInput)
	}
	if t.options.MaxOutput > 0 {
		a.Output = min(a.Output, t.options.MaxOutput)
	}
	a.Prompt.ID = hash(t.options.Seed, kindOwn, t.number)
	if len(r.chunks) > 0 {
		a.Prompt.Chunks, a.Prompt.ChunkTokens = r.chunks, t.options.ChunkTokens
	}
	return a
}

// Err returns the first mistake in the file as `file:line: what`, or nil.
func (t *Trace) Err() error { return t.err }

// Skipped returns how many rows so far had no input or no output tokens.
func (t *Trace) Skipped() int { return t.skipped }

// fields joins names for a message.
func fields(names []string) string { return strings.Join(names, ", ") }
