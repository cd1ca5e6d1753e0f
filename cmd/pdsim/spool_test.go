package main

import (
	"os"
	"runtime"
	"strings"
	"testing"
)

// TestSpoolLeavesNothing says that a run that is killed leaves no spool behind, and that the text is kept all the same.
func TestSpoolLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, dir)
	}
	var s spool
	if _, err := s.Write([]byte("text")); err != nil {
		t.Fatal(err)
	}
	left := func() int {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	if n := left(); n > 0 && runtime.GOOS != "windows" {
		t.Errorf("want no file while the spool is in use, have %d", n)
	}
	var copied strings.Builder
	if err := s.close(); err != nil {
		t.Error(err)
	}
	if err := s.copyTo(&copied); err != nil || copied.String() != "text" {
		t.Errorf("want the text, have %q, %v", copied.String(), err)
	}
	s.discard()
	if n := left(); n > 0 {
		t.Errorf("want no file afterwards, have %d", n)
	}
}

// TestSpoolWithoutRoom says that a spool that cannot be made says so when it is closed.
func TestSpoolWithoutRoom(t *testing.T) {
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, t.TempDir()+"/none")
	}
	var s spool
	if _, err := s.Write([]byte("text")); err == nil {
		t.Error("want an error")
	}
	if s.close() == nil {
		t.Error("want an error at the end")
	}
	s.discard()
}
