package scenarios

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDocs says that the page of keys is what the table of keys makes.
func TestDocs(t *testing.T) {
	const page = "../docs/scenarios.md"
	var want bytes.Buffer
	if err := Reference(&want); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(page, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(have), want.String()); diff != "" {
		t.Errorf("run go test ./scenarios -run Docs -update: -page +table\n%s", diff)
	}
}

// TestTemplate says that what Init writes is the scenario of all defaults and shows every key.
func TestTemplate(t *testing.T) {
	var text bytes.Buffer
	if err := Init(&text, "mine"); err != nil {
		t.Fatal(err)
	}
	sp, err := Decode("mine.toml", text.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	want := Defaults()
	want.Name = "mine"
	if diff := cmp.Diff(&want, sp); diff != "" {
		t.Errorf("-defaults +template\n%s", diff)
	}
	for _, k := range Keys() {
		if !strings.Contains(text.String(), k.Meaning) {
			t.Errorf("%s is not explained", k.Path)
		}
	}
}
