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
	sp, err := Load("p5en-qwen3-32b", []string{"costs.instance.rail_rate=0B/s"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(sp, "pull", Options{}); err == nil || !strings.Contains(err.Error(), "want a rail or more of some rate") {
		t.Error(err)
	}
}

// A lease does not end while bytes are on their way out of the blocks: the poll that sees the end frees them.
func TestLeaseOutlastsASlowWrite(t *testing.T) {
	sp, err := Load("p5en-qwen3-32b", []string{"workload.requests=5", "workload.iterations=1", "workload.warmup=0", "workload.probe=false",
		"faults.slow_rail=0.001", "network.backend=ucx"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(sp, "push", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Completed != 5 || r.KV.NumTransfers != 5*8 || r.KV.ExpiredLeases != 0 {
		t.Errorf("%d completed, %d transfers, %d leases ended", r.Completed, r.KV.NumTransfers, r.KV.ExpiredLeases)
	}
}

// Each engine refuses what is longer than its own max_model_len, also where a trace brings it.
func TestTracesKeepToMaxModelLen(t *testing.T) {
	for _, set := range []string{"prefill.max_model_len=1000", "decode.max_model_len=1000"} {
		sp, err := Load("azure-conversation-2p2d", []string{"workload.requests=500", set})
		if err != nil {
			t.Fatal(err)
		}
		r, err := Run(sp, "pull", Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Failed == 0 || r.Completed == 0 || !strings.Contains(r.Reason, "max_model_len, 1000") {
			t.Errorf("%s: %d completed, %d failed: %s", set, r.Completed, r.Failed, r.Reason)
		}
	}
}
