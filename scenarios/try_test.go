package scenarios

import (
	"sort"
	"testing"

	"pdsim/model/serving"
	"pdsim/sim"
)

func TestTry(t *testing.T) {
	for _, p := range []string{"pull", "push"} {
		sp, err := Load("p5en-qwen3-32b", []string{"workload.iterations=3"})
		if err != nil {
			t.Fatal(err)
		}
		log := &sim.Log{}
		sum := map[string][2]sim.Duration{}
		n := 0
		s, err := NewSession(sp, p, Options{Recorder: log, Request: func(r *serving.Request) {
			if n++; n <= 200 {
				return
			}
			for _, seg := range log.Path(r.Tail) {
				v := sum[seg.Kind]
				v[0] += seg.Wait
				v[1] += seg.Work
				sum[seg.Kind] = v
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Play(sp)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s ttft %.1f tpot %.2f", p, r.MeanTTFTMs, r.MeanTPOTMs)
		var ks []string
		for k := range sum {
			ks = append(ks, k)
		}
		sort.Strings(ks)
		for _, k := range ks {
			t.Logf("  %-24s wait %8.2f work %8.2f", k, sum[k][0].Milliseconds()/100, sum[k][1].Milliseconds()/100)
		}
	}
}
