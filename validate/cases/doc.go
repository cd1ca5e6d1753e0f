// Package cases reads measured cases: what was run, what was measured, and what of it pdsim is judged by. A case is a
// folder with a file case.toml and the data that it names; those that come with pdsim are in folders beside this file.
//
//	title    = "what was measured, in a line"
//	family   = "serve"                  # cases of one family are summed up together
//	source   = "where the figures are from"
//	licence  = "under which terms they are passed on"
//	note     = "what was left out or derived, and why"
//	scenario = "p5-llama70b-efa"        # a built-in scenario, or a TOML file in the folder
//	protocol = "pull"                   # of points that do not say
//	set      = ["workload.probe=true"]  # over the scenario, for all points; only what the source states
//	metrics  = ["mean_ttft_ms"]         # what is judged; empty: everything that was measured
//
//	[[point]]
//	name     = "1k"
//	protocol = "pull"
//	set      = ["workload.input_tokens=1024"]
//	measured = { mean_ttft_ms = 991.5 }
//	spread   = { mean_ttft_ms = 12.0 }  # standard deviation over repetitions
//	fitted   = true                     # parameters were fitted to this point: shown, never judged
//	fitted_metrics = ["mean_ttft_ms"]   # or to these of its figures only
//
//	[[point]]
//	name   = "trace"
//	replay = "run1.jsonl.gz"            # arrivals and lengths of this file are played; its figures are the measured ones
//	format = "timeline"                 # or "engine-run"
//
//	[[table]]
//	file     = "windows.csv"            # each row is a point; rows of one name are repetitions of it
//	name     = "{input_tokens}"         # {column} stands for the row's value, here and in protocol and set
//	set      = ["workload.input_tokens={input_tokens}"]
//	measured = { "kv.avg_post_ms" = "avg_post_ms" }   # figure = column
//	weight   = "num_transfers"          # column by which repetitions are weighted; none: all alike
//	fitted   = "fitted"                 # column with yes or no
//
//	[[decision]]
//	name   = "16k at 8 requests/s"
//	metric = "mean_ttft_ms"             # of which less is better
//	points = ["pull", "push"]           # by their names
//	factor = 3.2                        # first over second, when only that was published
//
// Figures have the names of pdsim's own results: those of `vllm bench serve`, "kv." with the names of KV transfer
// figures, "engine." with those of engines, and "phase." with [Phases].
package cases
