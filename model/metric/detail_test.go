package metric

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pdsim/sim"
)

func TestWriteResult(t *testing.T) {
	details := []Detail{
		{Start: 100_000_000, TTFT: 212_000_000, Latency: 253 * ms, Input: 2048, Output: 3, ITLs: []sim.Duration{21 * ms, 20_000_001}},
		{Start: 3_000_000_001, Queue: 5, Input: 7, Err: `no "block"`},
	}
	var out bytes.Buffer
	meta := Meta{Backend: "vllm", ModelID: "m", TokenizerID: "m", NumPrompts: 2, RequestRate: Rate(math.Inf(1)), Burstiness: 1}
	if err := WriteResult(&out, meta, Summary{Duration: 3.5, Completed: 1, Failed: 1}, details); err != nil {
		t.Fatal(err)
	}
	const head = `{"date":"19700101-000000","endpoint_type":"vllm","backend":"vllm","label":null,"model_id":"m","tokenizer_id":"m","num_prompts":2,"request_rate":"inf",` +
		`"burstiness":1,"max_concurrency":null,"duration":3.5,"completed":1,"failed":1,"total_input_tokens":0,`
	const tail = `,"rtfx":0.0,"input_lens":[2048,7],"output_lens":[3,0],"ttfts":[0.212,0.0],"itls":[[0.021,0.020000001],[]],` +
		`"latencies":[0.253,0.0],"start_times":[0.1,3.000000001],"queue_times":[0.0,0.000000005],` +
		`"generated_texts":["",""],"errors":["","no \"block\""]}` + "\n"
	if text := out.String(); !strings.HasPrefix(text, head) || !strings.HasSuffix(text, tail) {
		t.Errorf("have %s", text)
	}
	if !json.Valid(out.Bytes()) {
		t.Error("not JSON")
	}
}

// A result without details is one line, from which a Summary can be read back.
func TestSummaryRoundTrip(t *testing.T) {
	good := 1.25
	want := Summary{Duration: 1.5, Completed: 3, RequestGoodput: &good, MeanTTFTMs: 1744.123456, P99E2ELMs: 1e-6}
	var out bytes.Buffer
	if err := WriteResult(&out, Meta{Date: "20260920-120000", RequestRate: 8}, want, nil); err != nil {
		t.Fatal(err)
	}
	if strings.Count(out.String(), "\n") != 1 || !strings.Contains(out.String(), `"request_rate":8,`) || !strings.Contains(out.String(), `{"date":"20260920-120000",`) {
		t.Errorf("have %s", out.String())
	}
	var have Summary
	if err := json.Unmarshal(out.Bytes(), &have); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Error(diff)
	}
}

func TestSecondsAreExact(t *testing.T) {
	for d, want := range map[sim.Duration]string{
		0: "0.0", 1: "0.000000001", -1: "-0.000000001", 5 * sim.Second: "5.0", 1_020_300_000: "1.0203",
		math.MaxInt64: "9223372036.854775807", math.MinInt64: "-9223372036.854775808",
	} {
		if got := string(appendSeconds(nil, d)); got != want {
			t.Errorf("%d ns = %s, want %s", d, got, want)
		}
	}
}

// full is a writer without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestWriteResultErrors(t *testing.T) {
	if err := WriteResult(full{}, Meta{}, Summary{}, []Detail{{}}); err == nil || err.Error() != "full" {
		t.Errorf("have error %v", err)
	}
	if err := WriteResult(&bytes.Buffer{}, Meta{RequestRate: Rate(math.NaN())}, Summary{}, nil); err == nil {
		t.Error("no error for a rate that is not a number")
	}
}
