package protocols

import "pdsim/model/serving"

// Push has the prefill engine write the blocks to where the decode engine registered them.
//
//	client   router        prefill P              decode D
//	  |--------->|            |                      |
//	  |          |--prefill-->|                      |
//	  |          |--------decode-------------------->|
//	  |          |            | steps                | next step: reserves blocks
//	  |          |            |<-----Register--------| writer thread
//	  |          |            | next step: staged    |
//	  |          |            |=======WRITE=========>| P's writer thread posts
//	  |          |            |------KVWritten------>| with the data, or from P's next poll
//	  |          |            | poll: frees          | writer reads it on one step's wake,
//	  |          |            |                      | main thread takes it on the next
//	  |          |            |                      | next step: first token
//	  |<-----------------------------token-----------|
//
// A router that sends the decode leg only after the prefill leg has answered makes P wait for the registration: then
// P's writer looks for it by itself, every millisecond.
//
// Source: vLLM's NixlPushConnector, vllm/distributed/kv_transfer/kv_connector/v1/nixl/push_worker.py and
// push_scheduler.py, and its demo router.
type Push struct{}

// Name is "push".
func (Push) Name() string { return "push" }

// Writes is true: prefill writes.
func (Push) Writes() bool { return true }

// Dispatch chooses both engines now, since P has to know D.
func (Push) Dispatch(r *serving.Request) {
	r.ChoosePrefill()
	r.ChooseDecode()
	r.SendPrefill()
	if r.Concurrent() {
		r.SendDecode(true)
	}
}

// Prefilled keeps the blocks under a lease and puts them into the next step's metadata.
func (Push) Prefilled(r *serving.Request) {
	p := r.P.Engine
	p.Hold(r)
	p.AddLoad(r)
	p.KeepStepping(1)
	r.Pending = true
	if !r.Concurrent() {
		r.Answer(pushDecode)
	}
}

func pushDecode(r *serving.Request) { r.SendDecode(true) }

// Allocated puts the registration into the metadata of the step that reserved the blocks.
func (Push) Allocated(r *serving.Request) { r.D.Engine.AddLoad(r) }

// Load only wakes the writer: on P with finished blocks, on D with a registration to send.
func (Push) Load(e *serving.Engine, r *serving.Request) {
	if e == r.P.Engine {
		r.On(e.Writer, "match", e.Costs.WriterWake, pushStage)
	} else {
		r.On(e.Writer, "register", e.Costs.WriterWake, pushRegister)
	}
}

// pushRegister tells P where to write, from D's writer, which reads its notifications whenever it is awake.
func pushRegister(r *serving.Request) {
	d, p := r.D.Engine, r.P.Engine
	pushRead(d)
	if !d.Met(p) {
		d.Greet(p, r, pushRegister)
		return
	}
	d.Notify(p, serving.Register, r)
}

// pushStage is P's writer, awake, with finished blocks that it did not know of, unless their lease has run out already.
func pushStage(r *serving.Request) {
	r.Staged = r.Pending
	pushMatch(r)
}

// pushMatch is P's writer, awake: finished blocks against registrations, read or unread.
func pushMatch(r *serving.Request) {
	pushRead(r.P.Engine)
	pushIfMatched(r)
}

func pushIfMatched(r *serving.Request) {
	if r.Staged && r.Registered && !r.Sending {
		r.Sending = true
		pushWrite(r)
	}
}

// pushRead is a writer reading all notifications.
func pushRead(e *serving.Engine) {
	for n := range e.Notes() {
		switch n.Kind {
		case serving.KVWritten:
			e.Forward(n)
		case serving.Register:
			n.Request.Register()
			pushIfMatched(n.Request)
		}
	}
}

// pushWrite posts from P's writer thread, off the path of every step.
func pushWrite(r *serving.Request) {
	p, d := r.P.Engine, r.D.Engine
	if !p.Met(d) {
		p.Handshake(d, r, pushWrite)
		return
	}
	p.Write(p.Writer, r, true, nil)
}

// Poll sees finished writes, on P; on D the main thread takes what the writer had read at the wake before, and wakes
// it again.
func (Push) Poll(e *serving.Engine) {
	for r := range e.Landed() {
		if !e.Agent.Costs.NotifyWithWrite {
			e.Notify(r.D.Engine, serving.KVWritten, r)
		}
		pushDone(r)
		e.Free(r)
	}
	for r := range e.Broken() {
		if e == r.D.Engine { // the handshake before the registration
			e.LoadFailed(r)
		} else { // a write: D is not told, the lease frees P's blocks
			r.Sending = false
			pushDone(r)
		}
	}
	for r := range e.Forwarded() {
		e.Loaded(r)
	}
	pushRead(e)
}

// pushDone ends P's work for a request.
func pushDone(r *serving.Request) {
	r.Staged = false
	if r.Pending {
		r.Pending = false
		r.P.Engine.KeepStepping(-1)
	}
}

// Noted has P's writer, if the blocks wait for this registration, read it at its next look.
func (Push) Noted(e *serving.Engine, n serving.Note) {
	if r := n.Request; n.Kind == serving.Register && r.Staged && !r.Sending {
		r.AtWriterPoll(pushMatch)
	}
}

// Expired evicts blocks that nobody registered for. D is not told and waits until its client gives up.
func (Push) Expired(r *serving.Request) { pushDone(r) }

// Aborted does nothing: P's blocks wait for the lease, D's for a write that may not come.
func (Push) Aborted(*serving.Request) {}
