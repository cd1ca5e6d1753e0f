// Package validate holds pdsim against measured runs.
//
// [Run] plays the measured cases of package cases through package scenarios, pairs every measured figure with the
// simulated one, and makes a [Report]: the error of each figure, their sums by family and figure, whether simulation and
// measurement lead to the same decision, and for runs with per-request times how the distributions differ.
//
// Parameters may have been fitted to a part of the data. What is marked so in a case is shown and never judged.
//
// Beside the simulation stand two predictors that anybody has at hand, so that it shows what simulating adds: size over
// bandwidth, which knows the compute times of one prompt and one step and nothing of posting, stepping or waiting, and
// one request alone on the simulated servers, which knows all of that but no load.
//
// Package read reads measurements, package stats compares figures.
package validate
