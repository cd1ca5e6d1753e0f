package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// commandBlock is a command in a page with what it prints. The comment before it holds the command and, after bars, how the
// lines begin with which the page begins to show and stops:
//
//	<!-- shows: pdsim explain p5en-qwen3-32b --sensitivity | from what 10 | until no effect -->
//	```
//	...
//	```
var commandBlock = regexp.MustCompile("(?m)^<!-- shows: pdsim (.*?)(?: \\| from (.*?))?(?: \\| until (.*?))? -->\n```\n(?:.*\n)*?```\n")

// TestPagesShowWhatCommandsPrint holds the pages for learners to what their commands print.
func TestPagesShowWhatCommandsPrint(t *testing.T) {
	t.Setenv("COLUMNS", "100")
	for _, name := range []string{"life-of-a-request.md", "reading-a-waterfall.md", "reviewing-a-protocol.md"} {
		page := filepath.Join(root, "docs", name)
		have, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		commands := 0
		want := commandBlock.ReplaceAllFunc(have, func(block []byte) []byte {
			commands++
			m := commandBlock.FindSubmatch(block)
			comment, _, _ := bytes.Cut(block, []byte("\n"))
			return []byte(string(comment) + "\n```\n$ pdsim " + string(m[1]) + "\n" + printed(t, string(m[1]), string(m[2]), string(m[3])) + "```\n")
		})
		if commands < 2 || bytes.Count(have, []byte("<!-- shows:")) != commands {
			t.Errorf("%s: %d commands in the form that is wanted, %d marks", name, commands, bytes.Count(have, []byte("<!-- shows:")))
		}
		if bytes.Equal(have, want) {
			continue
		}
		if !*update {
			t.Errorf("run go test ./cmd/pdsim -run Pages -update; %s should be\n%s", name, want)
		} else if err := os.WriteFile(page, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// printed is what a command prints below the head that says which scenario ran, from a line to another.
func printed(t *testing.T, command, from, until string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := execute(strings.Fields(command), &out, &errs); code != exitFine {
		t.Fatalf("pdsim %s: %s", command, errs.String())
	}
	_, text, _ := strings.Cut(out.String(), "\n\n")
	line := func(begins string) int {
		i := strings.Index(text, "\n"+begins)
		if i < 0 {
			t.Fatalf("pdsim %s prints no line that begins with %q", command, begins)
		}
		return i + 1
	}
	if from != "" {
		text = "...\n" + text[line(from):]
	}
	if until != "" {
		text = strings.TrimRight(text[:line(until)], "\n") + "\n...\n"
	}
	return text
}
