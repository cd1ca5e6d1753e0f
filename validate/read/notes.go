package read

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Options say how a reader treats what is wrong. The zero value stops at the first malformed line.
type Options struct {
	KeepGoing bool // skip malformed lines and count them
}

// Notes are what a reader noticed besides the records that it handed on.
type Notes struct {
	Records      int            // records handed on
	Malformed    int            // lines or objects skipped, with KeepGoing
	First        error          // about the first of them
	Missing      map[string]int // records by the name of a field that they lack
	NonFinite    int            // figures that were NaN or infinite and count as missing
	ZeroDuration int            // records of no duration, of which no rate can be had
	Failed       int            // requests that failed
}

// Add takes in the notes of another file.
func (n *Notes) Add(o *Notes) {
	n.Records += o.Records
	n.Malformed += o.Malformed
	n.NonFinite += o.NonFinite
	n.ZeroDuration += o.ZeroDuration
	n.Failed += o.Failed
	if n.First == nil {
		n.First = o.First
	}
	for field, count := range o.Missing {
		n.lack(field, count)
	}
}

// lack counts records without a field.
func (n *Notes) lack(field string, count int) {
	if n.Missing == nil {
		n.Missing = map[string]int{}
	}
	n.Missing[field] += count
}

// String says in a line what was odd, or "" if nothing was.
func (n *Notes) String() string {
	var parts []string
	add := func(count int, what string) {
		if count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count, what))
		}
	}
	add(n.Malformed, "malformed and skipped")
	add(n.Failed, "failed")
	add(n.NonFinite, "not finite")
	add(n.ZeroDuration, "without duration")
	for _, field := range slices.Sorted(maps.Keys(n.Missing)) {
		add(n.Missing[field], "without "+field)
	}
	return strings.Join(parts, ", ")
}

// source is a file that is being read.
type source struct {
	name  string
	opt   Options
	notes *Notes
}

func newSource(name string, opt Options) source { return source{name, opt, &Notes{}} }

// at makes an error about a line.
func (s *source) at(line int, err error) error { return fmt.Errorf("%s:%d: %w", s.name, line, err) }

// bad returns the error about a malformed line, or nil after counting it when the reading is to go on.
func (s *source) bad(line int, err error) error {
	err = s.at(line, err)
	if !s.opt.KeepGoing {
		return err
	}
	s.notes.Malformed++
	if s.notes.First == nil {
		s.notes.First = err
	}
	return nil
}
