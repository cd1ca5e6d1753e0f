package scenarios

import (
	"errors"
	"strings"
	"testing"
)

// FuzzDecode says that whatever a file holds, it is a scenario that survives being written and read, or mistakes with
// their places.
func FuzzDecode(f *testing.F) {
	for _, name := range Builtin() {
		text, err := Source(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > largestFile {
			return
		}
		sp, err := Decode("fuzz.toml", []byte(text))
		if err != nil {
			mistakesOnly(t, err)
			return
		}
		again, err := Decode("fuzz.toml", sp.Encode())
		if err != nil {
			t.Fatalf("%v\nin\n%s", err, sp.Encode())
		}
		if again.Hash() != sp.Hash() {
			t.Fatalf("hash %s becomes %s", sp.Hash(), again.Hash())
		}
	})
}

// FuzzSet says the same of overrides.
func FuzzSet(f *testing.F) {
	for _, s := range []string{"decode.tp=4", "workload.qps=inf", "run.protocols=pull,push", "decode.tp", "=", "decode.tp=4\ndecode.tp=8", "name=\"x", "workload.think=1.5ms"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, assignment string) {
		sp, err := Load("p5en-qwen3-32b", []string{assignment})
		if err != nil {
			mistakesOnly(t, err)
			return
		}
		if _, err := Decode("fuzz.toml", sp.Encode()); err != nil {
			t.Fatalf("%v\nin\n%s", err, sp.Encode())
		}
	})
}

// mistakesOnly fails for an error that is none of the user's, and for more lines than a reader can use.
func mistakesOnly(t *testing.T, err error) {
	var m *Mistakes
	if !errors.As(err, &m) || len(m.List) == 0 || len(m.List) > mostMistakes {
		t.Fatalf("want mistakes, have %v", err)
	}
	for _, one := range m.List {
		if strings.TrimSpace(one.Want) == "" {
			t.Fatalf("a mistake without words: %#v", one)
		}
	}
}
