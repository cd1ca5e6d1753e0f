package catalogue

import "pdsim/model/unit"

// GPU is one GPU's datasheet.
type GPU struct {
	Name            string              `toml:"name"`
	BF16            Sourced[unit.Flops] `toml:"bf16"` // dense
	FP8             Sourced[unit.Flops] `toml:"fp8"`  // dense; 0: none
	Memory          Sourced[unit.Bytes] `toml:"memory"`
	MemoryBandwidth Sourced[unit.Rate]  `toml:"memory_bandwidth"`
	NVLink          Sourced[unit.Rate]  `toml:"nvlink"` // in one direction; 0: none
	// What large kernels reach of the peaks, as fractions. Only the roofline uses them.
	GEMMEfficiency      Sourced[float64] `toml:"gemm_efficiency"`
	AttentionEfficiency Sourced[float64] `toml:"attention_efficiency"`
	MemoryEfficiency    Sourced[float64] `toml:"memory_efficiency"`
}

// Instance is a machine.
type Instance struct {
	GPU         string             `toml:"gpu"`
	GPUs        Sourced[int]       `toml:"gpus"`
	Fabric      string             `toml:"fabric"`
	RailsPerGPU Sourced[int]       `toml:"rails_per_gpu"` // that a GPU's memory is registered on
	RailRate    Sourced[unit.Rate] `toml:"rail_rate"`     // raw, in one direction
}

// Fabric is a kind of network.
type Fabric struct {
	Shared                 bool                   `toml:"shared"` // one medium for all, in both directions together
	ReadEfficiency         Sourced[float64]       `toml:"read_efficiency"`
	WriteEfficiency        Sourced[float64]       `toml:"write_efficiency"`
	ReadLatency            Sourced[unit.Duration] `toml:"read_latency"`
	WriteLatency           Sourced[unit.Duration] `toml:"write_latency"`
	MessageLatency         Sourced[unit.Duration] `toml:"message_latency"`
	PacketTime             Sourced[unit.Duration] `toml:"packet_time"` // a rail's least time for a work request
	QueueDepth             Sourced[int]           `toml:"queue_depth"` // work requests that a rail takes; 0: any
	StripeThreshold        Sourced[unit.Bytes]    `toml:"stripe_threshold"`
	FirstContact           Sourced[unit.Duration] `toml:"first_contact"`            // extra time of the first transfer between two ranks
	HandshakeQuery         Sourced[unit.Duration] `toml:"handshake_query"`          // per remote rank
	HandshakePerDescriptor Sourced[unit.Picos]    `toml:"handshake_per_descriptor"` // per block and region of the remote cache
}

// Backend is a version of a backend of the transfer library.
type Backend struct {
	PostFixed        Sourced[unit.Duration] `toml:"post_fixed"`
	PostRead         Sourced[unit.Picos]    `toml:"post_read"`  // poster's time per work request
	PostWrite        Sourced[unit.Picos]    `toml:"post_write"` // the same for a WRITE
	DoorbellBatch    Sourced[int]           `toml:"doorbell_batch"`
	SplitThreshold   Sourced[int]           `toml:"split_threshold"` // descriptors from which a pool shares a post
	PoolThreads      Sourced[int]           `toml:"pool_threads"`    // 0: no pool
	PoolPost         Sourced[unit.Picos]    `toml:"pool_post"`       // a pool thread's time per work request
	RingPush         Sourced[unit.Picos]    `toml:"ring_push"`       // handing a request to the progress thread; 0: the poster posts
	RingService      Sourced[unit.Picos]    `toml:"ring_service"`    // progress thread's time per work request
	PrepareFixed     Sourced[unit.Duration] `toml:"prepare_fixed"`
	PreparePerIndex  Sourced[unit.Picos]    `toml:"prepare_per_index"` // per block and region, before merging
	PollFixed        Sourced[unit.Duration] `toml:"poll_fixed"`
	PollPerHandle    Sourced[unit.Duration] `toml:"poll_per_handle"`
	NotifyWrite      string                 `toml:"notify_write"` // "data": with the data; "poll": from the poster's poll
	BackgroundFactor Sourced[float64]       `toml:"background_factor"`
}

// Software is a serving stack.
type Software struct {
	Schedule           Sourced[unit.Duration] `toml:"schedule"`
	SchedulePerRequest Sourced[unit.Duration] `toml:"schedule_per_request"`
	Launch             Sourced[unit.Duration] `toml:"launch"`         // of a decode step
	LaunchPrefill      Sourced[unit.Duration] `toml:"launch_prefill"` // of a step with prompt tokens
	Sample             Sourced[unit.Duration] `toml:"sample"`         // from the GPU's end to the scheduler
	EmptyStep          Sourced[unit.Duration] `toml:"empty_step"`
	IdleSleep          Sourced[unit.Duration] `toml:"idle_sleep"`
	RouterHop          Sourced[unit.Duration] `toml:"router_hop"`
	APIServer          Sourced[unit.Duration] `toml:"api_server"`
	TokenizePerToken   Sourced[unit.Picos]    `toml:"tokenize_per_token"`
	Detokenize         Sourced[unit.Duration] `toml:"detokenize"`
	WriterPoll         Sourced[unit.Duration] `toml:"writer_poll"`
	WriterWake         Sourced[unit.Duration] `toml:"writer_wake"`
	Lease              Sourced[unit.Duration] `toml:"lease"`
	LeaseExtension     Sourced[unit.Duration] `toml:"lease_extension"`
	HeartbeatPeriod    Sourced[unit.Duration] `toml:"heartbeat_period"`
	HandshakeTimeout   Sourced[unit.Duration] `toml:"handshake_timeout"`
	ActivationMemory   Sourced[unit.Bytes]    `toml:"activation_memory"` // of the memory that an engine may use, what is neither weights nor KV
}
