package read

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"os"
	"testing"
)

// seed adds the files of testdata, each of which one of the readers knows.
func seed(f *testing.F, files ...string) {
	for _, name := range files {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
}

// finiteFigures fails on a figure that a reader should have counted as missing.
func finiteFigures(t *testing.T, figures map[string]float64) {
	for name, v := range figures {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Errorf("%s is %v", name, v)
		}
	}
}

// both reads a text in both ways: it must not be malformed for the strict reader and clean for the lenient one.
func both(t *testing.T, read func(opt Options) (*Notes, error)) {
	_, strict := read(Options{})
	notes, lenient := read(Options{KeepGoing: true})
	switch {
	case strict == nil && (lenient != nil || notes.Malformed > 0):
		t.Errorf("strict has no error, lenient has %v and %d malformed", lenient, notes.Malformed)
	case strict != nil && lenient == nil && notes.Malformed == 0:
		t.Errorf("strict has %v, lenient nothing", strict)
	case notes != nil && notes.Malformed > 0 && notes.First == nil:
		t.Error("malformed lines without the first error")
	}
}

func FuzzBenches(f *testing.F) {
	seed(f, "bench_detailed.json", "bench_old.json", "bench_append.jsonl", "bench_pretty.json", "bench_nan.json")
	f.Fuzz(func(t *testing.T, text []byte) {
		both(t, func(opt Options) (*Notes, error) {
			return Benches("x", bytes.NewReader(text), opt, func(b *Bench) error {
				finiteFigures(t, b.Figures)
				s := b.Samples()
				if len(s.TTFT) > len(b.Requests) {
					t.Errorf("%d samples of %d requests", len(s.TTFT), len(b.Requests))
				}
				return nil
			})
		})
	})
}

func FuzzKVLines(f *testing.F) {
	seed(f, "server.log")
	f.Fuzz(func(t *testing.T, text []byte) {
		both(t, func(opt Options) (*Notes, error) {
			return KVLines("x", bytes.NewReader(text), opt, func(k KVLine) error {
				finiteFigures(t, k.Values)
				return nil
			})
		})
	})
}

func FuzzLifecycles(f *testing.F) {
	seed(f, "server.log")
	f.Fuzz(func(t *testing.T, text []byte) {
		both(t, func(opt Options) (*Notes, error) {
			return Lifecycles("x", bytes.NewReader(text), opt, func(Lifecycle) error { return nil })
		})
	})
}

func FuzzScrape(f *testing.F) {
	seed(f, "metrics.txt", "metrics_old.txt")
	f.Fuzz(func(t *testing.T, text []byte) {
		both(t, func(opt Options) (*Notes, error) {
			s, notes, err := ReadScrape("x", bytes.NewReader(text), opt)
			if err == nil {
				for what := range ScrapeNames {
					if h, ok := s.Histogram(what); ok {
						h.Mean()
						h.Quantile(0.9)
					}
				}
				s.Minus(s)
			}
			return notes, err
		})
	})
}

func FuzzNixlbench(f *testing.F) {
	seed(f, "nixlbench.txt", "nixlbench_old.txt")
	f.Fuzz(func(t *testing.T, text []byte) {
		both(t, func(opt Options) (*Notes, error) {
			return Nixlbench("x", bytes.NewReader(text), opt, func(r BenchRow) error {
				finiteFigures(t, r.Values)
				return nil
			})
		})
	})
}

func FuzzRows(f *testing.F) {
	seed(f, "table.csv")
	f.Fuzz(func(t *testing.T, text []byte) {
		both(t, func(opt Options) (*Notes, error) {
			return Rows("x", bytes.NewReader(text), opt, func(r Row) error {
				for name := range r.Fields {
					if v, ok, err := r.Number(name); ok && (err != nil || math.IsNaN(v) || math.IsInf(v, 0)) {
						t.Errorf("%s is %v with %v", name, v, err)
					}
				}
				return nil
			})
		})
	})
}

func FuzzTimeline(f *testing.F) {
	seed(f, "timeline.jsonl", "rig.jsonl")
	f.Fuzz(func(t *testing.T, text []byte) {
		both(t, func(opt Options) (*Notes, error) {
			_, notes, err := Timeline("x", bytes.NewReader(text), opt, func(r *Request) error {
				again(t, r)
				return nil
			})
			return notes, err
		})
		both(t, func(opt Options) (*Notes, error) {
			return RigSteps("x", bytes.NewReader(text), opt, func(Step) error { return nil })
		})
	})
}

// again writes a request and reads it back.
func again(t *testing.T, r *Request) {
	var out bytes.Buffer
	write, err := WriteTimeline(&out, Header{})
	if err == nil {
		err = write(r)
	}
	if err != nil {
		t.Fatal(err)
	}
	want, _ := json.Marshal(r)
	_, _, err = Timeline("again", &out, Options{}, func(back *Request) error {
		if have, _ := json.Marshal(back); !bytes.Equal(have, want) {
			t.Errorf("wrote %s, read %s", want, have)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func FuzzEngineRun(f *testing.F) {
	seed(f, "engine_requests.jsonl")
	f.Fuzz(func(t *testing.T, text []byte) {
		both(t, func(opt Options) (*Notes, error) {
			_, notes, err := EngineRun("x", bytes.NewReader(text), opt)
			return notes, err
		})
	})
}

// TestReadersPassCallersErrorOn holds that the error of a caller's function ends the reading, also with KeepGoing.
func TestReadersPassCallersErrorOn(t *testing.T) {
	text, err := os.ReadFile("testdata/table.csv")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	_, err = Rows("x", bytes.NewReader(text), Options{KeepGoing: true}, func(Row) error { n++; return io.ErrClosedPipe })
	if err != io.ErrClosedPipe || n != 1 {
		t.Errorf("have %v after %d rows", err, n)
	}
}
