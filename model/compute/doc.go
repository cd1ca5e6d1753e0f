// Package compute says how long the GPUs work on one engine step.
package compute
