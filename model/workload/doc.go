// Package workload says which requests come when: how many tokens go in and out, and which prompts begin alike.
//
// A [Source] yields one [Arrival] after the other in order of time and holds no more than it must, so that a million
// requests cost no more memory than a hundred. There are three kinds:
//
//   - [Gamma] is a benchmark run as `vllm bench serve` makes it from its rate, burstiness and seed. Its instants are those
//     of the tool, to the nanosecond, so that a simulated run meets the same bunches and lulls as a measured one.
//   - [Conversations] are chats of several turns. Later turns depend on when earlier ones end: the client reports that
//     through [Feedback] and gets the next turn for it.
//   - [Trace] replays recorded production load: [Azure], [Mooncake], [MooncakeLengths] and [BurstGPT] files, as they are
//     published or faster. Two traces come with the package, see [Builtins].
//
// An arrival's [Prompt] has no tokens, only names for its content, from which [Prompt.BlockHash] makes what a prefix cache
// compares. Prompts are equal as far as their names say: the runs of one benchmark repeat their prompts, conversations
// continue theirs, Mooncake's traces carry the overlaps that were recorded.
//
// Every random number comes from a stream that is named for its purpose and seeded by the run: with another length
// distribution the arrivals stay the same, and with another rate the lengths do.
package workload
