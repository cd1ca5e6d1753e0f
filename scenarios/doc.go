// Package scenarios reads what a deployment is and what is asked of it, and plays that.
//
// A [Spec] says everything that decides a run: model, engines, transfer library, serving software, router, workload,
// faults. It comes from a TOML file or a built-in scenario, with single keys overridden:
//
//	sp, err := scenarios.Load("p5en-qwen3-32b", []string{"workload.qps=2"})
//	result, err := scenarios.Run(sp, "push", scenarios.Options{})
//
// # One table of keys
//
// All that is said about a key stands in one table (keys.go, keys_workload.go): its meaning, unit, default and the values
// that it takes. Checks and their messages, the template of [Init] and the page docs/scenarios.md come from there. A new
// key is a field of the Spec and an entry in the table.
//
// # Layers
//
// A scenario is put together from layers: defaults, the file, then every [Layer] over it, such as [Set], [Option] or
// [Overlay]. Each layer goes through the same checks. What is wrong is gathered, not stopped at: the error is a
// [*Mistakes] with file, line, column, key and the nearest valid value. Checks that need several keys come last and blame
// the key that was set.
//
// # Playing
//
// [Run] plays a scenario under a protocol on fresh servers; a [Session] keeps the servers, with what their caches and
// free blocks remember, for the next scenario. A [Result] has the names and meanings of `vllm bench serve`.
package scenarios
