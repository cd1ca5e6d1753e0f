package workload

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pdsim/sim"
)

// replay reads a trace from text. What is wrong with its start counts as the trace's error.
func replay(t *testing.T, format Format, text string, o TraceOptions) (list []Arrival, skipped int, err error) {
	t.Helper()
	trace, err := NewTrace(format, "t", strings.NewReader(text), o)
	if err != nil {
		return nil, 0, err
	}
	list = all(t, trace)
	return list, trace.Skipped(), trace.Err()
}

// lengths is what of an arrival a trace of lengths decides.
type lengths struct {
	At            sim.Time
	Input, Output int
}

func TestFormats(t *testing.T) {
	const azure = "TIMESTAMP,ContextTokens,GeneratedTokens\n"
	const burst = "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
	tests := []struct {
		name    string
		format  Format
		text    string
		want    []lengths
		skipped int
	}{
		{"azure 2023", Azure, azure + "2023-11-16 23:59:59.9799600,4808,10\n2023-11-17 00:00:00.0319600,3180,8\n",
			[]lengths{{0, 4808, 10}, {52_000_000, 3180, 8}}, 0},
		{"azure 2024", Azure, azure + "2024-02-28 23:59:59.9+00:00,1,2\n2024-02-29T02:00:00.000000001+02:00,3,4\n" +
			"2024-03-01 00:00:00Z,5,6\n2024-02-29 19:00:01-05:00,7,8\n",
			[]lengths{{0, 1, 2}, {100_000_001, 3, 4}, {86_400_100_000_000, 5, 6}, {86_401_100_000_000, 7, 8}}, 0},
		{"mark, CRLF, blank lines, spaces", Azure,
			"\ufeff\r\nTIMESTAMP,ContextTokens,GeneratedTokens\r\n\r\n2023-11-16 18:15:46, 374 ,44\r\n  \r\n2023-11-16 18:15:47,396,109",
			[]lengths{{0, 374, 44}, {1e9, 396, 109}}, 0},
		{"header only", Azure, azure, nil, 0},
		{"columns in another order", Azure, "x,generatedtokens,TIMESTAMP,ContextTokens\n,2,2023-11-16 18:15:46,1\n",
			[]lengths{{0, 1, 2}}, 0},
		{"empty requests", Azure, azure + "2023-11-16 18:15:46,0,5\n2023-11-16 18:15:47,5,0\n2023-11-16 18:15:48,5,5\n",
			[]lengths{{2e9, 5, 5}}, 2},
		{"mooncake", Mooncake, `{"timestamp": 27, "input_length": 6758, "output_length": 500, "hash_ids": [0, 1]}` + "\n\n" +
			`{"timestamp": 3027.5, "output_length": 3, "input_length": 7322, "more": null}`,
			[]lengths{{0, 6758, 500}, {3_000_500_000, 7322, 3}}, 0},
		{"no objects", Mooncake, "", nil, 0},
		{"mooncake lengths", MooncakeLengths, "timestamp_ms,input_length,output_length,num_hash_blocks\n0,6758,500,14\n3000,13544,71,27\n",
			[]lengths{{0, 6758, 500}, {3e9, 13544, 71}}, 0},
		{"burstgpt with a failure", BurstGPT, burst + "5,ChatGPT,472,18,490,Conversation log\n45,ChatGPT,1087,0,1087,Conversation log\n118.5,GPT-4,417,276,693,API log\n",
			[]lengths{{0, 472, 18}, {113_500_000_000, 417, 276}}, 1},
		{"burstgpt 2", BurstGPT, "Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type\n5,a,1.5,GPT-4,1,2,3,API log\n",
			[]lengths{{0, 1, 2}}, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			list, skipped, err := replay(t, test.format, test.text, TraceOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var have []lengths
			for _, a := range list {
				have = append(have, lengths{a.At, a.Input, a.Output})
			}
			if diff := cmp.Diff(test.want, have); diff != "" || skipped != test.skipped {
				t.Errorf("skipped %d, want %d; %s", skipped, test.skipped, diff)
			}
		})
	}
}

