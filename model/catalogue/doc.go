// Package catalogue holds what things cost and what machines can do: GPUs, machines, fabrics, versions of the transfer
// library, serving software. The values stand in the TOML files beside this text, each with its unit and its source; a
// value that nobody published is marked as inferred and has a range. Nothing in them was fitted to a result that pdsim
// is judged by.
package catalogue
