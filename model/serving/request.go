package serving

import (
	"pdsim/model/kv"
	"pdsim/model/nixl"
	"pdsim/model/workload"
	"pdsim/sim"
)

// Request is one client request on its way through the cluster.
type Request struct {
	ID     int64 // in order of arrival, from 0
	Prompt workload.Prompt
	Input  int // prompt tokens
	Output int // tokens that the client asks for

	P Leg // its life in a prefill engine
	D Leg // its life in a decode engine

	Transfer *nixl.Transfer // its KV on the way; nil before the post
	Moved    Moved          // the transfer, once its end was seen
	// A protocol's notes: the KV is to be sent; the sender knows the destination; it has the KV in hand; its way has begun.
	Pending, Registered, Staged, Sending bool
	// Heartbeats says that the decode engine's heartbeats extend the request's lease.
	Heartbeats bool

	Sent    sim.Time // the client sent it
	First   sim.Time // the client got the first token; sim.Never until then
	Last    sim.Time // the client got the latest token
	Outcome Outcome
	Reason  string         // why it failed
	Tail    sim.SpanID     // the span that ends with the first token
	Gaps    []sim.Duration // between tokens, if the client keeps them
	Stale   bool           // its KV was read after the lease had run out

	cluster *Cluster
	slot    uint32
	known   sim.Time // when Registered came true
	tokens  int      // that the client has got
	refs    int      // tasks, legs and notifications that still point here
	session uint64
}

// Outcome says how a request ended.
type Outcome uint8

// The ways in which a request ends; Open until it has.
const (
	Open Outcome = iota
	Done
	Failed
	Aborted
)

// String names the outcome.
func (o Outcome) String() string { return [...]string{"open", "done", "failed", "aborted"}[o] }

// State is where a leg stands in its engine's scheduler.
type State uint8

// The states of a leg, in vLLM's terms: Loading is WAITING_FOR_REMOTE_KVS. Held is finished with its blocks kept for
// another engine.
const (
	Absent State = iota
	Waiting
	Loading
	Running
	Held
	Over
)

// Leg is a request's life in one engine.
type Leg struct {
	Request *Request
	Engine  *Engine
	State   State
	Prompt  int // tokens known from the start
	Output  int // tokens to generate here
	Blocks  []kv.Block
	Hit     int // leading blocks that the prefix cache had

	Computed  int  // tokens whose KV this engine holds or has scheduled
	Generated int  // tokens sampled and processed
	inFlight  int  // tokens scheduled to be sampled, not yet processed
	Remote    bool // its prompt's KV comes from another engine
	ready     bool // its load has been reported
	published int  // leading blocks that the prefix cache knows
	resumed   bool // it was preempted before
	coming    bool // the router has chosen the engine; the leg is not there yet
	epoch     uint32

	Queued   sim.Time   // entered the engine's queue
	Admitted sim.Time   // got its blocks
	started  sim.Time   // was first put among the running
	Loaded   sim.Time   // its KV was reported to the scheduler
	seen     sim.Time   // a poll saw its KV complete
	stale    []kv.Block // blocks that it no longer owns: a late read goes there
	token    sim.Time   // its latest token was processed
	expires  sim.Time   // its lease

	// its trail, see trail.go
	last      mark // what it met last
	scheduled mark // of its latest step with prompt tokens: when that was scheduled
	computed  mark // the same: when the GPU was through
	heard     mark // the latest notification about it that was read here
}

// fresh is a leg for a new request in the place of an old one. Steps still in flight may hold entries of the old leg:
// they are told apart by the epoch.
func (l *Leg) fresh() Leg { return Leg{Blocks: l.Blocks[:0], epoch: l.epoch + 1} }

// arrive ends the leg's way from the router to its engine, if it was on it.
func (l *Leg) arrive() {
	if l.coming {
		l.coming = false
		l.Engine.coming--
	}
}

// known is the number of tokens that exist or will, once what is in flight has been sampled.
func (l *Leg) known() int { return l.Prompt + l.Generated + l.inFlight }

// need is the number of tokens to compute next: the rest of the prompt, or the token after the last one. The last
// token that is asked for is sampled and never computed.
func (l *Leg) need() int { return min(l.known(), l.Prompt+l.Output-1) - l.Computed }

// blocksFor is the number of blocks that hold a number of tokens.
func blocksFor(tokens, blockSize int) int { return (tokens + blockSize - 1) / blockSize }

// leg is the request's life in engine e.
func (r *Request) leg(e *Engine) *Leg {
	if r.P.Engine == e {
		return &r.P
	}
	return &r.D
}

// other is the engine at the other end of r's transfer, seen from e.
func (r *Request) other(e *Engine) *Engine {
	if r.P.Engine == e {
		return r.D.Engine
	}
	return r.P.Engine
}

// Started is when the leg was first put among the running; 0 until then. A leg whose KV comes from elsewhere waits for
// it between Admitted and Started.
func (l *Leg) Started() sim.Time { return l.started }

// Seen is when a poll of the leg's engine first noticed that its KV was there; 0 until then.
func (l *Leg) Seen() sim.Time { return l.seen }

// Sampled is when the leg's latest token was processed; 0 before the first.
func (l *Leg) Sampled() sim.Time { return l.token }
