package scenarios

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestTooDeep(t *testing.T) {
	path := func(parts int) string { return strings.TrimSuffix(strings.Repeat("a.", parts), ".") }
	for _, c := range []struct {
		name, text string
		line       int
	}{
		{"empty", "", 0},
		{"as deep as may be", "[" + path(deepest) + "]\n", 0},
		{"table", "\n[" + path(deepest+1) + "]\n", 2},
		{"key", path(deepest+1) + " = 1", 1},
		{"spaces", strings.ReplaceAll(path(deepest+1), ".", " . ") + " = 1", 1},
		{"quoted parts", strings.ReplaceAll(path(deepest+1), "a", "'a'") + " = 1", 1},
		{"inline tables", "a = " + strings.Repeat("{a = ", deepest+1), 1},
		{"lists", "a = " + strings.Repeat("[", deepest+1), 1},
		{"numbers", "a = [" + strings.Repeat("1.5, ", 100) + "]", 0},
		{"in quotes", `a = "` + path(100) + `"`, 0},
		{"in a comment", "# " + path(100) + "\na = 1", 0},
		{"in long quotes", "a = '''\n" + path(100) + "'\n'''\n" + path(20) + "=1", 4},
		{"quote at the end of long quotes", `a = {b = """x"""", ` + path(20), 1},
		{"escaped quote", `a = "\"` + path(100) + `"`, 0},
		{"backslash at the end", `"\`, 0},
	} {
		if line := tooDeep(c.text); line != c.line {
			t.Errorf("%s: want line %d, have %d", c.name, c.line, line)
		}
	}
}

// TestDeepText says that a text that the decoder would chew on for a minute is refused at once.
func TestDeepText(t *testing.T) {
	start := time.Now()
	deep := strings.Repeat("a.", 16_000) + "a"
	for _, text := range []string{"[" + deep + "]", deep + " = 1", "a = " + strings.Repeat("{a=", 16_000)} {
		if _, err := Decode("x.toml", []byte(text)); err == nil || err.Error() != "x.toml:1:1: want at most 16 tables in each other" {
			t.Errorf("have %v", err)
		}
		if _, ok := tomlValue("{" + text + "}"); ok {
			t.Error("have a value")
		}
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestSourceOfStrangeFiles(t *testing.T) {
	large := filepath.Join(t.TempDir(), "large.toml")
	if err := os.WriteFile(large, make([]byte, largestFile+1), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{large: "want at most 1048576 bytes", os.DevNull: "want a regular file", ".": "want a file, have a directory"} {
		if _, err := Source(name); err == nil || err.Error() != name+": "+want {
			t.Errorf("Source(%q): have %v", name, err)
		}
		if _, err := Load("p5en-qwen3-32b", nil, Overlay(name)); err == nil || err.Error() != name+": "+want {
			t.Errorf("Overlay(%q): have %v", name, err)
		}
	}
}
