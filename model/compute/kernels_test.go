package compute

import (
	"encoding/csv"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"pdsim/model/llm"
)

func kernels(t testing.TB, s *llm.Shape, tp int, m Machine) Model {
	t.Helper()
	c := config(s, tp, m)
	c.MaxTokens, c.MaxSeqs = 32768, 256
	k, err := Kernels(c)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func decodeMs(m Model, seqs, context int) float64 {
	return m.StepTime(&Batch{Decodes: seqs, DecodeContext: int64(seqs) * int64(context)}).Milliseconds()
}

func prefillMs(m Model, chunks, tokens int) float64 {
	var b Batch
	for range chunks {
		b.AddPrefill(tokens, 0)
	}
	return m.StepTime(&b).Milliseconds()
}

// TestKernelsAgainstEndToEnd compares with 60 closed-loop runs of vLLM 0.12 on H100 (Qwen3-32B, one engine that mixes
// prefill and decode). The closed form ignores scheduling: of every output token a request spends one decode step of
// the full batch, and over its life the prefills of the other requests of the loop. The GPU time must not exceed the
// measured time much, and what it falls short by is the engine's own time a step (0.12 did not schedule ahead).
func TestKernelsAgainstEndToEnd(t *testing.T) {
	f, err := os.Open("testdata/vllm_h100_qwen3-32b.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := csv.NewReader(f)
	in.Comment = '#'
	rows, err := in.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	byTP := map[int][]float64{}
	models := map[int]Model{2: kernels(t, qwen32(), 2, h100()), 8: kernels(t, qwen32(), 8, h100())}
	for _, row := range rows[1:] {
		number := func(i int) int { n, _ := strconv.Atoi(row[i]); return n }
		isl, osl, seqs, tp := number(3), number(4), number(5), number(6)
		ttft, _ := strconv.ParseFloat(row[7], 64)
		tpot, _ := strconv.ParseFloat(row[8], 64)
		if isl == 4000 || ttft > 2000 {
			continue // another workload generator; or KV memory full, so that fewer than seqs run
		}
		m := models[tp]
		have := decodeMs(m, seqs, isl+osl/2) + float64(seqs-1)*prefillMs(m, 1, isl)/float64(osl)
		byTP[tp] = append(byTP[tp], have/tpot-1)
		t.Logf("isl %d osl %d x%d tp%d: TPOT measured %.2f closed form %.2f (%+.0f%%), step %.2f", isl, osl, seqs, tp,
			tpot, have, 100*(have/tpot-1), decodeMs(m, seqs, isl+osl/2))
	}
	for tp, errs := range byTP {
		bias := 0.0
		for i, e := range errs {
			bias += e
			errs[i] = math.Abs(e)
		}
		slices.Sort(errs)
		t.Logf("tp=%d: %d points, median |error| %.1f%%, largest %.1f%%, bias %+.1f%%", tp, len(errs), 100*errs[len(errs)/2],
			100*errs[len(errs)-1], 100*bias/float64(len(errs)))
	}
}

func TestKernelsPublished(t *testing.T) {
	m := kernels(t, qwen32(), 8, h200())
	for _, seqs := range []int{1, 2, 4, 8} {
		for _, context := range []int{1024, 4096, 8192, 16384} {
			t.Logf("qwen3-32b h200 tp8 decode x%d at %d: %.2f ms", seqs, context, decodeMs(m, seqs, context))
		}
	}
	for _, n := range []int{512, 513, 1000, 2000, 4096, 8192, 16384, 24000} {
		t.Logf("qwen3-32b h200 tp8 prefill of %d: %.1f ms", n, prefillMs(m, 1, n))
	}
	l := kernels(t, llama70(8), 8, h100())
	for _, n := range []int{1024, 2048, 4096, 8192} {
		ms := prefillMs(l, 8192/n, n)
		t.Logf("llama-70b-fp8 h100 tp8 prefill of 8192 by %d: %.1f ms, %.1fk tok/s", n, ms, 8192/ms)
	}
	var total float64
	for at := 0; at < 24000; at += 8192 {
		var b Batch
		b.AddPrefill(min(8192, 24000-at), at)
		total += l.StepTime(&b).Milliseconds()
	}
	t.Logf("llama-70b-fp8 h100 tp8 prefill of 24000 in chunks: %.1f ms, %.1fk tok/s", total, 24000/total)
	for _, tp := range []int{1, 2, 4, 8} {
		t.Logf("qwen3 h200 tp%d prefill 8192 %.1f decode 8x4096 %.2f", tp, prefillMs(kernels(t, qwen32(), tp, h200()), 1, 8192), decodeMs(kernels(t, qwen32(), tp, h200()), 8, 4096))
	}
}
