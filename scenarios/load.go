package scenarios

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// builtins are the scenarios that come with pdsim.
//
//go:embed builtin/*.toml
var builtins embed.FS

// largestFile is more than any scenario needs; larger files are taken for something else.
const largestFile = 1 << 20

// Builtin returns the names of the scenarios that come with pdsim, sorted.
func Builtin() []string {
	entries, err := builtins.ReadDir("builtin")
	if err != nil {
		panic("scenarios: " + err.Error())
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".toml"))
	}
	return names
}

// Source returns the TOML text of a built-in scenario or of a file.
func Source(nameOrPath string) ([]byte, error) {
	if slices.Contains(Builtin(), nameOrPath) {
		return builtins.ReadFile(path.Join("builtin", nameOrPath+".toml"))
	}
	if _, err := os.Stat(nameOrPath); errors.Is(err, fs.ErrNotExist) && !strings.HasSuffix(nameOrPath, ".toml") {
		hint := nearest(nameOrPath, Builtin())
		if hint == "" {
			hint = ": want a file or " + oneOf(Builtin())
		}
		return nil, mistaken(Mistake{Want: fmt.Sprintf("unknown scenario %q", nameOrPath), Hint: hint})
	}
	text, mistake := readFile(nameOrPath)
	if mistake != nil {
		return nil, mistaken(*mistake)
	}
	return text, nil
}

// readFile reads a file of settings. A device has no end, and a pipe waits, so that neither is opened.
func readFile(name string) ([]byte, *Mistake) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, &Mistake{File: name, Want: reason(err)}
	case info.IsDir():
		return nil, &Mistake{File: name, Want: "want a file, have a directory"}
	case !info.Mode().IsRegular():
		return nil, &Mistake{File: name, Want: "want a regular file"}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, &Mistake{File: name, Want: reason(err)}
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, largestFile+1)) // the size says nothing of files that grow, or in /proc
	switch {
	case err != nil:
		return nil, &Mistake{File: name, Want: reason(err)}
	case len(text) > largestFile:
		return nil, &Mistake{File: name, Want: fmt.Sprintf("want at most %d bytes", largestFile)}
	}
	return text, nil
}

// Load reads a scenario by the name of a built-in one or of a TOML file. Over it come the assignments in set, each as
// in [Set], and then further layers. The error is a [*Mistakes].
func Load(nameOrPath string, set []string, more ...Layer) (*Spec, error) {
	text, err := Source(nameOrPath)
	if err != nil {
		return nil, err
	}
	file, dir := nameOrPath, filepath.Dir(nameOrPath)
	if slices.Contains(Builtin(), nameOrPath) {
		file, dir = nameOrPath+".toml", ""
	}
	layers := make([]Layer, 0, len(set)+len(more))
	for _, s := range set {
		layers = append(layers, Set(s))
	}
	sp, err := decode(file, text, dir, append(layers, more...))
	if err != nil {
		return nil, err
	}
	sp.Set = slices.Clone(set)
	return sp, nil
}

// Decode reads a scenario from TOML. Messages call it name; files that it names are sought beside name. The error is a
// [*Mistakes].
func Decode(name string, text []byte) (*Spec, error) {
	return decode(name, text, filepath.Dir(name), nil)
}

func decode(file string, text []byte, dir string, layers []Layer) (*Spec, error) {
	a := assemble(file)
	a.read(file, text, dir)
	for _, lay := range layers {
		lay(a)
	}
	a.check()
	if err := a.mistakes.Err(); err != nil {
		return nil, err
	}
	if a.spec.Name == "" {
		a.spec.Name = strings.TrimSuffix(filepath.Base(file), ".toml")
	}
	return &a.spec, nil
}

// mistaken is an error of one mistake.
func mistaken(m Mistake) error { return &Mistakes{List: []Mistake{m}} }

// reason is what went wrong with a file, without its name.
func reason(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	return err.Error()
}
