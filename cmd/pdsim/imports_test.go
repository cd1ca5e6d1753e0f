package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// listed is what the go command says of a package.
type listed struct {
	ImportPath string
	Imports    []string
}

func listPackages(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "pdsim/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		switch err := dec.Decode(&p); {
		case errors.Is(err, io.EOF):
			return all
		case err != nil:
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// layers is the folders from the kernel up. A package imports from its own and those before it. The docs are pages for
// the command to print and import nothing.
var layers = []string{"docs", "sim", "model", "protocols", "scenarios", "validate", "cmd/pdsim"}

// layer is the place of a package of this module, or -1.
func layer(path string) int {
	return slices.IndexFunc(layers, func(l string) bool { return path == "pdsim/"+l || strings.HasPrefix(path, "pdsim/"+l+"/") })
}

// rules are imports that some layers do without, and why.
var rules = []struct {
	layers  []string
	imports []string
	why     string
}{
	{[]string{"sim", "model", "protocols"}, []string{"log", "net", "net/http", "time"}, "a simulation knows no time but its own, and talks to nobody"},
	{[]string{"sim", "protocols"}, []string{"os"}, "a simulation reads nothing while it runs"},
	{[]string{"sim", "model", "protocols", "scenarios"}, []string{"math/rand"}, "random numbers come from named streams, by the second version of the package"},
	{[]string{"sim", "protocols"}, []string{"sync", "sync/atomic"}, "a simulation is one thread"},
	{[]string{"sim", "model", "protocols", "scenarios", "validate"}, []string{"pdsim/docs"}, "only the command prints pages"},
	{[]string{"protocols"}, []string{"pdsim/model/nixl", "pdsim/model/catalogue", "pdsim/model/compute"}, "a protocol is a schedule; costs are another's business"},
	{[]string{"sim", "model", "protocols", "scenarios", "validate"}, []string{
		"github.com/spf13/cobra", "github.com/olekukonko/tablewriter", "github.com/schollz/progressbar/v3", "golang.org/x/term",
	}, "only the command has a terminal"},
}

func TestImports(t *testing.T) {
	for _, p := range listPackages(t) {
		from := layer(p.ImportPath)
		if from < 0 {
			t.Errorf("%s: want a folder of %v", p.ImportPath, layers)
			continue
		}
		for _, imported := range p.Imports {
			if to := layer(imported); to > from {
				t.Errorf("%s imports %s: imports go from %s down to %s", p.ImportPath, imported, layers[to], layers[from])
			}
			if layers[from] == "sim" && strings.Contains(strings.Split(imported, "/")[0], ".") {
				t.Errorf("%s imports %s: the kernel needs nothing but the standard library", p.ImportPath, imported)
			}
			for _, r := range rules {
				if slices.Contains(r.layers, layers[from]) && slices.Contains(r.imports, imported) {
					t.Errorf("%s imports %s: %s", p.ImportPath, imported, r.why)
				}
			}
		}
	}
}

// TestRulesStillMean says that a rule's own names exist: a ban on a package that has moved bans nothing.
func TestRulesStillMean(t *testing.T) {
	var names []string
	for _, p := range listPackages(t) {
		names = append(names, p.ImportPath)
	}
	for _, r := range rules {
		for _, banned := range r.imports {
			if strings.HasPrefix(banned, "pdsim/") && !slices.Contains(names, banned) {
				t.Errorf("no package %s", banned)
			}
		}
	}
}
