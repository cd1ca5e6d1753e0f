package read

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// KVLine is one `KV Transfer metrics` line of a vLLM server's log: the rank-level transfers that ended in an interval, of
// all ranks together. MB are 2^20 bytes.
type KVLine struct {
	Line int    // in the file, from 1
	Time string // as the log gives it, such as "09-20 12:00:10"; "" where it does not
	Who  string // the process that wrote it, such as "APIServer pid=4242"; "" where it does not say

	Values map[string]float64 // by the names of KVNames, and any others under the log's own names
}

// KVNames are the figures of a line by the names that the log gives them. The values are pdsim's names, of which the
// times are in milliseconds.
var KVNames = map[string]string{
	"Num successful transfers":  "kv.num_transfers",
	"Avg xfer time (ms)":        "kv.avg_xfer_ms",
	"P90 xfer time (ms)":        "kv.p90_xfer_ms",
	"Avg post time (ms)":        "kv.avg_post_ms",
	"P90 post time (ms)":        "kv.p90_post_ms",
	"Avg MB per transfer":       "kv.avg_mb",
	"Throughput (MB/s)":         "kv.throughput_mb_s",
	"Avg number of descriptors": "kv.avg_descriptors",
}

// Has returns a figure and whether the line has it.
func (l *KVLine) Has(name string) (float64, bool) {
	v, ok := l.Values[name]
	return v, ok
}

var (
	kvMark   = []byte("KV Transfer metrics: ")
	logStamp = regexp.MustCompile(`\b\d\d-\d\d \d\d:\d\d:\d\d\b`)
	logWho   = regexp.MustCompile(`^\s*\(([^()]+)\)`)
)

// KVLines reads the `KV Transfer metrics` lines of a log and passes over all others. An interval in which every transfer
// failed prints zeros; it counts in Notes.ZeroDuration and is handed on.
func KVLines(name string, r io.Reader, opt Options, to func(KVLine) error) (*Notes, error) {
	s := newSource(name, opt)
	err := s.each(r, longestLog, func(line []byte, number int) error {
		before, after, ok := bytes.Cut(line, kvMark)
		if !ok {
			return nil
		}
		k := KVLine{Line: number, Time: string(logStamp.Find(before)), Values: map[string]float64{}}
		if who := logWho.FindSubmatch(before); who != nil {
			k.Who = string(who[1])
		}
		if err := s.pairs(string(after), k.Values); err != nil {
			return err
		}
		for _, field := range KVNames {
			if _, ok := k.Values[field]; !ok {
				s.notes.lack(field, 1)
			}
		}
		if d, ok := k.Values["kv.avg_xfer_ms"]; ok && d == 0 {
			s.notes.ZeroDuration++
		}
		return hand(&s, k, to)
	})
	return s.notes, err
}

// pairs reads "name=value, name=value".
func (s *source) pairs(text string, into map[string]float64) error {
	for part := range strings.SplitSeq(text, ", ") {
		at := strings.LastIndexByte(part, '=')
		if at <= 0 {
			return fmt.Errorf("want name=value, have %q", clip(part))
		}
		name := strings.TrimSpace(part[:at])
		if known, ok := KVNames[name]; ok {
			name = known
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(part[at+1:]), 64)
		if err != nil {
			return fmt.Errorf("%s: want a number, have %q", clip(name), clip(part[at+1:]))
		}
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			s.notes.NonFinite++
		case v < 0:
			return fmt.Errorf("%s: want 0 or more, have %q", clip(name), clip(part[at+1:]))
		default:
			into[name] = v
		}
	}
	return nil
}

// clip shortens text for a message.
func clip(text string) string {
	if len(text) > 60 {
		return text[:60] + "..."
	}
	return text
}
