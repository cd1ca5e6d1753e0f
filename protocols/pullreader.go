package protocols

import "pdsim/model/serving"

// PullReader is Pull with a reader thread: the read is posted from a background thread of the worker instead of its
// main thread, so that no step waits for it. All else is as in Pull; the read is still handed over by a step and its
// end still seen by a step's poll.
//
// Source: github.com/vllm-project/vllm/pull/45211.
type PullReader struct{ Pull }

// Name is "pull-reader".
func (PullReader) Name() string { return "pull-reader" }

// Load hands the read to the reader thread.
func (p PullReader) Load(d *serving.Engine, r *serving.Request) {
	if r.D.State == serving.Loading && d.Met(r.P.Engine) {
		d.Read(d.Writer, r, true, nil)
		return
	}
	p.Pull.Load(d, r)
}