func TestMistakesNameTheLine(t *testing.T) {
	const azure = "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46.6805900,374,44\n"
	const good = `{"timestamp": 1000, "input_length": 1, "output_length": 1}` + "\n"
	tests := []struct {
		format     Format
		text, want string
	}{
		{"csv", "", `t: want a format of [azure mooncake mooncake-lengths burstgpt], have "csv"`},
		{Azure, "", "t:1: want a header with TIMESTAMP, ContextTokens, GeneratedTokens, have an empty file"},
		{Azure, "\ntime,a,b\n", `t:2: want a header with TIMESTAMP, ContextTokens, GeneratedTokens, have "time, a, b"`},
		{Azure, azure + "2023-11-16 18:15:47,396\n", "t:3: want 3 fields or more, have 2"},
		{Azure, azure + "2023-11-16 18:15:47,396,x\n", `t:3: GeneratedTokens: want a whole number from 0 to 1073741824, have "x"`},
		{Azure, azure + "2023-11-16 18:15:47,-1,5\n", `t:3: ContextTokens: want a whole number from 0 to 1073741824, have "-1"`},
		{Azure, azure + "2023-11-16 18:15:47,99999999999999999999,5\n", `t:3: ContextTokens: want a whole number from 0 to`},
		{Azure, azure + "2023-02-29 18:15:47,1,5\n", `t:3: TIMESTAMP: want a time like 2023-11-16 18:17:03.9799600, have "2023-02-29 18:15:47"`},
		{Azure, azure + "2023-11-16 24:15:47,1,5\n", `t:3: TIMESTAMP: want a time`},
		{Azure, azure + "2023-11-16 18:15:47.,1,5\n", `t:3: TIMESTAMP: want a time`},
		{Azure, azure + "2023-11-16 18:15:47.1234567890,1,5\n", `t:3: TIMESTAMP: want a time`},
		{Azure, azure + "2023-11-16 18:15:46.6805899,1,5\n", "t:3: want rows in order of time, have one 100ns before its predecessor; sort the file"},
		{Azure, azure + "2199-11-16 18:15:46,1,5\n", "t:3: want at most 1000000000 seconds after the first row"},
		{Azure, azure + "2023-11-16 18:15:47,\"1,5\n", `t:3: extraneous or missing " in quoted-field`},
		{BurstGPT, "Timestamp,Request tokens,Response tokens\nNaN,1,1\n", `t:2: Timestamp: want seconds from 0 to 1000000000, have "NaN"`},
		{BurstGPT, "Timestamp,Request tokens,Response tokens\n-5,1,1\n", `t:2: Timestamp: want seconds from 0 to 1000000000, have "-5"`},
		{MooncakeLengths, "timestamp_ms,input_length,output_length\n1e300,1,1\n", `t:2: timestamp_ms: want milliseconds from 0 to 1000000000000, have "1e300"`},
		{Mooncake, good + "\n{}", "t:3: want a timestamp in milliseconds, have none"},
		{Mooncake, good + `{"timestamp": -1, "input_length": 1, "output_length": 1}`, "t:2: timestamp: want milliseconds from 0 to 1000000000000, have -1"},
		{Mooncake, good + `{"timestamp": 2000, "output_length": 1}`, "t:2: want input_length, have none"},
		{Mooncake, good + `{"timestamp": 2000, "input_length": 1}`, "t:2: want output_length, have none"},
		{Mooncake, good + `{"timestamp": 2000, "input_length": -1, "output_length": 1}`, "t:2: input_length: want a whole number from 0 to 1073741824, have -1"},
		{Mooncake, good + `{"timestamp": 2000`, "t:2: unexpected end of JSON input"},
		{Mooncake, good + `{"timestamp": 999, "input_length": 1, "output_length": 1}`, "t:2: want rows in order of time, have one 1ms before its predecessor; sort the file"},
		{Mooncake, good + strings.Repeat(" ", longestLine), "t:2: want lines of at most 16777216 bytes, have a longer one"},
		{Azure, "\x1f\x8bnonsense", "t: gzip: invalid header"},
	}
	for _, test := range tests {
		if _, _, err := replay(t, test.format, test.text, TraceOptions{}); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("have error %v\n          want %s", err, test.want)
		}
	}
}

