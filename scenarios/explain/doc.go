// Package explain says where time to first token goes.
//
// A [Recording] keeps what happens in a session that is started with its options. From it come paths: [Recording.Path] is
// the chain of steps that one request's first token waited for, [Recording.Mean] that chain over all requests. Steps follow
// each other without a gap and add up to TTFT to the nanosecond; what does not is an error. What a request also did, off
// its path, is listed with its slack: by how much it could have ended later without delaying the first token.
//
// [Compare] sets two paths against each other, step by step: two protocols, or one scenario as it is and as it could be.
// [Sensitivity] changes every number of a scenario in turn and says what that does to TTFT and TPOT.
//
// Nothing here knows a protocol. All names are those of the spans that package serving and package nixl record.
package explain
