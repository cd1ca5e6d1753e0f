package catalogue

import "pdsim/model/unit"

// Fabric is what carries a transfer between two ranks.
type Fabric struct {
	About  string `toml:"about"`  // what to know of it
	Like   string `toml:"like"`   // fabric whose values hold where this entry gives none
	Shared bool   `toml:"shared"` // one medium carries all pairs in both directions together; never taken from another entry

	ReadEfficiency  Sourced[float64]       `toml:"read_efficiency"`  // part of a rail's raw rate that large READs reach, 0 to 1
	WriteEfficiency Sourced[float64]       `toml:"write_efficiency"` // the same for WRITEs
	ReadLatency     Sourced[unit.Duration] `toml:"read_latency"`     // request and first data of a READ: two crossings
	WriteLatency    Sourced[unit.Duration] `toml:"write_latency"`    // one crossing, from the post to the far memory
	MessageLatency  Sourced[unit.Duration] `toml:"message_latency"`  // a notification's way to the other side's inbox
	PacketTime      Sourced[unit.Duration] `toml:"packet_time"`      // a rail's least time for one work request, however small
	BesideForward   Sourced[float64]       `toml:"beside_forward"`   // part of a rail's speed left to transfers while the GPU runs forwards, 0 to 1
	QueueDepth      Sourced[int]           `toml:"queue_depth"`      // work requests that a rail takes before the poster waits; 0: no limit
	StripeThreshold Sourced[unit.Bytes]    `toml:"stripe_threshold"` // size from which a descriptor is cut over all rails; 0: never
	FirstContact    Sourced[unit.Duration] `toml:"first_contact"`    // what the first transfer between two ranks takes longer

	HandshakeQuery         Sourced[unit.Duration] `toml:"handshake_query"`          // fetching and loading one remote rank's metadata
	HandshakePerDescriptor Sourced[unit.Picos]    `toml:"handshake_per_descriptor"` // preparing one block of one region of the remote cache
}
