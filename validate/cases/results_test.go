package cases

import (
	"strings"
	"testing"
	"testing/fstest"

	"pdsim/validate/read"
)

// TestRunsWithoutAnswersAreLeftOut holds that a run that answered nothing is counted and compared with nothing.
func TestRunsWithoutAnswersAreLeftOut(t *testing.T) {
	dir := fstest.MapFS{
		"pull_qps2_in1024_out16_iter1.json": {Data: []byte(`{"completed": 10, "num_prompts": 10, "mean_ttft_ms": 61.5, "duration": 5}`)},
		"pull_qps9_in1024_out16_iter1.json": {Data: []byte(`{"completed": 0, "num_prompts": 10, "mean_ttft_ms": 0, "duration": 5}`)},
		"readme.txt":                        {Data: []byte("x")},
	}
	c, notes, others, err := FromResults("r", dir, "p5en-qwen3-32b", read.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Points) != 1 || !strings.Contains(notes.String(), "1 without an answered request") || len(others) != 1 {
		t.Errorf("%d points, %q, other files %q", len(c.Points), notes, others)
	}
}

// TestDirReadsOn holds that malformed lines of a case's table are skipped when they may be.
func TestDirReadsOn(t *testing.T) {
	files := fstest.MapFS{
		"case.toml": {Data: []byte("title='t'\nfamily='f'\nsource='s'\nlicence='l'\nscenario='p5en-qwen3-32b'\nprotocol='pull'\n" +
			"[[table]]\nfile='t.csv'\nname='{n}'\nmeasured={mean_ttft_ms='ttft'}\n")},
		"t.csv": {Data: []byte("n,ttft\na,1\nb,2,3\nc,4\n")},
	}
	if _, err := load("x", files, read.Options{}); err == nil || !strings.Contains(err.Error(), "t.csv:3: want 2 fields, have 3") {
		t.Errorf("have %v", err)
	}
	c, err := load("x", files, read.Options{KeepGoing: true})
	if err != nil || len(c.Points) != 2 || c.Notes.Malformed != 1 {
		t.Errorf("%+v, %v", c, err)
	}
}
