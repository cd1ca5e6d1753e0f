package catalogue

import (
	"strings"
	"testing"
)

// TestMistakes breaks the built-in files one way at a time.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ file, from, to, want string }{
		{"gpus.toml", `bf16 = `, `bf17 = `, `gpus.toml: unknown key "h100.bf17"`},
		{"gpus.toml", `"3.35TB/s", source = "NVIDIA H100 datasheet"`, `"3.35TB/s"`, `gpus.toml: h100.memory_bandwidth: want a value with its source`},
		{"gpus.toml", `"3.35TB/s"`, `"3.35TBps"`, `want a rate such as "200Gb/s", have "3.35TBps"`},
		{"gpus.toml", `range = [0.72, 0.85]`, `range = [0.8, 0.85]`, `gpus.toml: h100.gemm_efficiency: range: want 0.79 between the lowest and the highest value, have [0.8 0.85]`},
		{"gpus.toml", `range = [0.72, 0.85]`, `range = [0.72]`, `gpus.toml: h100.gemm_efficiency: range: want the lowest and the highest value, have 1 values`},
		{"gpus.toml", `like = "h100"`, `like = "h101"`, `gpus.toml: h200.like: unknown entry "h101"; did you mean "h100"?`},
		{"gpus.toml", `like = "rtx-4090"`, `like = "h200"`, `gpus.toml: l40s.like: want an entry that is like no other, have "h200"`},
		{"instances.toml", `gpu = "h100"`, `gpu = "h1000"`, `instances.toml: p5.48xlarge.gpu: unknown GPU "h1000"; did you mean "h100"?`},
		{"instances.toml", `fabric = "efa-p5"`, `fabric = "efa"`, `instances.toml: p5.48xlarge.fabric: unknown fabric "efa"; did you mean "efa-p5" or "efa-p5en" or "efa-p6"?`},
		{"backends.toml", `notify_write = "data"`, `notify_write = "date"`, `backends.toml: libfabric-1.1.notify_write: want "poll" or "data", have "date"`},
		{"software.toml", `{ value = true, `, `{ value = true, range = [false, true], `, `async_scheduling: range: want true between the lowest and the highest value, have [false true]`},
	} {
		texts := map[string]string{}
		for _, file := range kinds {
			text, err := files.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts[file] = string(text)
			if file == c.file {
				texts[file] = strings.Replace(texts[file], c.from, c.to, 1)
				if texts[file] == string(text) {
					t.Fatalf("%s has no %q", file, c.from)
				}
			}
		}
		if _, err := parse(texts); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s:\nhave %v\nwant %s", c.file, c.to, err, c.want)
		}
	}
}
