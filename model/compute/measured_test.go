package compute

import (
	"math"
	"strings"
	"testing"
)

// TestMeasuredGivesTheTableBack: at a measured point the model says what was measured, except where it must smooth:
// small prompts that took longer than larger ones, and a few percent where steps are pooled to be monotone.
func TestMeasuredGivesTheTableBack(t *testing.T) {
	table, err := H200Qwen32B()
	if err != nil {
		t.Fatal(err)
	}
	for _, tp := range []int{1, 2, 8} {
		c := config(qwen32(), tp, h200())
		c.MaxTokens = 32768
		m, err := Measured(c, table)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range table.Decode {
			if have := decodeMs(m, p.Batch, p.Context); p.TP == tp && math.Abs(have/p.Ms-1) > 0.02 {
				t.Errorf("tp=%d: decode of %d at %d: have %.3f ms, measured %.3f", tp, p.Batch, p.Context, have, p.Ms)
			}
		}
		for _, p := range table.Prefill {
			if have := prefillMs(m, 1, p.Tokens); p.TP == tp && p.Tokens >= 1024 && math.Abs(have/p.Ms-1) > 0.03 {
				t.Errorf("tp=%d: prefill of %d: have %.3f ms, measured %.3f", tp, p.Tokens, have, p.Ms)
			}
		}
	}
}

// TestMeasuredChunksLikeTheWhole: a prompt in chunks takes about as long as in one piece.
func TestMeasuredChunksLikeTheWhole(t *testing.T) {
	table, err := H200Qwen32B()
	if err != nil {
		t.Fatal(err)
	}
	c := config(qwen32(), 8, h200())
	c.MaxTokens = 32768
	m, err := Measured(c, table)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for at := 0; at < 32768; at += 8192 {
		var b Batch
		b.AddPrefill(8192, at)
		sum += m.StepTime(&b).Milliseconds()
	}
	within(t, "32,768 tokens in four chunks, ms", sum, prefillMs(m, 1, 32768), 0.05)
}

func TestReadersNameThePlace(t *testing.T) {
	decode := func(text string) error { return new(Table).ReadDecode("d.csv", strings.NewReader(text)) }
	prefill := func(text string) error { return new(Table).ReadPrefill("p.csv", strings.NewReader(text)) }
	kernel := func(text string) error { _, err := readSheet("k.csv", strings.NewReader(text), 1); return err }
	head := "tp,batch,context_tokens,median_ms\n"
	for _, c := range []struct {
		read func(string) error
		text string
		want string
	}{
		{decode, "", "d.csv:1:1: want a head line"},
		{decode, "tp,batch,context,median_ms\n", `d.csv:1:1: want a column "context_tokens"`},
		{decode, head + "8,1,1024,6.3\n8,0,1024,6.3\n", `d.csv:3:3: batch: want a whole number from 1`},
		{decode, head + "8,1,1024,fast\n", `d.csv:2:10: median_ms: want milliseconds above 0, have "fast"`},
		{decode, head + "8,1,1024,-1\n", `d.csv:2:10: median_ms`},
		{decode, head + "8,1,1024,NaN\n", `d.csv:2:10: median_ms`},
		{decode, head + "8,1,1024\n", "d.csv:2:1: wrong number of fields"},
		{decode, head + "# a comment\n8,x,1024,1\n", "d.csv:3:3: batch"},
		{prefill, "tp,prompt_tokens,median_ms\n8,9999999999,1\n", "p.csv:2:3: prompt_tokens"},
		{kernel, "kernel,1,2\n", ""},
		{kernel, "kernel\n", "k.csv:1:1: want 1 key columns"},
		{kernel, "kernel,2,1\n", `k.csv:1:10: head of column 3`},
		{kernel, "kernel,1,2\nnorm,5,0\n", "k.csv:2:8: want nanoseconds above 0"},
		{kernel, "kernel,1,2\nnorm,,\n", "k.csv:2:1: want a measurement"},
	} {
		err := c.read(c.text)
		if c.want == "" && err == nil {
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: have %v, want %q", c.text, err, c.want)
		}
	}
}

func TestMeasuredRefuses(t *testing.T) {
	table, err := H200Qwen32B()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Measured(config(qwen32(), 4, h200()), table); err == nil || !strings.Contains(err.Error(), "tp = 4") {
		t.Errorf("tp=4 was not measured: have %v", err)
	}
	one := &Table{Prefill: table.Prefill, Decode: []DecodePoint{{TP: 8, Batch: 1, Context: 1024, Ms: 6}}}
	if _, err := Measured(config(qwen32(), 8, h200()), one); err == nil || !strings.Contains(err.Error(), "2 or more contexts") {
		t.Errorf("one context: have %v", err)
	}
}

// FuzzReadDecode feeds any text to the reader, and what it accepts to the model: no panic, no time of 0.
func FuzzReadDecode(f *testing.F) {
	f.Add("tp,batch,context_tokens,median_ms\n8,1,1024,6.3\n8,1,4096,6.4\n8,2,1024,7\n8,2,4096,5\n")
	f.Add("median_ms,tp,context_tokens,batch,note\n1e300,8,1,1,\"a\nb\"\n1e-300,8,2147483648,1,x\n")
	f.Add("tp,batch,context_tokens,median_ms\r\n8,2147483648,1,1\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		table := Table{Prefill: []PrefillPoint{{8, 1024, 25}, {8, 2048, 37}, {8, 4096, 72}}}
		if err := table.ReadDecode("fuzz.csv", strings.NewReader(text)); err != nil {
			return
		}
		c := config(qwen32(), 8, h200())
		c.MaxSeqs, c.MaxContext = 8, 4096
		m, err := Measured(c, &table)
		if err != nil {
			return
		}
		full := Batch{Decodes: 8, DecodeContext: 8 * 4096}
		for _, b := range []Batch{{Decodes: 1, DecodeContext: 1}, full, mixedBatch()} {
			if d := m.StepTime(&b); d < 1 {
				t.Errorf("%+v takes %v", b, d)
			}
		}
	})
}

// FuzzReadSheet feeds any text to the reader of kernel tables.
func FuzzReadSheet(f *testing.F) {
	f.Add("dtype,n,1,2\nfp8,1024,5,6\n", 2)
	f.Add("kernel,1\nnorm,\n", 1)
	f.Fuzz(func(t *testing.T, text string, keys int) {
		s, err := readSheet("fuzz.csv", strings.NewReader(text), 1+keys&3)
		if err != nil {
			return
		}
		for _, row := range s.rows {
			if ns := row.samples.at(3); !(ns > 0) {
				t.Errorf("%v at 3: %g", row.keys, ns)
			}
		}
	})
}
