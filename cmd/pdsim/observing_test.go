package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestObservingShowsTheFiles says that the page on observing shows what its command writes.
func TestObservingShowsTheFiles(t *testing.T) {
	const page = "../../docs/observing.md"
	have, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	command := regexp.MustCompile(`(?s)\n(pdsim run .*?)\n` + "```").FindSubmatch(have)
	if command == nil {
		t.Fatal("the page has no command")
	}
	args := strings.Fields(strings.ReplaceAll(string(command[1]), "\\\n", " "))
	for i, arg := range args {
		if i > 0 && (args[i-1] == "--timeline" || args[i-1] == "--kv-log" || args[i-1] == "--prometheus") {
			args[i] = filepath.Join(dir, arg)
		}
	}
	root := newRoot()
	root.SetOut(io.Discard)
	root.SetArgs(args[1:])
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	file := func(name string) []string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return strings.SplitAfter(string(text), "\n")
	}
	var metrics []string
	for _, line := range file("metrics/D0.prom") {
		if strings.Contains(line, "vllm:nixl_post_time_seconds") || strings.Contains(line, "vllm:time_to_first_token_seconds_sum") {
			metrics = append(metrics, line)
		}
	}
	want := have
	for mark, lines := range map[string][]string{"timeline": file("t.jsonl")[:2], "kv-log": file("kv.log"), "prometheus": metrics} {
		want = shown(t, want, mark, strings.Join(lines, ""))
	}
	switch {
	case bytes.Equal(have, want):
	case *update:
		if err := os.WriteFile(page, want, 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("run go test ./cmd/pdsim -run Observing -update; want\n%s", want)
	}
}

// shown puts text, as a block, between a page's marks of that name.
func shown(t *testing.T, page []byte, mark, text string) []byte {
	t.Helper()
	open, shut := "<!-- "+mark+" -->\n", "<!-- /"+mark+" -->\n"
	before, rest, opened := bytes.Cut(page, []byte(open))
	_, after, closed := bytes.Cut(rest, []byte(shut))
	if !opened || !closed {
		t.Fatalf("the page has no marks %q", mark)
	}
	return []byte(string(before) + open + "\n```\n" + text + "```\n\n" + shut + string(after))
}
