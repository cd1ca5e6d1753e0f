package scenarios

import (
	"strings"
	"testing"
)

// With room for one request at a time, later ones wait in D's queue until their lease is over: P gives their blocks up,
// and D waits for a write that never comes until the client gives up. All requests end all the same.
func TestRequestsThatNeverGetTheirKVEndWithTheClient(t *testing.T) {
	sp, err := Load("p5en-qwen3-32b", []string{"decode.kv_blocks=1100", "workload.qps=2", "workload.iterations=1", "workload.warmup=0", "workload.timeout=600s"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(sp, "push", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Completed == 0 || r.Aborted == 0 || r.Completed+r.Failed != 100 {
		t.Errorf("%d completed, %d failed, of them %d aborted", r.Completed, r.Failed, r.Aborted)
	}
}

func TestNoRails(t *testing.T) {
	for _, set := range []string{"costs.instance.rails_per_gpu=0", "costs.instance.rail_rate=0B/s"} {
		sp, err := Load("p5en-qwen3-32b", []string{set})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Run(sp, "pull", Options{}); err == nil || !strings.Contains(err.Error(), "want a rail or more of some rate") {
			t.Errorf("%s: %v", set, err)
		}
	}
}
