package serving

import (
	"pdsim/model/nixl"
	"pdsim/sim"
)

// Total is a sum of times with their number.
type Total struct {
	Sum sim.Duration
	N   int64
}

// Add adds one time.
func (t *Total) Add(d sim.Duration) {
	t.Sum += d
	t.N++
}

// Mean is the mean in milliseconds; 0 without any.
func (t Total) Mean() float64 {
	if t.N == 0 {
		return 0
	}
	return float64(t.Sum) / float64(t.N) / 1e6
}

// Stats are a cluster's transfer figures, counted as the KV connector's own metrics are: one for each rank.
type Stats struct {
	Transfers       int64 // rank-level transfers seen complete
	Post            Total // library post times
	Wire            Total // from the post's start to the poll that saw the end
	Bytes           int64
	Descriptors     int64
	FailedTransfers int64                                          // transfers and handshakes that failed
	LostNotes       int64                                          // notifications that got lost
	Expired         int64                                          // leases that ran out
	StaleReads      int64                                          // reads of blocks whose lease had run out
	Seen            func(x *nixl.Transfer, at sim.Time, ranks int) // told of each transfer that is seen complete, if set
	Trouble         func(e *Engine, kind Trouble, at sim.Time)     // told of each failure counted above, if set
}

// Transfer counts a transfer that a poll sees complete now, for each of the engine's ranks and their remote ranks.
func (st *Stats) Transfer(x *nixl.Transfer, now sim.Time, ranks int) {
	st.Transfers += int64(ranks * x.Handles)
	st.Post.Add(x.PostEnd.Sub(x.PostStart))
	st.Wire.Add(now.Sub(x.PostStart))
	st.Bytes += int64(ranks*x.Handles) * x.Extent.Bytes
	st.Descriptors += int64(ranks*x.Handles) * int64(x.Extent.Descriptors)
	if st.Seen != nil {
		st.Seen(x, now, ranks)
	}
}

// EngineStats are one engine's figures since it was made.
type EngineStats struct {
	Steps        int64        // steps with a forward
	GPUBusy      sim.Duration // time in which the GPU ran a forward
	SlotWait     Total        // from the queue to the blocks
	PromoteWait  Total        // from the report of a load to its first step
	RunningTime  int64        // running requests times nanoseconds
	WaitingTime  int64        // waiting and loading requests times nanoseconds
	Preemptions  int64
	BlockedSteps int64 // schedules that ended because the next request did not get its blocks
	last         sim.Time
}

// Plus adds another engine's figures.
func (s *EngineStats) Plus(o *EngineStats) { s.combine(o, 1) }

// Minus returns the figures without earlier ones of the same engines.
func (s EngineStats) Minus(o *EngineStats) EngineStats {
	s.combine(o, -1)
	return s
}

func (s *EngineStats) combine(o *EngineStats, sign int64) {
	s.Steps += sign * o.Steps
	s.GPUBusy += sim.Duration(sign) * o.GPUBusy
	s.SlotWait.combine(o.SlotWait, sign)
	s.PromoteWait.combine(o.PromoteWait, sign)
	s.RunningTime += sign * o.RunningTime
	s.WaitingTime += sign * o.WaitingTime
	s.Preemptions += sign * o.Preemptions
	s.BlockedSteps += sign * o.BlockedSteps
}

func (t *Total) combine(o Total, sign int64) {
	t.Sum += sim.Duration(sign) * o.Sum
	t.N += sign * o.N
}
