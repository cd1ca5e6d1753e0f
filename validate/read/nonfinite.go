package read

import (
	"bufio"
	"errors"
	"io"
)

// finite passes JSON text on with null in the place of NaN, Infinity and -Infinity, which Python writes and JSON does not
// have, and counts them. With lineAtATime its text ends at the end of each line until proceed is called.
type finite struct {
	in          *bufio.Reader
	lineAtATime bool
	line        int // lines that have ended
	replaced    int

	inString, escaped bool
	atEnd             bool   // of a line, with lineAtATime
	pending           []byte // what was written and not yet taken
}

// Read implements io.Reader.
func (f *finite) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		if len(f.pending) > 0 {
			k := copy(p[n:], f.pending)
			f.pending = f.pending[k:]
			n += k
			continue
		}
		if f.atEnd {
			break
		}
		b, err := f.in.ReadByte()
		if err != nil {
			if n > 0 && errors.Is(err, io.EOF) {
				return n, nil
			}
			return n, err
		}
		f.pass(b)
	}
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

// pass appends what one byte of the text becomes to pending.
func (f *finite) pass(b byte) {
	f.pending = f.pending[:0]
	if b == '\n' {
		f.line++
		if f.lineAtATime {
			f.inString, f.escaped, f.atEnd = false, false, true
			return
		}
	}
	switch {
	case f.escaped:
		f.escaped = false
	case f.inString && b == '\\':
		f.escaped = true
	case b == '"':
		f.inString = !f.inString
	case !f.inString && (b == 'N' && f.follows("aN") || b == 'I' && f.follows("nfinity") || b == '-' && f.follows("Infinity")):
		f.replaced++
		f.pending = append(f.pending, "null"...)
		return
	}
	f.pending = append(f.pending, b)
}

// follows takes the given text if it comes next.
func (f *finite) follows(text string) bool {
	if next, _ := f.in.Peek(len(text)); string(next) != text {
		return false
	}
	f.in.Discard(len(text))
	return true
}

// proceed goes on to the next line, passing over what is left of the present one, and says whether there is one.
func (f *finite) proceed() bool {
	for !f.atEnd {
		b, err := f.in.ReadByte()
		if err != nil {
			return false
		}
		f.pass(b)
	}
	f.atEnd, f.pending = false, f.pending[:0]
	_, err := f.in.Peek(1)
	return err == nil
}
