package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestCalibrationPage says that what the page of calibration shows is what its commands print.
func TestCalibrationPage(t *testing.T) {
	if testing.Short() {
		t.Skip("plays cases hundreds of times")
	}
	const page = "../../docs/calibration.md"
	have, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	want := have
	for mark, args := range map[string]string{
		"example": "calibrate --case p5-efa-transfers --fit backend.post_read --metric kv.avg_post_ms --holdout length",
		"vague":   "calibrate --case p5-efa-transfers --fit backend.post_read --fit backend.post_fixed --metric kv.avg_post_ms --holdout length",
	} {
		if !bytes.Contains(have, []byte("pdsim "+args)) {
			t.Errorf("the page does not name the command: pdsim %s", args)
		}
		var out bytes.Buffer
		root := newRoot()
		root.SetOut(&out)
		root.SetArgs(strings.Fields(args))
		if err := root.Execute(); err != nil {
			t.Fatal(err)
		}
		open, shut := []byte("<!-- "+mark+" -->\n"), []byte("<!-- /"+mark+" -->\n")
		i, j := bytes.Index(want, open), bytes.Index(want, shut)
		if i < 0 || j < i {
			t.Fatalf("the page has no marks %q", mark)
		}
		want = bytes.Join([][]byte{want[:i+len(open)], []byte("```\n"), out.Bytes(), []byte("```\n"), want[j:]}, nil)
	}
	if *update {
		if err := os.WriteFile(page, want, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(have, want) {
		t.Errorf("run go test ./cmd/pdsim -run CalibrationPage -update; the commands print\n%s", want)
	}
}
