package serving

import (
	"fmt"

	"pdsim/sim"
)

// token passes a sampled token on to the client, unless the engine's answer is not for it.
func (c *Cluster) token(l *Leg, now sim.Time) {
	r := l.Request
	if l != &r.D || r.Outcome != Open {
		return
	}
	there := now.Add(l.Engine.Costs.Detokenize)
	r.tokens++
	r.Last = there
	if r.tokens == 1 {
		r.First = there
		if c.Sim.Recording() {
			r.Tail = c.Sim.Record(sim.Span{Cause: l.last.span, Track: c.client, Kind: "stream first token", Owner: r.ID, Ready: now, Start: now, End: there})
		}
		return
	}
	d := now.Sub(l.token)
	c.Client.count(d)
	if c.Client.KeepGaps {
		r.Gaps = append(r.Gaps, d)
	}
}

// finished ends a leg whose last token has been sampled.
func (c *Cluster) finished(l *Leg) {
	r, e := l.Request, l.Engine
	if l == &r.P {
		l.State = Over
		if r.Outcome == Open {
			c.Protocol.Prefilled(r)
		}
		if l.State == Held {
			return
		}
	}
	e.release(l)
	if l == &r.D && r.Outcome == Open {
		r.Delay("", e.Costs.Detokenize, answered)
	}
	e.drop(l)
}

func answered(r *Request) { r.cluster.end(r, Done, "") }

// fail ends a request with an error.
func (c *Cluster) fail(r *Request, why string) { c.abandon(r, Failed, why) }

// abandon ends a request before its time and takes its legs out of their engines.
func (c *Cluster) abandon(r *Request, o Outcome, why string) {
	if r.Outcome != Open {
		return
	}
	r.refs++
	c.end(r, o, why)
	c.Protocol.Aborted(r)
	for _, l := range []*Leg{&r.P, &r.D} {
		if l.Engine != nil {
			l.arrive()
			l.Engine.abort(l)
		}
	}
	r.drop()
}

// end closes a request: the client is told, once.
func (c *Cluster) end(r *Request, o Outcome, why string) {
	if r.Outcome != Open {
		return
	}
	r.Outcome, r.Reason = o, why
	if o == Failed {
		r.Last = c.Sim.Now()
	}
	c.Client.ended(r)
	r.drop()
}

// impossible says why a request can never be served, or "".
func (c *Cluster) impossible(r *Request) string {
	switch {
	case r.Input < 1 || r.Output < 1:
		return fmt.Sprintf("%d prompt and %d output tokens: want 1 or more of each", r.Input, r.Output)
	case c.Client.MaxLen > 0 && r.Input+r.Output > c.Client.MaxLen:
		return fmt.Sprintf("%d prompt and %d output tokens are more than max_model_len, %d", r.Input, r.Output, c.Client.MaxLen)
	case len(c.Prefill) > 0 && c.Client.MaxPrompt > 0 && r.Input+1 > c.Client.MaxPrompt:
		return fmt.Sprintf("%d prompt tokens and a first one are more than prefill's max_model_len, %d", r.Input, c.Client.MaxPrompt)
	case len(c.Prefill) > 0 && !c.Prefill[0].fits(r.Input, 1):
		return c.Prefill[0].tooSmall(r.Input, 1)
	case !c.Decode[0].fits(r.Input, r.Output):
		return c.Decode[0].tooSmall(r.Input, r.Output)
	}
	return ""
}

// fits says whether the engine's whole KV memory holds a request. The last token's KV is never computed.
func (e *Engine) fits(input, output int) bool {
	return blocksFor(input+output-1, e.Pool.BlockSize()) <= e.Pool.Blocks()
}

func (e *Engine) tooSmall(input, output int) string {
	return fmt.Sprintf("%d tokens do not fit the KV memory of %s: %d blocks of %d tokens", input+output-1, e.Name, e.Pool.Blocks(), e.Pool.BlockSize())
}
