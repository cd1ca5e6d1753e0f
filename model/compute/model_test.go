package compute

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// named is a built-in model and what it was made for.
type named struct {
	name   string
	model  Model
	config Config
}

// builtIns makes every kind of model for some shapes and GPUs.
func builtIns(t testing.TB) []named {
	t.Helper()
	var all []named
	add := func(name string, c Config, m Model, err error) {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, named{name, m, c})
	}
	h200Table, err := H200Qwen32B()
	if err != nil {
		t.Fatal(err)
	}
	for _, machine := range []Machine{h100(), h200()} {
		for _, tp := range []int{1, 2, 4, 8} {
			for _, s := range []string{"qwen", "llama", "llama-fp8", "moe", "mla"} {
				c := config(shapes[s](), tp, machine)
				name := fmt.Sprintf("%s/%s/tp%d", s, machine.GPU, tp)
				m, err := Roofline(c)
				add("roofline/"+name, c, m, err)
				if s != "moe" && s != "mla" {
					m, err = Kernels(c)
					add("kernels/"+name, c, m, err)
				}
				add("bound/"+name, c, Bound(c), nil)
			}
		}
	}
	for _, tp := range []int{1, 2, 8} {
		c := config(qwen32(), tp, h200())
		m, err := Measured(c, h200Table)
		add(fmt.Sprintf("measured/tp%d", tp), c, m, err)
	}
	fits, err := Fits()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range fits {
		c := config(shapes[f.Model](), f.TP, machines[f.GPU]())
		m, err := Fitted(c, f)
		add("fitted/"+f.Name, c, m, err)
	}
	return all
}

func TestBuiltInModelsPassCheck(t *testing.T) {
	for _, m := range builtIns(t) {
		if err := Check(m.model, m.config); err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
	}
}

// TestMoreWorkTakesNoLess raises one field of a batch at a time.
func TestMoreWorkTakesNoLess(t *testing.T) {
	all := builtIns(t)
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.SampledFrom(all).Draw(t, "model")
		c := m.config
		var b Batch
		if b.Decodes = rapid.IntRange(0, c.MaxSeqs/2).Draw(t, "decodes"); b.Decodes > 0 {
			b.DecodeContext = rapid.Int64Range(int64(b.Decodes), int64(b.Decodes*c.MaxContext)).Draw(t, "decode context")
		}
		if b.Prefills = rapid.IntRange(0, c.MaxSeqs/2).Draw(t, "prefills"); b.Prefills > 0 {
			n := rapid.IntRange(b.Prefills, c.MaxTokens/2).Draw(t, "prefill tokens")
			context := rapid.Int64Range(0, int64(b.Prefills*(c.MaxContext-1))).Draw(t, "prefill context")
			b.PrefillTokens, b.PrefillContext = n, int64(n)+context
			b.PrefillPairs = (int64(n)*(int64(n)+1)/2 + int64(n)*context) / int64(b.Prefills)
		}
		if b.Tokens() == 0 {
			return
		}
		more := b
		fields := []string{"decodes", "decode context", "prefills", "tokens", "pairs", "context"}
		switch field := rapid.SampledFrom(fields).Draw(t, "field"); {
		case field == "decodes":
			more.Decodes += rapid.IntRange(1, c.MaxSeqs/2).Draw(t, "more")
		case field == "decode context" && b.Decodes > 0:
			more.DecodeContext += rapid.Int64Range(1, 1<<20).Draw(t, "more")
		case field == "prefills" && b.Prefills > 0:
			more.Prefills += rapid.IntRange(1, c.MaxSeqs/2).Draw(t, "more")
		case field == "tokens" && b.Prefills > 0:
			more.PrefillTokens += rapid.IntRange(1, c.MaxTokens/2).Draw(t, "more")
		case field == "pairs" && b.Prefills > 0:
			more.PrefillPairs += rapid.Int64Range(1, 1<<24).Draw(t, "more")
		case field == "context" && b.Prefills > 0:
			more.PrefillContext += rapid.Int64Range(1, 1<<20).Draw(t, "more")
		}
		have, then := m.model.StepTime(&b), m.model.StepTime(&more)
		if have < 1 || then < have {
			t.Fatalf("%s: %+v takes %v, but %+v takes %v", m.name, b, have, more, then)
		}
	})
}

func TestStepTimeAllocatesNothing(t *testing.T) {
	batch := mixedBatch()
	for _, m := range builtIns(t) {
		if n := testing.AllocsPerRun(10, func() { sink = m.model.StepTime(&batch) }); n != 0 {
			t.Errorf("%s: %v allocations a step", m.name, n)
		}
	}
}

func TestEmptyBatchTakesNoTime(t *testing.T) {
	for _, m := range builtIns(t) {
		if d := m.model.StepTime(&Batch{}); d != 0 {
			t.Errorf("%s: %v", m.name, d)
		}
	}
}

// TestChunksConservePairs: a prompt cut in chunks has the query-key pairs of the whole, whatever the cut.
func TestChunksConservePairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.IntRange(1, 100_000).Draw(t, "tokens")
		cut := rapid.IntRange(1, total).Draw(t, "chunk")
		var whole, chunks Batch
		whole.AddPrefill(total, 0)
		for at := 0; at < total; at += cut {
			chunks.AddPrefill(min(cut, total-at), at)
		}
		if whole.PrefillPairs != chunks.PrefillPairs || whole.PrefillTokens != chunks.PrefillTokens {
			t.Fatalf("whole %+v, chunks %+v", whole, chunks)
		}
	})
}

func TestPool(t *testing.T) {
	s := surface{rows: axis{last: 4}, cols: axis{last: 0}, width: 1, ns: []float64{9, 30, 20, 10, 40}}
	s.pool(0, []bool{false, true, true, true, true})
	if want := []float64{20, 20, 20, 20, 40}; !slices.Equal(s.ns, want) {
		t.Errorf("have %v, want %v", s.ns, want)
	}
}

// TestAxisPlacesEveryCount: find and at are inverse, and a place lies between its two points.
func TestAxisPlacesEveryCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sub := rapid.UintRange(1, 6).Draw(t, "sub")
		top := rapid.Int64Range(1, 1<<50).Draw(t, "top")
		x := rapid.Int64Range(0, top).Draw(t, "x")
		a := newAxis(top, sub)
		i, frac := a.find(x)
		if lo, hi := a.at(i), a.at(i+1); x < lo || x > hi || frac < 0 || frac > 1 || hi-lo > max(lo>>sub, 1) {
			t.Fatalf("%d lies at point %d (%d to %d) + %g", x, i, lo, hi, frac)
		}
		if j, frac := a.find(a.at(i)); frac != 0 && frac != 1 || a.at(j+int(frac)) != a.at(i) {
			t.Fatalf("point %d at %d is found at %d + %g", i, a.at(i), j, frac)
		}
	})
}
