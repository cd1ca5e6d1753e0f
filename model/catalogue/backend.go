package catalogue

import "pdsim/model/unit"

// How a WRITE's notification reaches the other side.
const (
	NotifyPoll = "poll" // sent by the initiator when its poll sees the end
	NotifyData = "data" // sent with the data, and read once all of that has landed
)

// Backend is one release of a transfer backend: what it does on the posting CPU. A READ's notification is always sent
// from the initiator's poll.
type Backend struct {
	About       string `toml:"about"`        // what to know of it
	Like        string `toml:"like"`         // backend whose values hold where this entry gives none
	NotifyWrite string `toml:"notify_write"` // NotifyPoll or NotifyData

	PrepareFixed    Sourced[unit.Duration] `toml:"prepare_fixed"`     // index lists and request of one transfer, before the post
	PreparePerIndex Sourced[unit.Picos]    `toml:"prepare_per_index"` // the same, per block and region before merging

	PostFixed     Sourced[unit.Duration] `toml:"post_fixed"`     // a post's part that does not depend on descriptors
	PostRead      Sourced[unit.Picos]    `toml:"post_read"`      // caller's time for one READ work request
	PostWrite     Sourced[unit.Picos]    `toml:"post_write"`     // caller's time for one WRITE work request
	DoorbellBatch Sourced[int]           `toml:"doorbell_batch"` // small WRITEs in a row that go to one rail under one doorbell; 1: none

	SplitThreshold Sourced[int]        `toml:"split_threshold"` // descriptors from which a pool shares a post, and the least a thread gets
	PoolThreads    Sourced[int]        `toml:"pool_threads"`    // threads of the pool, for which the caller waits; 0: no pool
	PoolPost       Sourced[unit.Picos] `toml:"pool_post"`       // a pool thread's time for one work request

	RingPush    Sourced[unit.Picos] `toml:"ring_push"`    // handing one work request to the progress thread; 0: the poster posts
	RingService Sourced[unit.Picos] `toml:"ring_service"` // the progress thread's time for one work request; 0: no ring

	PollFixed     Sourced[unit.Duration] `toml:"poll_fixed"`      // one look for completions and notifications
	PollPerHandle Sourced[unit.Duration] `toml:"poll_per_handle"` // the same, per transfer in flight

	BackgroundFactor Sourced[float64] `toml:"background_factor"` // how much slower a post is from a background thread; 1 or more
}
