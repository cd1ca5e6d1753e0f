package metric

import (
	"bufio"
	"cmp"
	"encoding/json"
	"io"
	"math"
	"strconv"

	"pdsim/sim"
)

// Detail is one request in a detailed result, completed or failed.
type Detail struct {
	Start   sim.Time       // when the client sent it
	TTFT    sim.Duration   // time to the first token; 0 when it failed
	Latency sim.Duration   // time to the last token
	Queue   sim.Duration   // time that it waited in the client for its turn, before Start
	Input   int            // tokens of the prompt
	Output  int            // tokens of the answer; 0 when it failed
	ITLs    []sim.Duration // gaps between its tokens, Output-1 of them when each came by itself
	Err     string         // what went wrong; empty for a completed request
}

// Meta is what a result file says of the run besides its figures.
type Meta struct {
	Date           string  `json:"date"`            // such as "20260920-120000"; noDate when empty
	EndpointType   string  `json:"endpoint_type"`   // what kind of server it was, such as "vllm", which it is when empty
	Backend        string  `json:"backend"`         // such as "vllm"
	Label          *string `json:"label"`           // the user's name for the run, or null
	ModelID        string  `json:"model_id"`        // such as "Qwen/Qwen3-32B"
	TokenizerID    string  `json:"tokenizer_id"`    // mostly the same
	NumPrompts     int     `json:"num_prompts"`     // requests asked for
	RequestRate    Rate    `json:"request_rate"`    // requests per second
	Burstiness     float64 `json:"burstiness"`      // shape of the gaps' gamma distribution
	MaxConcurrency *int    `json:"max_concurrency"` // most requests that the client had open, or null
}

// noDate is the date of a result that was given none. A run of the simulator has no time of day, and the same run gives
// the same file.
const noDate = "19700101-000000"

// Rate is requests per second. In JSON an infinite rate is the string "inf".
type Rate float64

// MarshalJSON writes the number, or "inf".
func (r Rate) MarshalJSON() ([]byte, error) {
	if math.IsInf(float64(r), 1) {
		return []byte(`"inf"`), nil
	}
	return json.Marshal(float64(r))
}

// WriteResult writes one line of JSON with the fields of `vllm bench serve --save-result --save-detailed`: meta, summary
// and, when details is not nil, one array per measured thing, in the order of details, which should be that of dispatch.
// Times are seconds with nine decimals at most; generated texts are empty, and rtfx, which is for audio, is 0.
func WriteResult(w io.Writer, meta Meta, summary Summary, details []Detail) error {
	out := bufio.NewWriter(w)
	meta.Date, meta.EndpointType = cmp.Or(meta.Date, noDate), cmp.Or(meta.EndpointType, "vllm")
	head, err := json.Marshal(struct {
		Meta
		Summary
		RTFX json.RawMessage `json:"rtfx"`
	}{meta, summary, json.RawMessage("0.0")})
	if err != nil {
		return err
	}
	if details == nil {
		out.Write(head)
	} else {
		out.Write(head[:len(head)-1])
		writeArrays(out, details)
		out.WriteByte('}')
	}
	out.WriteByte('\n')
	return out.Flush() // which repeats the first error of a write
}

// writeArrays writes the arrays of a detailed result, each with a comma before it.
func writeArrays(out *bufio.Writer, details []Detail) {
	var buf []byte
	array := func(name string, item func(buf []byte, d *Detail) []byte) {
		out.WriteString(`,"` + name + `":[`)
		for i := range details {
			buf = buf[:0]
			if i > 0 {
				buf = append(buf, ',')
			}
			buf = item(buf, &details[i])
			out.Write(buf)
		}
		out.WriteByte(']')
	}
	array("input_lens", func(b []byte, d *Detail) []byte { return strconv.AppendInt(b, int64(d.Input), 10) })
	array("output_lens", func(b []byte, d *Detail) []byte { return strconv.AppendInt(b, int64(d.Output), 10) })
	array("ttfts", func(b []byte, d *Detail) []byte { return appendSeconds(b, d.TTFT) })
	array("itls", func(b []byte, d *Detail) []byte {
		b = append(b, '[')
		for i, itl := range d.ITLs {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendSeconds(b, itl)
		}
		return append(b, ']')
	})
	array("latencies", func(b []byte, d *Detail) []byte { return appendSeconds(b, d.Latency) })
	array("start_times", func(b []byte, d *Detail) []byte { return appendSeconds(b, sim.Duration(d.Start)) })
	array("queue_times", func(b []byte, d *Detail) []byte { return appendSeconds(b, d.Queue) })
	array("generated_texts", func(b []byte, _ *Detail) []byte { return append(b, `""`...) })
	array("errors", func(b []byte, d *Detail) []byte {
		text, err := json.Marshal(d.Err)
		if err != nil {
			panic("metric: a string that has no JSON form: " + err.Error())
		}
		return append(b, text...)
	})
}

// appendSeconds appends d in seconds, exactly, as a JSON number with at least one decimal.
func appendSeconds(b []byte, d sim.Duration) []byte {
	n := uint64(d)
	if d < 0 {
		b, n = append(b, '-'), -n
	}
	b = strconv.AppendUint(b, n/1e9, 10)
	b = append(b, '.')
	first := len(b)
	b = strconv.AppendUint(b, 1e9+n%1e9, 10)
	b = append(b[:first], b[first+1:]...) // drops the 1 that kept the leading zeros
	for len(b) > first+1 && b[len(b)-1] == '0' {
		b = b[:len(b)-1]
	}
	return b
}
