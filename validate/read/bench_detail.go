package read

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// benchArrays are the arrays of a detailed result, one item a request, and how an item is taken.
var benchArrays = map[string]func(r *BenchRequest, dec *json.Decoder) error{
	"input_lens":  func(r *BenchRequest, dec *json.Decoder) error { return r.count(dec, &r.Input) },
	"output_lens": func(r *BenchRequest, dec *json.Decoder) error { return r.count(dec, &r.Output) },
	"start_times": func(r *BenchRequest, dec *json.Decoder) error { return r.number(dec, &r.Start) },
	"ttfts":       func(r *BenchRequest, dec *json.Decoder) error { return r.number(dec, &r.TTFT) },
	"latencies":   func(r *BenchRequest, dec *json.Decoder) error { return r.number(dec, &r.Latency) },
	"queue_times": func(r *BenchRequest, dec *json.Decoder) error { return r.number(dec, &r.Queue) },
	"errors":      func(r *BenchRequest, dec *json.Decoder) error { return text(dec, &r.Err) },
	"itls":        (*BenchRequest).gaps,
}

// number reads a time; one that is not finite marks the request.
func (r *BenchRequest) number(dec *json.Decoder, to *float64) error {
	var v *float64
	if err := dec.Decode(&v); err != nil {
		return err
	}
	if v == nil {
		r.NaN = true
		return nil
	}
	*to = *v
	return nil
}

func (r *BenchRequest) count(dec *json.Decoder, to *int) error {
	var v float64
	if err := r.number(dec, &v); err != nil {
		return err
	}
	if v < 0 || v > 1<<31 || v != math.Trunc(v) {
		return fmt.Errorf("want a number of tokens, have %v", v)
	}
	*to = int(v)
	return nil
}

func text(dec *json.Decoder, to *string) error {
	var v *string
	if err := dec.Decode(&v); err != nil {
		return err
	}
	if v != nil {
		*to = *v
	}
	return nil
}

// gaps reads one request's gaps.
func (r *BenchRequest) gaps(dec *json.Decoder) error {
	return items(dec, func(int) error {
		var gap float64
		if err := r.number(dec, &gap); err != nil {
			return err
		}
		r.ITLs = append(r.ITLs, gap)
		return nil
	})
}

// array reads one array of the detail into the requests.
func (b *Bench) array(dec *json.Decoder, key string, take func(*BenchRequest, *json.Decoder) error) error {
	b.arrays[key] = 0
	return items(dec, func(i int) error {
		if i == len(b.Requests) {
			b.Requests = append(b.Requests, BenchRequest{})
		}
		b.arrays[key]++
		return take(&b.Requests[i], dec)
	})
}

// items walks over the items of an array; null is an empty one.
func items(dec *json.Decoder, item func(i int) error) error {
	t, err := dec.Token()
	if err != nil || t == nil {
		return err
	}
	if t != json.Delim('[') {
		return fmt.Errorf("want a list, have %v", t)
	}
	for i := 0; dec.More(); i++ {
		if err := item(i); err != nil {
			return err
		}
	}
	_, err = dec.Token()
	return err
}

// skip passes over a value without keeping it.
func skip(dec *json.Decoder) error {
	for depth := 0; ; {
		t, err := dec.Token()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('['), json.Delim('{'):
			depth++
		case json.Delim(']'), json.Delim('}'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

// errUneven is the error about arrays that do not tell of the same requests.
var errUneven = errors.New("arrays of the detail differ in length")

// aligned checks that all arrays have an item for each request.
func (b *Bench) aligned() error {
	for key, n := range b.arrays {
		if n != len(b.Requests) {
			return fmt.Errorf("%w: %s has %d, others up to %d", errUneven, key, n, len(b.Requests))
		}
	}
	return nil
}

// Samples are the figures of the answered requests of a detailed result, one by one, in milliseconds.
type Samples struct {
	TTFT, TPOT, ITL, E2EL []float64
}

// Samples returns what a detailed result has. Failed requests, and those with a figure that is not finite, are left out.
// A file without latencies has the same in the sum of the first token's time and the gaps, which is how the client
// measures.
func (b *Bench) Samples() Samples {
	var s Samples
	for i := range b.Requests {
		r := &b.Requests[i]
		if r.Failed() || r.NaN {
			continue
		}
		latency := r.Latency
		if !b.Has("latencies") {
			latency = r.TTFT
			for _, gap := range r.ITLs {
				latency += gap
			}
		}
		s.TTFT = append(s.TTFT, 1e3*r.TTFT)
		if b.Has("latencies") || b.Has("itls") {
			s.E2EL = append(s.E2EL, 1e3*latency)
			if r.Output > 1 {
				s.TPOT = append(s.TPOT, 1e3*(latency-r.TTFT)/float64(r.Output-1))
			}
		}
		for _, gap := range r.ITLs {
			s.ITL = append(s.ITL, 1e3*gap)
		}
	}
	return s
}
