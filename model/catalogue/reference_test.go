package catalogue

import (
	"bytes"
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write docs/catalogue.md")

// TestReference says that the page of values is what the catalogue makes.
func TestReference(t *testing.T) {
	const page = "../../docs/catalogue.md"
	c, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := c.Reference(&want); err != nil {
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
	if !bytes.Equal(have, want.Bytes()) {
		t.Error("docs/catalogue.md is not what the catalogue makes: run go test ./model/catalogue -run Reference -update")
	}
}
