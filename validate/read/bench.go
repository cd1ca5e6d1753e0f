package read

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Bench is one result of `vllm bench serve --save-result`.
type Bench struct {
	File string // name of the file
	Line int    // of its end in the file, from 1

	// Figures are all numbers that the file gives, by its own names, such as "mean_ttft_ms" or "request_rate". A rate of
	// "inf" is not among them: Infinite says so.
	Figures map[string]float64
	// Texts are all texts that it gives, metadata of the user's included.
	Texts map[string]string
	// Infinite says that all requests were sent at once.
	Infinite bool

	// Requests are in the order of dispatch, failed ones included; none without --save-detailed.
	Requests []BenchRequest
	arrays   map[string]int // lengths of the arrays that the file has, by name
}

// BenchRequest is one request of a detailed result. Times are seconds; those whose array the file lacks are 0.
type BenchRequest struct {
	Start   float64   // when it was sent, on the client's clock, which starts anywhere
	TTFT    float64   // time to the first token
	Latency float64   // time to the last token
	Queue   float64   // time that it waited in the client before Start
	Input   int       // tokens of the prompt
	Output  int       // tokens of the answer
	ITLs    []float64 // gaps between tokens
	Err     string    // why it failed
	NaN     bool      // one of its figures was not finite: it is in no sample
}

// Failed says whether the request got no answer.
func (r *BenchRequest) Failed() bool { return r.Err != "" || r.TTFT == 0 && r.Output == 0 }

// Has says whether the file gives a figure, a text or an array of that name.
func (b *Bench) Has(name string) bool {
	_, figure := b.Figures[name]
	_, text := b.Texts[name]
	_, array := b.arrays[name]
	return figure || text || array
}

// Benches reads a file with one result, over any number of lines, or with a result on each line as --append-result
// writes them.
func Benches(name string, r io.Reader, opt Options, to func(*Bench) error) (*Notes, error) {
	s := newSource(name, opt)
	in, err := plain(r)
	if err != nil {
		return s.notes, s.at(1, err)
	}
	f := &finite{in: in, lineAtATime: lineAtATime(in)}
	for more := true; more; more = f.lineAtATime && f.proceed() {
		start := f.line + 1
		b, err := s.bench(f)
		if errors.Is(err, io.EOF) && b == nil {
			continue // a blank line
		}
		if err == nil {
			b.File, b.Line = name, max(start, f.line)
			s.benchLacks(b)
			err = hand(&s, b, to)
		}
		var end stop
		switch {
		case errors.As(err, &end):
			return s.notes, end.error
		case err != nil:
			if err = s.bad(max(start, f.line), err); err != nil {
				return s.notes, err
			}
		}
	}
	s.notes.NonFinite += f.replaced
	return s.notes, nil
}

// lineAtATime says whether the text has a whole object in its first line, as vLLM writes it, and not a piece of one.
func lineAtATime(in *bufio.Reader) bool {
	head, _ := in.Peek(64 << 10)
	first, _, cut := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
	first = bytes.TrimSpace(first)
	return !cut || bytes.HasSuffix(first, []byte("}"))
}

// bench decodes one object. It returns nil and io.EOF when there is none.
func (s *source) bench(f *finite) (*Bench, error) {
	dec := json.NewDecoder(f)
	t, err := dec.Token()
	if err != nil {
		return nil, err
	}
	if t != json.Delim('{') {
		return nil, fmt.Errorf("want an object, have %v", t)
	}
	b := &Bench{Figures: map[string]float64{}, Texts: map[string]string{}, arrays: map[string]int{}}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return b, unexpected(err)
		}
		if err := b.field(dec, key.(string)); err != nil {
			return b, fmt.Errorf("%s: %w", clip(key.(string)), unexpected(err))
		}
	}
	if _, err := dec.Token(); err != nil {
		return b, unexpected(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return b, fmt.Errorf("want one object a line, or one in the file; have more after it")
	}
	return b, b.aligned()
}

// unexpected is the error about a text that ends too early.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// field takes one field of the object.
func (b *Bench) field(dec *json.Decoder, key string) error {
	if a, ok := benchArrays[key]; ok {
		return b.array(dec, key, a)
	}
	if key == "generated_texts" {
		return skip(dec)
	}
	var raw json.RawMessage
	if err := dec.Decode(&raw); err != nil {
		return err
	}
	switch text := string(raw); {
	case text == "null" || text == "true" || text == "false" || raw[0] == '{' || raw[0] == '[':
		return nil // says nothing that can be compared
	case raw[0] == '"':
		var t string
		if err := json.Unmarshal(raw, &t); err != nil {
			return err
		}
		if key == "request_rate" && strings.EqualFold(t, "inf") {
			b.Infinite = true
			return nil
		}
		b.Texts[key] = t
		return nil
	default:
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("want a number, have %s", clip(text))
		}
		b.Figures[key] = v
		return nil
	}
}

// benchFields are what every result has, whatever its options.
var benchFields = []string{
	"duration", "completed", "total_input_tokens", "total_output_tokens", "request_throughput", "output_throughput",
	"total_token_throughput", "mean_ttft_ms", "median_ttft_ms", "mean_tpot_ms", "median_tpot_ms", "mean_itl_ms", "median_itl_ms",
}

// benchLacks counts what a result lacks, and its odd requests.
func (s *source) benchLacks(b *Bench) {
	for _, f := range benchFields {
		if _, ok := b.Figures[f]; !ok {
			s.notes.lack(f, 1)
		}
	}
	if d, ok := b.Figures["duration"]; ok && d <= 0 {
		s.notes.ZeroDuration++
	}
	if len(b.arrays) > 0 {
		for key := range benchArrays {
			if !b.Has(key) {
				s.notes.lack(key, 1)
			}
		}
	} else if n, ok := b.Figures["failed"]; ok {
		s.notes.Failed += int(n)
	}
	for i := range b.Requests {
		r := &b.Requests[i]
		switch {
		case r.Failed():
			s.notes.Failed++
		case r.TTFT <= 0 && b.Has("ttfts"):
			s.notes.ZeroDuration++
		}
	}
}
