package nixl

import "pdsim/sim"

// Picos is a small cost in picoseconds; it is charged per descriptor, index or handle.
type Picos int64

// Times is n times the cost, to the next lower nanosecond.
func (p Picos) Times(n int) sim.Duration { return sim.Duration(int64(p) * int64(n) / 1000) }

// Costs are those of one backend version on one fabric, for one rank.
type Costs struct {
	PrepareFixed    sim.Duration // building index lists and the request, before the post
	PreparePerIndex Picos        // the same, per block and region before merging

	PostFixed     sim.Duration // part of a post that does not depend on descriptors
	PostRead      Picos        // the poster's time per READ work request
	PostWrite     Picos        // the poster's time per WRITE work request
	Pool          int          // threads that share a post of SplitAt descriptors and more while the caller waits; 0: none
	SplitAt       int          // descriptors from which the pool is used; also the least a thread gets
	PoolPost      Picos        // a pool thread's time per work request
	RingPush      Picos        // time to hand one work request to the progress thread; 0: the poster posts by itself
	RingService   Picos        // the progress thread's time per work request
	Background    float64      // how much slower a post is from a background thread than from the main one; 1 or more
	PollFixed     sim.Duration // one look for completions and notifications
	PollPerHandle sim.Duration // the same, per transfer in flight

	NotifyWithWrite bool // a WRITE's notification comes with the data; otherwise the poster sends it when its poll sees the end
	WriteBatch      int  // consecutive small WRITEs that go to one rail under one doorbell; 1: none

	StripeAt      int64 // bytes from which a descriptor is split over all rails; 0: never
	QueueDepth    int   // work requests that a rail takes before the poster has to wait; 0: no limit
	ReadLatency   sim.Duration
	WriteLatency  sim.Duration
	Message       sim.Duration // a notification's way to the other side
	ReadCeiling   int64        // bytes a second that READs get out of one rail; 0: all
	BesideForward float64      // part of a rail's speed left to a transfer that runs beside forwards: one posted in the background; 0 or 1: all
	WriteCeiling  int64        // bytes a second that WRITEs get out of one rail; 0: all

	HandshakeQuery sim.Duration // fetching one remote rank's metadata
	HandshakeIndex Picos        // preparing the remote side, per block and region of its whole cache
	FirstContact   sim.Duration // the first transfer between two ranks takes this much longer
}
