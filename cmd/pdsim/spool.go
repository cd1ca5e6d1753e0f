package main

import (
	"bufio"
	"io"
	"os"
)

// spool keeps what a job writes in a file of its own until all jobs are done, so that neither the length of the text nor
// the order of jobs matters. An error shows when the spool is closed. The zero spool is ready for use.
type spool struct {
	file  *os.File
	named bool // the file still has its name
	out   *bufio.Writer
	err   error
}

// Write appends to the text.
func (s *spool) Write(text []byte) (int, error) {
	if s.file == nil && s.err == nil {
		if s.file, s.err = os.CreateTemp("", "pdsim-*"); s.err == nil {
			// On Unix the file lives on without a name, and ends with the program, however that ends.
			s.named = os.Remove(s.file.Name()) != nil
		}
		s.out = bufio.NewWriter(s.file)
	}
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.out.Write(text)
	s.fail(err)
	return n, err
}

// fail keeps the first error.
func (s *spool) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// close brings all text into the file and says what went wrong so far.
func (s *spool) close() error {
	if s.file != nil {
		s.fail(s.out.Flush())
	}
	return s.err
}

// copyTo appends the text to w.
func (s *spool) copyTo(w io.Writer) error {
	if s.file == nil {
		return nil
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := io.Copy(w, s.file)
	return err
}

// discard removes the file.
func (s *spool) discard() {
	if s.file != nil {
		s.file.Close()
		if s.named {
			os.Remove(s.file.Name())
		}
	}
}
