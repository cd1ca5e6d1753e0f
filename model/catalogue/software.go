package catalogue

import "pdsim/model/unit"

// Software is one serving stack: its own times on the CPU and what its release does by default.
type Software struct {
	About string `toml:"about"` // what to know of it
	Like  string `toml:"like"`  // software whose values hold where this entry gives none

	Schedule           Sourced[unit.Duration] `toml:"schedule"`             // one pass of the scheduler
	SchedulePerRequest Sourced[unit.Duration] `toml:"schedule_per_request"` // the same, per scheduled request
	Launch             Sourced[unit.Duration] `toml:"launch"`               // CPU time until a decode step's forward is enqueued
	LaunchPrefill      Sourced[unit.Duration] `toml:"launch_prefill"`       // the same for a step with prompt tokens
	Sample             Sourced[unit.Duration] `toml:"sample"`               // from the end of the GPU's work until the scheduler has the tokens
	EmptyStep          Sourced[unit.Duration] `toml:"empty_step"`           // a step without a forward, from schedule to output
	IdleSleep          Sourced[unit.Duration] `toml:"idle_sleep"`           // the loop's pause after such a step while requests wait

	RouterHop        Sourced[unit.Duration] `toml:"router_hop"`         // the router's work and connection for one upstream call
	APIServer        Sourced[unit.Duration] `toml:"api_server"`         // from the HTTP request to the engine's queue, without tokenizing
	APIServerBusy    Sourced[unit.Duration] `toml:"api_server_busy"`    // part of it in which the server's event loop takes no other request
	TokenizePerToken Sourced[unit.Picos]    `toml:"tokenize_per_token"` // the API server's time per prompt token
	Detokenize       Sourced[unit.Duration] `toml:"detokenize"`         // from the scheduler's output to the client

	WriterPoll Sourced[unit.Duration] `toml:"writer_poll"` // period at which a background writer looks for news while work waits
	WriterWake Sourced[unit.Duration] `toml:"writer_wake"` // time of a background writer to wake up and read its queues

	Lease            Sourced[unit.Duration] `toml:"lease"`             // how long a finished prefill keeps its blocks for a reader
	LeaseExtension   Sourced[unit.Duration] `toml:"lease_extension"`   // how far from now a heartbeat moves the lease's end
	HeartbeatPeriod  Sourced[unit.Duration] `toml:"heartbeat_period"`  // between heartbeats of a waiting decode engine
	HandshakeTimeout Sourced[unit.Duration] `toml:"handshake_timeout"` // after which a handshake query counts as failed

	ActivationMemory Sourced[unit.Bytes] `toml:"activation_memory"` // of the memory that an engine may use, what is neither weights nor KV

	AsyncScheduling Sourced[bool] `toml:"async_scheduling"`  // a step is scheduled while the one before runs
	LoadAfterLaunch Sourced[bool] `toml:"load_after_launch"` // connector work starts after the forward's launch; otherwise before
	PackedKV        Sourced[bool] `toml:"packed_kv"`         // a layer's keys and values are one region; otherwise two
}
