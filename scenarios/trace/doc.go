// Package trace writes what happens in a run as a trace for viewers: Perfetto's protobuf form, or Chrome's JSON.
//
// A [Writer] is a recorder. Each engine is a process; threads, rails, lines before threads and requests that wait are its
// tracks; router, client and notifications are the process "between". On a track slices nest properly: what overlaps
// without being part of the other is on a further track of the same name, which viewers draw as one. Arrows go from what
// released a slice to the slice, one for each dependency. Counters are tracks of their own.
//
// Spans are written while the run goes on. They are held back for a minute of the run's time, so that an arrow knows both
// its ends: a slice that is released by another later than that has no arrow.
package trace
