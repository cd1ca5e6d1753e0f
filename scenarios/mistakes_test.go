package scenarios

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write the files that tests compare with")

// TestMistakes compares what is said of bad scenarios, which is all that their authors have to go by.
func TestMistakes(t *testing.T) {
	const file = "testdata/mistakes.txtar"
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	out := &txtar.Archive{Comment: archive.Comment}
	var want string
	for i, f := range archive.Files {
		if strings.HasSuffix(f.Name, ".want") {
			continue
		}
		out.Files = append(out.Files, f)
		have := said(f) + "\n"
		out.Files = append(out.Files, txtar.File{Name: f.Name + ".want", Data: []byte(have)})
		if want = ""; i+1 < len(archive.Files) && archive.Files[i+1].Name == f.Name+".want" {
			want = string(archive.Files[i+1].Data)
		}
		if diff := cmp.Diff(want, have); diff != "" && !*update {
			t.Errorf("%s: -want +have\n%s", f.Name, diff)
		}
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(out), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// said is the error of a scenario with the options that its comments name.
func said(f txtar.File) string {
	var layers []Layer
	for line := range strings.Lines(string(f.Data)) {
		if option, ok := strings.CutPrefix(strings.TrimSpace(line), "# --set "); ok {
			layers = append(layers, Set(option))
		}
	}
	_, err := decode(f.Name, f.Data, "", layers)
	if err == nil {
		return "fine"
	}
	text := err.Error()
	for what, names := range map[string][]string{ // which grow with the catalogue
		"HARDWARE": hardwareNames(), "BACKENDS": backendNames(), "SOFTWARE": softwareNames(), "MODELS": modelNames(),
	} {
		text = strings.ReplaceAll(text, oneOf(names), what)
		text = strings.ReplaceAll(text, fmt.Sprintf("one of %d names", len(names)), "one of N names")
	}
	return strings.ReplaceAll(text, strings.Join(protocolNames(), ", "), "PROTOCOLS")
}
