// Package compute says how long the GPUs of an engine work on one step.
//
// # The idea
//
// An engine step computes a batch: some sequences decode one token each, some prompts are computed in chunks. What
// that costs depends on few sums, which [Batch] holds, because a transformer has two kinds of work:
//
//   - what treats all tokens alike (matrix products, norms, all-reduces) depends on the number of tokens. Few tokens
//     cost as much as one, since every weight must be read anyway: that is why decoding in batches pays;
//   - attention depends on what each token looks back at. A decode reads its whole context from memory. A chunk of n
//     tokens after c computes n*c + n*(n+1)/2 query-key pairs, so a long prompt costs more a token than a short one.
//
// A [Model] turns a batch into time on the slowest tensor-parallel rank; the ranks work in lockstep. It is GPU time
// only. What the engine does between steps (scheduling, sampling parameters, output) is the engine's and is modelled
// there.
//
// # Which model
//
// From the most to the least that must be known:
//
//   - [Kernels] sums measured kernels of vLLM on H100 or H200, for Qwen3-32B's and Llama-70B's shapes;
//   - [Measured] interpolates whole steps that somebody timed: two small CSV files, see [Table];
//   - [Fitted] evaluates a linear form, from calibration or from the catalogue [Fits];
//   - [Roofline] needs only the model's shape and the GPU's datasheet.
//
// None is trusted on its word: [Bound] is the time below which physics does not go, and [Check] holds a model against
// it over a grid of batches.
//
// # How they are built
//
// All work is done once: times are laid on grids that are linear within an octave (axis, curve, surface), so that
// StepTime is a few shifts, loads and multiplications. Measured times wobble, so the grids are made to rise: no batch
// gets cheaper by growing in any field of Batch. Times are float64 nanoseconds, with every product rounded before it is
// added (float64(x*y) + z), so that no processor's fused instruction gives other bits, and become integer nanoseconds
// in one place (roundNs).
//
// # How far to trust them
//
// Kernels, with nothing fitted to whole steps (the tests print the figures):
//
//	against                                             figure                     Kernels
//	Qwen3-32B, 8 x H200, TPOT at light load, 1k to 16k  5.6 to 5.8 ms              5.4 to 5.7 ms
//	same, 24,000 less 2,000 prompt tokens               591 ms, serving included   505 ms (-14 %)
//	Llama-3.3-70B fp8, 8 x H100, prefill at 1k          31.7k tokens/s             30.3k (-5 %)
//	same at 24k in chunks of 8,192                      26.7k tokens/s             25.9k (-3 %)
//	Qwen3-32B, 2 x H100, 25 closed-loop runs, TPOT      vLLM 0.12                  median error 3 %, bias -2 %
//	Qwen3-32B, 8 x H100, 30 closed-loop runs, TPOT      vLLM 0.12                  median error 13 %, bias -13 %
//
// The last two rows compare with a closed form, not with a scheduler. What is missing at tp = 8 grows with the
// sequences and not with the work: about 1 ms a step and 35 us a sequence, at both degrees. That is the loop of a vLLM
// that does not schedule ahead (inferred; the runs have no profile), so it is absent here on purpose.
//
// Not modelled: expert parallelism, pipeline parallelism, sparse attention, speculative decoding, power capping, and
// the imbalance of ranks.
package compute
