package main

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// terminal is the file behind w if that is a terminal.
func terminal(w io.Writer) (*os.File, bool) {
	f, ok := w.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

// progress shows on a terminal how many of n pieces of work are done. It returns what to call after each piece and what to
// call at the end.
func progress(w io.Writer, n int, what string) (step, end func()) {
	f, ok := terminal(w)
	if !ok {
		return func() {}, func() {}
	}
	bar := progressbar.NewOptions(n,
		progressbar.OptionSetWriter(f),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(),
		progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetRenderBlankState(true),
	)
	// What the bar cannot write is no reason to give up the work.
	return func() { _ = bar.Add(1) }, func() { _ = bar.Finish() }
}
