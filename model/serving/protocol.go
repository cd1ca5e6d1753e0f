package serving

// Protocol is the schedule by which a request's KV gets from a prefill to a decode engine: who starts what, where, and
// after what. Its methods are the points of a request's life at which a connector gets to act. They cost nothing by
// themselves: what they post on threads and wires does.
//
// A method is called within the event that it reacts to, on the thread named. It starts work through the methods of
// Request and Engine and says there what comes next.
type Protocol interface {
	// Name is the word for the protocol in scenarios and tables.
	Name() string
	// Writes says whether prefill writes into decode's memory; otherwise decode reads.
	Writes() bool
	// Dispatch: the router has a request from the client.
	Dispatch(r *Request)
	// Allocated: the decode engine's scheduler has reserved blocks for the prompt.
	Allocated(r *Request)
	// Load: a step to which r was added by Engine.AddLoad has reached the worker's main thread.
	Load(e *Engine, r *Request)
	// Prefilled: the prefill engine's scheduler has processed the output of the last prompt chunk.
	Prefilled(r *Request)
	// Poll: the worker's main thread looks for completions, once in a step.
	Poll(e *Engine)
	// Noted: a notification has arrived in e's inbox; nobody has read it yet.
	Noted(e *Engine, n Note)
	// Expired: the lease of blocks that r.P.Engine held for r ran out; the engine frees them.
	Expired(r *Request)
	// Aborted: r has ended before its time, since its client gave up or something failed. Its legs are about to be taken
	// out of their engines; blocks that it holds, or that are being loaded, stay.
	Aborted(r *Request)
}

// Kinds of notification.
const (
	// KVRead says to the prefill engine that its blocks have been read.
	KVRead uint8 = iota
	// KVWritten says to the decode engine that its blocks have been written.
	KVWritten
	// Register tells the prefill engine where to write.
	Register
	// Heartbeat extends the lease of a request's blocks.
	Heartbeat
)

// noteNames name notifications in spans.
var noteNames = [...]string{KVRead: "KVRead", KVWritten: "KVWritten", Register: "Register", Heartbeat: "Heartbeat"}
