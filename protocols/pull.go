package protocols

import "pdsim/model/serving"

// Pull has the decode engine read the blocks once prefill has finished.
//
//	client   router        prefill P              decode D
//	  |--------->|            |                      |
//	  |          |--prefill-->|                      |
//	  |          |            | steps                |
//	  |          |<--answer---| holds the blocks     |
//	  |          |--------decode-------------------->|
//	  |          |            |                      | next step: reserves blocks
//	  |          |            |<=======READ==========| worker main thread posts
//	  |          |            |                      | a later step's poll sees it
//	  |          |            |<-----KVRead----------|
//	  |          |            | poll: frees          | next step: first token
//	  |<-----------------------------token-----------|
//
// Source: vLLM's NixlConnector, vllm/distributed/kv_transfer/kv_connector/v1/nixl/pull_worker.py and
// pull_scheduler.py, and the demo router beside it.
type Pull struct{}

// Name is "pull".
func (Pull) Name() string { return "pull" }

// Writes is false: decode reads.
func (Pull) Writes() bool { return false }

// Dispatch sends the prefill leg. Which decode engine gets the request is open until that has answered.
func (Pull) Dispatch(r *serving.Request) {
	r.ChoosePrefill()
	r.SendPrefill()
}

// Prefilled keeps the blocks under a lease and answers the router, which throws P's own token away.
func (Pull) Prefilled(r *serving.Request) {
	r.P.Engine.Hold(r)
	r.Answer(pullDecode)
}

// pullDecode is the router's second leg. From its arrival D's heartbeats extend the lease.
func pullDecode(r *serving.Request) {
	r.Heartbeats = true
	r.ChooseDecode()
	r.SendDecode(true)
}

// Allocated puts the read into the metadata of the step that reserved the blocks.
func (Pull) Allocated(r *serving.Request) { r.D.Engine.AddLoad(r) }

// Load reads, on the worker's main thread: the step ends no earlier than the post.
func (Pull) Load(d *serving.Engine, r *serving.Request) {
	switch p := r.P.Engine; {
	case r.D.State != serving.Loading: // aborted before it was scheduled: nothing to read
		d.Notify(p, serving.KVRead, r)
	case !d.Met(p):
		d.Handshake(p, r, pullAgain)
	default:
		d.Read(d.Main, r, false, nil)
	}
}

// pullAgain puts the read into the next step's metadata, after the handshake.
func pullAgain(r *serving.Request) { r.D.Engine.AddLoad(r) }

// Poll sees finished reads, on D, and tells P, and those that failed; on P it sees that its blocks have been read.
func (Pull) Poll(e *serving.Engine) {
	for r := range e.Landed() {
		e.Notify(r.P.Engine, serving.KVRead, r)
		e.Loaded(r)
	}
	for r := range e.Broken() {
		e.LoadFailed(r)
	}
	for n := range e.Notes() {
		e.Free(n.Request)
	}
}

// Noted does nothing: notifications wait for the poll.
func (Pull) Noted(*serving.Engine, serving.Note) {}

// Expired does nothing: a read that comes later reads memory that may be in use again.
func (Pull) Expired(*serving.Request) {}

// Aborted has D tell P that nobody will read, if D has the request in its queue.
func (Pull) Aborted(r *serving.Request) {
	if r.P.State == serving.Held && r.D.State == serving.Waiting {
		r.D.Engine.AddLoad(r)
	}
}