func TestTraceOptions(t *testing.T) {
	const text = "timestamp_ms,input_length,output_length\n1000,10,100\n2000,0,5\n4000,20,200\n8000,30,300\n"
	tests := []struct {
		name    string
		options TraceOptions
		want    []lengths
	}{
		{"as it was", TraceOptions{}, []lengths{{0, 10, 100}, {3e9, 20, 200}, {7e9, 30, 300}}},
		{"faster", TraceOptions{Speed: 2}, []lengths{{0, 10, 100}, {15e8, 20, 200}, {35e8, 30, 300}}},
		{"slower", TraceOptions{Speed: 0.5}, []lengths{{0, 10, 100}, {6e9, 20, 200}, {14e9, 30, 300}}},
		{"limit", TraceOptions{Limit: 2}, []lengths{{0, 10, 100}, {3e9, 20, 200}}},
		{"start", TraceOptions{Start: 2 * sim.Second}, []lengths{{1e9, 20, 200}, {5e9, 30, 300}}},
		{"start and speed", TraceOptions{Start: 2 * sim.Second, Speed: 2}, []lengths{{5e8, 20, 200}, {25e8, 30, 300}}},
		{"caps", TraceOptions{MaxInput: 15, MaxOutput: 200}, []lengths{{0, 10, 100}, {3e9, 15, 200}, {7e9, 15, 200}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			list, _, err := replay(t, MooncakeLengths, text, test.options)
			if err != nil {
				t.Fatal(err)
			}
			var have []lengths
			for _, a := range list {
				have = append(have, lengths{a.At, a.Input, a.Output})
			}
			if diff := cmp.Diff(test.want, have); diff != "" {
				t.Error(diff)
			}
		})
	}
	for want, o := range map[string]TraceOptions{
		"t: speed: want more than 0, have -1":       {Speed: -1},
		"t: start: want 0s or more, have -1s":       {Start: -sim.Second},
		"t: limit: want 0 or more, have -1":         {Limit: -1},
		"t: max input: want 0 or more, have -2":     {MaxInput: -2},
		"t: max output: want 0 or more, have -3":    {MaxOutput: -3},
		"t: chunk tokens: want 0 or more, have -16": {ChunkTokens: -16},
	} {
		if _, _, err := replay(t, Mooncake, "", o); err == nil || err.Error() != want {
			t.Errorf("have error %v, want %s", err, want)
		}
	}
}

// A request keeps its content when other rows are left out, and a compressed file reads like a plain one.
func TestContentAndCompression(t *testing.T) {
	const text = `{"timestamp": 0, "input_length": 600, "output_length": 1, "hash_ids": [4, 5]}
{"timestamp": 1, "input_length": 600, "output_length": 1, "hash_ids": [4, 6]}
{"timestamp": 2, "input_length": 600, "output_length": 1}
`
	list, _, err := replay(t, Mooncake, text, TraceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := common(&list[0].Prompt, &list[1].Prompt, 128, 20); got != 4 {
		t.Errorf("%d blocks in common, want 4", got)
	}
	late, _, _ := replay(t, Mooncake, text, TraceOptions{Start: 2 * sim.Millisecond})
	if len(late) != 1 || late[0].Prompt.ID != list[2].Prompt.ID {
		t.Errorf("the third request became %+v", late)
	}
	small, _, _ := replay(t, Mooncake, text, TraceOptions{ChunkTokens: 16})
	if got := common(&small[0].Prompt, &small[1].Prompt, 16, 20); got != 1 {
		t.Errorf("%d blocks in common, want 1", got)
	}
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	io.WriteString(z, text)
	z.Close()
	again, _, err := replay(t, Mooncake, zipped.String(), TraceOptions{})
	if diff := cmp.Diff(list, again); err != nil || diff != "" {
		t.Errorf("compressed: %v %s", err, diff)
	}
	if _, _, err := replay(t, Mooncake, zipped.String()[:zipped.Len()-9], TraceOptions{}); err == nil {
		t.Error("a file that was cut off has no error")
	}
}

func TestBuiltins(t *testing.T) {
	tests := map[string]struct {
		rows          int
		last          sim.Time
		input, output int // sums
	}{
		"azure-conversation-2023": {19366, 3501721937000, 22361870, 4088665},
		"mooncake-conversation":   {2000, 669000000000, 27441774, 704602},
	}
	for _, name := range Builtins() {
		trace, err := NewBuiltin(name, TraceOptions{})
		if err != nil {
			t.Fatal(err)
		}
		list := all(t, trace)
		input, output := 0, 0
		for _, a := range list {
			input += a.Input
			output += a.Output
		}
		want := tests[name]
		last := list[len(list)-1].At
		if trace.Err() != nil || len(list) != want.rows || last != want.last || input != want.input || output != want.output {
			t.Errorf("%s: %v, %d rows to %d, %d and %d tokens", name, trace.Err(), len(list), last, input, output)
		}
	}
	_, err := OpenBuiltin("azure")
	if want := `want a built-in trace (azure-conversation-2023, mooncake-conversation), have "azure"`; err == nil || err.Error() != want {
		t.Errorf("have error %v, want %s", err, want)
	}
	if _, err := NewBuiltin("azure", TraceOptions{}); err == nil {
		t.Error("no error for an unknown name")
	}
}
