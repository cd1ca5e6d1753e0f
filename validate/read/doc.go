// Package read reads what people have measured: results of `vllm bench serve`, logs and metrics of vLLM servers, tables of
// nixlbench, CSV, and timelines with the times of each request.
//
// Every reader takes the name of its file for messages, the text and [Options], hands records on one by one, and returns
// [Notes]: how many records there were and what was odd about them. Text compressed with gzip is unpacked on the way.
// Memory does not grow with the length of the file, but for a scrape of Prometheus text, which is small.
//
// What a file lacks is counted in Notes.Missing by its name and never guessed: a record says which of its figures it has.
// NaN and infinite figures count as lacking and in Notes.NonFinite. Requests that failed are handed on as failed.
//
// A malformed line ends the reading with an error that begins "file:line: ". With Options.KeepGoing it is skipped and
// counted instead, and the first such error is kept in the notes.
//
// Where formats are from:
//
//   - [Bench]: vLLM, vllm/benchmarks/serve.py; old files lack latencies, queue_times and rtfx, and say so through Has.
//   - [KVLine]: vLLM's log line "KV Transfer metrics:", from the statistics of its NIXL connector.
//   - [Lifecycle]: lines marked KV_CONNECTOR_LIFECYCLE with schema vllm-kv-connector-v1, as proposed in
//     github.com/vllm-project/vllm/pull/52859.
//   - [Scrape]: Prometheus text of vLLM's /metrics, on a prefill or a decode server.
//   - [BenchRow]: tables of nixlbench, github.com/ai-dynamo/nixl.
//   - [Row]: CSV with named columns.
//   - [Request]: pdsim's timeline, below; the traces of the H200 decode rig; requests.jsonl of LLMServingSim's vLLM runs.
//
// # The timeline
//
// A timeline is JSON, one object a line. The first line is the header:
//
//	{"kind":"pdsim-timeline","version":1,"scenario":"p5en-qwen3-32b","protocol":"pull"}
//
// Every further line is a request, in any order:
//
//	{"id":0,"input_tokens":4096,"output_tokens":3,"arrival":0.5,"prefill_queued":0.506,"prefill_start":0.507,
//	"prefill_end":0.64,"decode_queued":0.65,"admitted":0.651,"post_start":0.652,"post_end":0.664,"landed":0.665,
//	"seen":0.67,"first_token":0.677,"tokens":[0.677,0.683,0.689],"descriptors":5120,"bytes":167772160,"outcome":"done"}
//
// Times are seconds with up to nine decimals, all on one clock that may start anywhere. A key that is left out or null
// means that the time was not taken or the thing did not happen. Descriptors and bytes are those of one rank.
//
//	arrival         the client sent the request
//	prefill_queued  it entered the prefill engine's queue
//	prefill_start   the prefill engine gave it blocks
//	prefill_end     the prefill engine had its prompt computed
//	registered      the sender knew where to (push)
//	decode_queued   it entered the decode engine's queue
//	admitted        the decode engine gave it blocks
//	post_start      the transfer library was called
//	post_end        that call returned
//	landed          the last byte was there
//	seen            a poll saw so
//	first_token     the client got the first token
//	tokens          the client got each token, the first one included
//	outcome         "done", "failed" or "aborted"; reason says why
package read
