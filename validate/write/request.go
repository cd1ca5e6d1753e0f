package write

import (
	"pdsim/model/serving"
	"pdsim/sim"
	"pdsim/validate/read"
)

// Request is the timeline of a request that has ended, on the simulation's clock. Tokens are there if the client kept the
// gaps between them.
func Request(r *serving.Request) read.Request {
	q := read.NewRequest(r.ID)
	q.Input, q.Output = r.Input, r.Output
	q.Outcome, q.Reason = r.Outcome.String(), r.Reason
	q.Arrival = read.Instant(r.Sent)
	if r.P.Engine != nil {
		q.PrefillQueued, q.PrefillStart, q.PrefillEnd = instant(r.P.Queued), instant(r.P.Admitted), instant(r.P.Sampled())
	}
	q.Registered = instant(r.RegisteredAt())
	if r.D.Engine != nil {
		q.DecodeQueued, q.Admitted, q.Seen = instant(r.D.Queued), instant(r.D.Admitted), instant(r.D.Seen())
	}
	fillTransfer(&q, r)
	if r.First == sim.Never {
		return q
	}
	q.FirstToken = read.Instant(r.First)
	q.Tokens = make([]read.Instant, 0, len(r.Gaps)+1)
	q.Tokens = append(q.Tokens, q.FirstToken)
	at := q.FirstToken
	for _, gap := range r.Gaps {
		at += read.Instant(gap)
		q.Tokens = append(q.Tokens, at)
	}
	return q
}

// instant is a time of a request on its way. One that is 0 was not reached: the way begins with a hop.
func instant(at sim.Time) read.Instant {
	if at <= 0 || at == sim.Never {
		return read.Never
	}
	return read.Instant(at)
}

// fillTransfer fills in the transfer. A request can end before its poster has looked: then the transfer itself still stands.
func fillTransfer(q *read.Request, r *serving.Request) {
	if m := &r.Moved; m.Seen != 0 {
		q.PostStart, q.PostEnd, q.Landed = instant(m.PostStart), instant(m.PostEnd), instant(m.Landed)
		q.Descriptors, q.Bytes = int64(m.Descriptors), m.Bytes
		return
	}
	x := r.Transfer
	if x == nil || x.PostStart == 0 {
		return
	}
	q.PostStart, q.PostEnd, q.Landed = instant(x.PostStart), instant(x.PostEnd), instant(x.Landed)
	q.Descriptors, q.Bytes = int64(x.Handles*x.Extent.Descriptors), int64(x.Handles)*x.Extent.Bytes
}
