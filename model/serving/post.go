package serving

import (
	"pdsim/model/kv"
	"pdsim/model/nixl"
	"pdsim/sim"
)

// Read posts, on one of e's threads, a READ of r's KV from the engine that holds it. slow says that the thread is a
// background one. next follows when the post has returned.
func (e *Engine) Read(t *sim.Thread, r *Request, slow bool, next Next) {
	e.post(t, r, slow, r.D.Blocks[r.D.Hit:], r.remoteBlocks(), r.P.Engine.Agent, false, next)
}

// Write posts, on one of e's threads, a WRITE of r's KV to the engine that registered its blocks.
func (e *Engine) Write(t *sim.Thread, r *Request, slow bool, next Next) {
	e.post(t, r, slow, r.remoteBlocks(), r.D.Blocks[r.D.Hit:], r.D.Engine.Agent, true, next)
}

// remoteBlocks are the prefill engine's blocks that the decode engine lacks, in pieces of the decode engine's size.
func (r *Request) remoteBlocks() []kv.Block {
	p, d := &r.P, &r.D
	blocks := p.Blocks
	if p.State != Held {
		blocks = p.stale
		if !p.Engine.dead {
			r.Stale = true
			r.cluster.Stats.StaleReads++
		}
	}
	return blocks[d.Hit*r.cluster.BlockRatio:]
}

func (e *Engine) post(t *sim.Thread, r *Request, slow bool, local, remote []kv.Block, other *nixl.Agent, write bool, next Next) {
	if e.dead {
		return
	}
	c := e.c
	x := c.Net.New()
	g := c.Pairing.Slice(e.Geometry)
	if c.BlockRatio > 1 { // the decode side addresses its larger blocks in pieces of the prefill side's size
		c.pieces = kv.Subdivide(c.pieces[:0], local, c.BlockRatio)
		local = c.pieces[:len(remote)]
		g.BlockSize /= c.BlockRatio
	}
	if c.Switches.Contiguous {
		local = c.straight(len(local))
		remote = local
	}
	x.Extent = g.Describe(local, remote, e.Agent.Costs.StripeAt, c.Pairing.Dense)
	x.Handles, x.Write, x.Slow = c.Pairing.Handles, write, slow
	x.Poster, x.Other, x.Owner = e.Agent, other, r.ID
	x.Note = nixl.Note{Kind: KVWritten, Name: noteNames[KVWritten], Ref: r.slot, Owner: r.ID}
	if write && e.Agent.Costs.NotifyWithWrite {
		r.refs++
	}
	if next != nil {
		x.Posted = c.Call(r, next)
	}
	x.Done = c.Call(r, landed)
	r.Transfer = x
	e.flying = append(e.flying, r)
	r.refs++
	cause := c.Sim.Cause()
	r.leg(e).match(t)
	c.Net.Post(t, x)
	c.Sim.SetCause(cause)
}

// straight is n blocks in a row.
func (c *Cluster) straight(n int) []kv.Block {
	for len(c.row) < n {
		c.row = append(c.row, kv.Block(len(c.row)))
	}
	return c.row[:n]
}

// landed notes what made the last byte arrive, for whoever sees it.
func landed(r *Request) {
	if r.Transfer != nil && r.Transfer.Write {
		r.P.meets(r.cluster.Sim)
	} else {
		r.D.meets(r.cluster.Sim)
	}
}

// Moved is what is known of a request's transfer once its poster has seen the end, of one rank.
type Moved struct {
	PostStart, PostEnd, Landed, Seen sim.Time
	Descriptors                      int
	Bytes                            int64
}

func movedBy(x *nixl.Transfer, seen sim.Time) Moved {
	return Moved{x.PostStart, x.PostEnd, x.Landed, seen, x.Handles * x.Extent.Descriptors, int64(x.Handles) * x.Extent.Bytes}
}
