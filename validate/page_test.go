package validate

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"pdsim/validate/cases"
)

var (
	update = flag.Bool("update", false, "write docs/validation.md, and with -why validate/budget.toml")
	why    = flag.String("why", "", "with -update: why the budget of errors changes")
)

// played is the report on all shipped cases, under the seeds of `pdsim validate`.
var played = sync.OnceValues(func() (*Report, error) {
	list, err := cases.Builtin()
	if err != nil {
		return nil, err
	}
	return Run(list, Options{Seeds: 3})
})

// shipped is that report, made once for all tests that ask for it.
func shipped(t *testing.T) *Report {
	t.Helper()
	if testing.Short() {
		t.Skip("plays all measured cases")
	}
	r, err := played()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestValidationPage says that the page's tables are what the shipped cases give now.
func TestValidationPage(t *testing.T) {
	r := shipped(t)
	const page = "../docs/validation.md"
	have, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	want := have
	for mark, write := range map[string]func(*bytes.Buffer){
		"aims":    func(b *bytes.Buffer) { r.writeAims(b) },
		"summary": func(b *bytes.Buffer) { r.writeSummary(b) },
		"cases":   func(b *bytes.Buffer) { r.writeCases(b) },
	} {
		var text bytes.Buffer
		write(&text)
		want = marked(t, want, mark, text.Bytes())
	}
	if *update {
		if err := os.WriteFile(page, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if bytes.Equal(have, want) {
		return
	}
	old := map[string]bool{}
	for line := range strings.Lines(string(have)) {
		old[line] = true
	}
	shown := 0
	for line := range strings.Lines(string(want)) {
		if !old[line] && shown < 10 {
			shown++
			t.Errorf("%s lacks: %s", page, line)
		}
	}
	t.Error("look at what has changed; then run go test ./validate -run ValidationPage -update")
}

// marked replaces what stands between a page's marks of that name.
func marked(t *testing.T, page []byte, mark string, text []byte) []byte {
	t.Helper()
	open, shut := []byte("<!-- "+mark+" -->\n"), []byte("<!-- /"+mark+" -->\n")
	i, j := bytes.Index(page, open), bytes.Index(page, shut)
	if i < 0 || j < i {
		t.Fatalf("the page has no marks %q", mark)
	}
	return bytes.Join([][]byte{page[:i+len(open)], text, page[j:]}, nil)
}

// TestBudget fails when an error has grown beyond what is recorded. To change what is recorded takes a reason, which
// budget.toml then tells: go test ./validate -run Budget -update -why "the reason".
func TestBudget(t *testing.T) {
	const file = "budget.toml"
	r := shipped(t)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	b, err := ReadBudget(file, text)
	if err != nil {
		t.Fatal(err)
	}
	if *update && *why != "" {
		head, _, _ := strings.Cut(string(text), "wrong = ")
		b.Fit(r, time.Now().UTC().Format(time.DateOnly), *why)
		if err := os.WriteFile(file, b.Text(head), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, w := range b.Check(r) {
		t.Error(w)
	}
}

func TestBudgetSaysWhatIsWrong(t *testing.T) {
	r := &Report{Families: []Family{
		{Name: "f", Metric: "a", Points: 3, MedianAPE: 5, P90APE: 9},
		{Name: "f", Metric: "b", Points: 3, MedianAPE: 5, P90APE: 9},
		{Name: "f", Metric: "c", Points: 3, MedianAPE: 5, P90APE: 9},
		{Name: "f", Metric: "d", Points: 3, MedianAPE: 5, P90APE: 9},
		{Name: "f", Metric: "fitted", Fitted: 3},
	}, Decisions: Decisions{Right: 3, Total: 5}}
	b, err := ReadBudget("b.toml", []byte("wrong = 1\n[family.f]\n"+
		"a = { median = 5, p90 = 9, set = '2026-12-01', why = 'x' }\n"+
		"b = { median = 4.9, p90 = 9, set = '2026-12-01', why = 'x' }\n"+
		"c = { median = 5, p90 = 8, set = '2026-12-01', why = 'x' }\n"+
		"e = { median = 5, p90 = 8, set = '2026-12-01', why = 'x' }\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"f, b: want a median error of at most 4.9 %, have 5.00", "f, c: want a 90th percentile of errors of at most 8 %, have 9.00",
		"f, d: want a budget, have none", "f, e: has a budget and no figures", "want at most 1 wrong decisions of 5, have 2",
	}
	if have := b.Check(r); strings.Join(have, "\n") != strings.Join(want, "\n") {
		t.Errorf("have %q\nwant %q", have, want)
	}
	b.Fit(r, "2026-12-02", "y")
	if have := b.Check(r); len(have) > 0 || b.Families["f"]["a"].Why != "x" || b.Families["f"]["b"].Why != "y" {
		t.Errorf("after fitting: %q, %+v", have, b.Families)
	}
	again, err := ReadBudget("b.toml", b.Text("# head\n"))
	if err != nil || len(again.Check(r)) > 0 {
		t.Errorf("written and read: %v, %v", again, err)
	}
	for text, want := range map[string]string{
		"wrong = ":                             "b.toml:1:8: ",
		"rong = 1":                             `b.toml: unknown key "rong"`,
		"[family.f]\na = { median = 5 }":       "b.toml: f, a: want a median, a p90 no smaller, when it was set and why",
		"[family.f]\na = { median = 5, p = 6}": `b.toml: unknown key "family.f.a.p"`,
	} {
		if _, err := ReadBudget("b.toml", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: have %v, want %s", text, err, want)
		}
	}
}
