package serving

import (
	"pdsim/model/workload"
	"pdsim/sim"
)

// Client sends requests as `vllm bench serve` does and watches their tokens come in.
type Client struct {
	// MaxConcurrency is the number of requests that may be out at once; 0: any. A request waits for its turn unsent:
	// its TTFT starts when it is sent.
	MaxConcurrency int
	// Timeout after which the client gives up on a request.
	Timeout sim.Duration
	// MaxLen is the most tokens, prompt and answer, that the servers take in a request; 0: any.
	MaxLen int
	// MaxPrompt is the same of a prompt with its first token, of the engines that compute prompts.
	MaxPrompt int
	// Ended is told of every request that has ended, before it is used again. It must not keep it.
	Ended func(r *Request)
	// Gap is told of each inter-token gap and how many requests of a step had it.
	Gap func(d sim.Duration, n int)
	// KeepGaps keeps each request's own gaps.
	KeepGaps bool

	c             *Cluster
	source        workload.Source
	feedback      workload.Feedback
	start         sim.Time
	next          workload.Arrival
	more          bool
	slots         *sim.Pool
	sent          int64
	opened        int          // requests that have not ended
	gap           sim.Duration // gaps of the present instant, counted
	gaps          int
	deadlines     []deadline
	firstDeadline int        // deadlines before it are done with
	timer         *sim.Timer // of the first deadline
}

// Play sends the arrivals of a source, from now on, and returns when all of them have ended.
func (cl *Client) Play(src workload.Source) error {
	s := cl.c.Sim
	cl.source, cl.start = src, s.Now()
	cl.feedback, _ = src.(workload.Feedback)
	cl.slots = nil
	if cl.MaxConcurrency > 0 {
		cl.slots = s.NewPool(cl.MaxConcurrency)
	}
	cl.fetch()
	if !cl.more {
		return nil
	}
	return s.Run(sim.Never)
}

// fetch plans the source's next arrival.
func (cl *Client) fetch() {
	if cl.next, cl.more = cl.source.Next(); cl.more {
		cl.c.Sim.SetCause(0)
		cl.c.Sim.At(cl.start.Add(sim.Duration(cl.next.At)), sim.Arrival, sim.Call{To: cl.c.id, Op: opArrive})
	}
}

// arrive is the moment at which the client wants to send a request.
func (cl *Client) arrive() {
	cl.enter(cl.admit(&cl.next))
	cl.fetch()
}

// enter sends a request as soon as its turn comes.
func (cl *Client) enter(r *Request) {
	if cl.slots == nil {
		cl.send(r)
		return
	}
	cl.slots.Acquire(1, sim.Call{To: cl.c.id, Op: opSend, Arg: r.slot})
}

func (cl *Client) admit(a *workload.Arrival) *Request {
	r := cl.c.newRequest()
	*r = Request{
		ID: cl.sent, Prompt: a.Prompt, Input: a.Input, Output: a.Output, First: sim.Never, session: a.Session,
		P: r.P.fresh(), D: r.D.fresh(),
		Gaps: r.Gaps[:0], cluster: cl.c, slot: r.slot, refs: 1,
	}
	cl.sent++
	cl.opened++
	return r
}

// send is the moment from which TTFT counts.
func (cl *Client) send(r *Request) {
	s := cl.c.Sim
	r.Sent = s.Now()
	if s.Recording() {
		s.Record(sim.Span{Track: cl.c.client, Kind: "send", Owner: r.ID, Ready: r.Sent, Start: r.Sent, End: r.Sent})
	}
	if why := cl.c.impossible(r); why != "" {
		cl.c.fail(r, why)
		return
	}
	if cl.Timeout > 0 {
		cl.expect(r)
	}
	cl.c.Protocol.Dispatch(r)
}

// ended lets the next request in and, when nothing is left to do, stops the run.
func (cl *Client) ended(r *Request) {
	cl.flush()
	if cl.Ended != nil {
		cl.Ended(r)
	}
	cl.opened--
	if cl.slots != nil {
		cl.slots.Release(1)
	}
	if cl.feedback != nil {
		if a, ok := cl.feedback.Done(r.session, sim.Time(cl.c.Sim.Now().Sub(cl.start))); ok {
			next := cl.admit(&a)
			cl.c.Sim.At(cl.start.Add(sim.Duration(a.At)), sim.Arrival, sim.Call{To: cl.c.id, Op: opEnter, Arg: next.slot})
		}
	}
	if cl.opened == 0 && !cl.more {
		cl.c.Sim.Stop()
	}
}

// count adds an inter-token gap; equal ones that follow each other, as in a step, are passed on together.
func (cl *Client) count(d sim.Duration) {
	if d == cl.gap {
		cl.gaps++
		return
	}
	cl.flush()
	cl.gap, cl.gaps = d, 1
}

func (cl *Client) flush() {
	if cl.gaps > 0 && cl.Gap != nil {
		cl.Gap(cl.gap, cl.gaps)
	}
	cl.gaps = 0
}
