// Package calibrate fits values of the catalogue to measured cases, and says what that is worth.
//
// [Prepare] takes cases and the paths of what is to be fitted, such as "backend.post_read" or "prefill.compute_scale",
// and parts the measured figures into those that are fitted to and those that are held out. [Plan.Fit] moves the
// parameters within the ranges of the catalogue until simulated figures are as near as possible to the measured ones, and
// returns a [Result]: the values with intervals, which of them the data does not determine, and the errors on both parts
// with the values as they were and as they are fitted.
//
// What is fitted to is never judged: its errors stand apart, and a point that the catalogue itself was fitted to is not
// among the held out ones. Without figures that are held out a result has nothing to be judged by, and says so.
//
// The loss of a figure is that of Huber on the logarithm of simulated over measured: differences count by their ratio, and
// a figure that the model cannot reach does not carry the rest along. Around the best values the logarithms of figures
// are taken to be linear in those of parameters; the intervals and what is not determined come from that, since playing
// all cases again for hundreds of resamples would take hours.
//
// The same cases, parameters and seed give the same result.
package calibrate
