// Package llm holds the shape of a language model: what decides its FLOPs, its weights and its KV cache.
//
// A [Shape] comes from the built-in ones ([Builtin], [Lookup]), whose sources are in shapes.toml, or from the config.json
// that every model on Hugging Face has ([FromConfig]). Sizes follow from it: the weights of the whole model, those that
// one token meets, what one rank of a tensor-parallel engine holds, and how much KV a token leaves there.
//
// Norms and biases are left out everywhere: they are less than a tenth of a percent of any model here.
package llm
