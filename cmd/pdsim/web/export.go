package web

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A static site has answers for these questions only: the lesson's, and a grid of settings of one scenario.
const exported = "p5en-qwen3-32b"

// gridAxis is a key of the grid with the values that it takes.
type gridAxis struct {
	Key    string   `json:"key"`
	Values []string `json:"values"`
}

var grid = []gridAxis{
	{"workload.input_tokens", []string{"1024", "4096", "16384"}},
	{"workload.qps", []string{"1/s", "2/s", "4/s", "8/s"}},
	{"network.merge", []string{"neighbours", "always", "never"}},
	{"decode.max_num_seqs", []string{"8", "1024"}},
}

// always is set at every point of the grid, as a fresh page sets it.
const always = "workload.iterations=1"

// sweepRates are the rates of the curves, as the page asks for them.
var sweepRates = []string{"1/s", "2/s", "4/s", "6/s", "8/s"}

// index tells the page of a static site which file answers which question.
type index struct {
	Grid   []gridAxis        `json:"grid"`
	Always string            `json:"always"`
	Files  map[string]string `json:"files"`
}

// exporter writes a static site.
type exporter struct {
	server *server
	dir    string
	index  index
	sweeps map[string]string // files of curves, by what they are of apart from the rate
}

// Export writes the page and precomputed answers into a new or empty folder, whole or not at all. begin is told how many
// states there are to play and returns what is to be called after each.
func Export(dir string, opt Options, begin func(states int) (done func())) error {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return fmt.Errorf("want a new or empty folder, have %d entries in it", len(entries))
	}
	temporary, err := os.MkdirTemp(filepath.Dir(filepath.Clean(dir)), ".pdsim-export-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary) // gone after the rename
	e := &exporter{
		server: &server{opt: opt, slots: make(chan struct{}, runtime.GOMAXPROCS(0))}, dir: temporary,
		index: index{Grid: grid, Always: always, Files: map[string]string{}}, sweeps: map[string]string{},
	}
	if err := e.site(begin); err != nil {
		return err
	}
	if err := os.Chmod(temporary, 0o755); err != nil {
		return err
	}
	return os.Rename(temporary, dir)
}

func (e *exporter) site(begin func(states int) func()) error {
	if err := e.page(); err != nil {
		return err
	}
	questions, err := lessonQuestions()
	if err != nil {
		return err
	}
	questions = append(questions, gridQuestions(nil)...)
	done := begin(len(questions))
	for _, q := range questions {
		if err := e.answers(q); err != nil {
			return err
		}
		done()
	}
	about := e.server.about()
	about.Scenarios = slices.DeleteFunc(about.Scenarios, func(s entry) bool { return s.Name != exported })
	if err := e.write("data/about.json", about); err != nil {
		return err
	}
	return e.write("data/index.json", e.index)
}

// page copies the page and marks it as static.
func (e *exporter) page() error {
	if err := os.CopyFS(e.dir, Page()); err != nil {
		return err
	}
	text, err := fs.ReadFile(Page(), "index.html")
	if err != nil {
		return err
	}
	marked := strings.Replace(string(text), `<html lang="en">`, `<html lang="en" data-static>`, 1)
	if marked == string(text) {
		return fmt.Errorf("index.html: no place for the mark of a static site")
	}
	return os.WriteFile(filepath.Join(e.dir, "index.html"), []byte(marked), 0o644)
}

// lessonQuestions are those of the lesson's steps.
func lessonQuestions() ([]ask, error) {
	text, err := fs.ReadFile(Page(), "lesson.json")
	if err != nil {
		return nil, err
	}
	var steps []struct {
		Scenario  string
		Set       map[string]string
		Protocols []string
	}
	if err := json.Unmarshal(text, &steps); err != nil {
		return nil, err
	}
	var out []ask
	for _, s := range steps {
		a := ask{Scenario: s.Scenario, Protocols: s.Protocols}
		for key, value := range s.Set {
			a.Set = append(a.Set, key+"="+value)
		}
		slices.Sort(a.Set)
		out = append(out, a)
	}
	return out, nil
}

// gridQuestions are those of all points of the grid that begin with the given settings.
func gridQuestions(set []string) []ask {
	if len(set) == len(grid) {
		all := append(slices.Clone(set), always)
		slices.Sort(all)
		return []ask{{Scenario: exported, Set: all}}
	}
	var out []ask
	axis := grid[len(set)]
	for _, v := range axis.Values {
		out = append(out, gridQuestions(append(slices.Clone(set), axis.Key+"="+v))...)
	}
	return out
}

// name is what the page looks a question up by.
func name(what string, a *ask) string {
	return strings.Join(append([]string{what, a.Scenario, strings.Join(a.Protocols, ",")}, a.Set...), " ")
}

// answers writes what each view asks for in one state.
func (e *exporter) answers(q ask) error {
	ctx := context.Background()
	out, err := e.server.run(ctx, &q)
	if err != nil {
		return fmt.Errorf("%s: %w", name("run", &q), err)
	}
	if err := e.keep(name("run", &q), out); err != nil {
		return err
	}
	for _, r := range out.Results {
		one := q
		one.Protocols = []string{r.Protocol}
		key := name("timeline", &one)
		t, err := e.server.timeline(ctx, &one)
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		if err := e.keep(key, t); err != nil {
			return err
		}
	}
	return e.curves(ctx, q)
}

// curves writes the curves of a state. States that differ in their rate only share them.
func (e *exporter) curves(ctx context.Context, q ask) error {
	key := name("sweep", &q)
	rest := q
	rest.Set = slices.DeleteFunc(slices.Clone(q.Set), func(s string) bool { return strings.HasPrefix(s, "workload.qps=") })
	if file, ok := e.sweeps[name("", &rest)]; ok {
		e.index.Files[key] = file
		return nil
	}
	rest.Key, rest.Values = "workload.qps", sweepRates
	c, err := e.server.sweep(ctx, &rest)
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	err = e.keep(key, c)
	e.sweeps[name("", &rest)] = e.index.Files[key]
	return err
}

// keep writes the answer to a question into a file of its own.
func (e *exporter) keep(key string, answer any) error {
	if _, have := e.index.Files[key]; have {
		return nil // a step of the lesson may be a point of the grid, or the same as another
	}
	file := fmt.Sprintf("data/%d.json", len(e.index.Files))
	e.index.Files[key] = file
	return e.write(file, answer)
}

func (e *exporter) write(file string, content any) error {
	text, err := json.Marshal(content)
	if err != nil {
		return err
	}
	path := filepath.Join(e.dir, filepath.FromSlash(file))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}
