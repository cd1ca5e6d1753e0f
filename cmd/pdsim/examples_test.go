package main

import (
	"io"
	"os"
	"strings"
	"testing"
)

// TestExamples plays what the help of a verb shows, on few requests: who copies an example wants it to work.
func TestExamples(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("mine.toml", []byte("name = \"mine\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, verb := range newRoot().Commands() {
		if verb.Flags().Lookup("protocol") == nil {
			continue // it needs measurements, or does not end
		}
		for line := range strings.Lines(verb.Example) {
			t.Run(strings.TrimSpace(line), func(t *testing.T) {
				args := append(strings.Fields(line)[1:], "--set", "workload.requests=2", "--set", "workload.iterations=1")
				var complaint strings.Builder
				if code := execute(args, io.Discard, &complaint); code != exitFine {
					t.Errorf("want exit code %d, have %d: %s", exitFine, code, complaint.String())
				}
			})
		}
	}
}
