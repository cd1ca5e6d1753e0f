package protocols

import "pdsim/model/serving"

// Colocated has one engine compute the prompt and generate the answer: no KV moves. It is what a split deployment is to
// be compared with, and runs on the decode engines.
//
//	client   router        engine
//	  |--------->|            |
//	  |          |--request-->|
//	  |          |            | steps with prompt chunks and decodes mixed
//	  |<-------token----------|
type Colocated struct{}

// Name is "colocated".
func (Colocated) Name() string { return "colocated" }

// Writes is false: nothing is moved.
func (Colocated) Writes() bool { return false }

// Dispatch sends the request to an engine that computes its prompt itself.
func (Colocated) Dispatch(r *serving.Request) {
	r.ChooseDecode()
	r.SendDecode(false)
}

// Allocated does not happen: no engine waits for another's KV.
func (Colocated) Allocated(*serving.Request) {}

// Load does not happen.
func (Colocated) Load(*serving.Engine, *serving.Request) {}

// Prefilled does not happen: there is no prefill leg.
func (Colocated) Prefilled(*serving.Request) {}

// Poll has nothing to look for.
func (Colocated) Poll(*serving.Engine) {}

// Noted does not happen.
func (Colocated) Noted(*serving.Engine, serving.Note) {}

// Expired does not happen.
func (Colocated) Expired(*serving.Request) {}

// Aborted has nobody to tell.
func (Colocated) Aborted(*serving.Request) {}
