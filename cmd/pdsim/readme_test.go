package main

import (
	"bytes"
	"os"
	"testing"
)

// TestReadmeShowsTheRun says that the table in the README is what its first command prints.
func TestReadmeShowsTheRun(t *testing.T) {
	const page = "../../README.md"
	readme, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("COLUMNS", "80")
	var out bytes.Buffer
	root := newRoot()
	root.SetOut(&out)
	root.SetArgs([]string{"run", "p5en-qwen3-32b"})
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	const open, shut = "```\npdsim ", "```\n"
	start := bytes.Index(readme, []byte(open)) + len("```\n")
	end := start + bytes.Index(readme[start:], []byte(shut))
	if *update {
		readme = bytes.Join([][]byte{readme[:start], out.Bytes(), readme[end:]}, nil)
		if err := os.WriteFile(page, readme, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if shown := string(readme[start:end]); shown != out.String() {
		t.Errorf("run go test ./cmd/pdsim -run Readme -update; the README shows\n%s\nthe command prints\n%s", shown, out.String())
	}
}
