package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/term"
)

// writeTo has write make a file, whole or not at all: it is written under another name beside it and renamed. What is no
// regular file, such as a pipe, is written as it comes. Without a name all goes to stdout.
func writeTo(name string, stdout io.Writer, write func(w io.Writer) error) error {
	if name == "" {
		return write(stdout)
	}
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	mode := os.FileMode(0o644)
	if info, err := os.Stat(name); err == nil {
		if !info.Mode().IsRegular() {
			f, err := os.OpenFile(name, os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			return closing(f, write(f))
		}
		mode = info.Mode().Perm() // whoever has hidden the file, or shared it, wants the new one so, too
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone after the rename
	err = write(f)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err := closing(f, err); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// closing closes a file and returns the first of the errors.
func closing(f *os.File, err error) error {
	if closed := f.Close(); err == nil {
		return closed
	}
	return err
}

// columns is the width that tables may take: that of the terminal, or of COLUMNS, or 100.
func columns(w io.Writer) int {
	if f, ok := terminal(w); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	var width int
	if _, err := fmt.Sscan(os.Getenv("COLUMNS"), &width); err == nil && width > 0 {
		return width
	}
	return 100
}
