package read

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
)

// Bounds on the length of a line, so that a file that is not what it seems to be does not fill the memory.
const (
	longestLog  = 1 << 20  // of a log
	longestJSON = 64 << 20 // with all tokens of a request, or all steps of a run
)

// errTooLong is the error about a line beyond its bound.
var errTooLong = errors.New("line is too long")

// plain takes off compression and the byte order mark.
func plain(r io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	if magic, _ := in.Peek(2); string(magic) == "\x1f\x8b" {
		unzipped, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		in = bufio.NewReaderSize(unzipped, 64<<10)
	}
	if mark, _ := in.Peek(3); string(mark) == "\xef\xbb\xbf" {
		in.Discard(3)
	}
	return in, nil
}

// lines cuts text into lines.
type lines struct {
	in     *bufio.Reader
	number int // of the latest line, from 1
	limit  int // bytes of a line
	buf    []byte
}

// newLines returns the lines of the source's text.
func (s *source) newLines(r io.Reader, limit int) (*lines, error) {
	in, err := plain(r)
	if err != nil {
		return nil, s.at(1, err)
	}
	return &lines{in: in, limit: limit}, nil
}

// next returns the next line without its end, valid until the next call. A line beyond the limit is passed over and
// reported as errTooLong; after that the reading can go on.
func (l *lines) next() ([]byte, error) {
	l.number++
	l.buf = l.buf[:0]
	long := false
	for {
		piece, err := l.in.ReadSlice('\n')
		if long = long || len(l.buf)+len(piece) > l.limit; !long {
			l.buf = append(l.buf, piece...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(l.buf) == 0 && !long:
			return nil, io.EOF
		case err != nil && !errors.Is(err, io.EOF):
			return nil, err
		case long:
			return nil, fmt.Errorf("%w: want at most %d bytes", errTooLong, l.limit)
		}
		return bytes.TrimRight(l.buf, "\r\n"), nil
	}
}

// each hands on every line. An error from do is about that line, unless it is a [stop].
func (s *source) each(r io.Reader, limit int, do func(line []byte, number int) error) error {
	l, err := s.newLines(r, limit)
	if err != nil {
		return err
	}
	for {
		line, err := l.next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err == nil:
			err = do(line, l.number)
		case !errors.Is(err, errTooLong):
			return s.at(l.number, err)
		}
		var end stop
		switch {
		case errors.As(err, &end):
			return end.error
		case err != nil:
			if err = s.bad(l.number, err); err != nil {
				return err
			}
		}
	}
}

// stop is an error from a caller's function, which ends the reading whatever the options.
type stop struct{ error }

// hand passes a record on and counts it.
func hand[T any](s *source, record T, to func(T) error) error {
	s.notes.Records++
	if err := to(record); err != nil {
		return stop{err}
	}
	return nil
}

// File opens a file and hands its name and text to a function.
func File(path string, do func(name string, r io.Reader) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return do(path, f)
}
