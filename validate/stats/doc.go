// Package stats compares measured figures with simulated ones.
//
// Errors have a sign: simulated less measured, over measured; positive where the simulation gives more. All errors are in
// percent. Percentiles are numpy's: on the straight line between the neighbours of rank p/100*(n-1).
package stats
