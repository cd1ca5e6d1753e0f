package scenarios

import "pdsim/model/unit"

// Spec is a scenario: all that decides a run. Its TOML form is documented key by key in docs/scenarios.md.
type Spec struct {
	Name        string `toml:"name"`
	Description string `toml:"description"`
	Source      string `toml:"source"` // where the deployment and its figures are described

	Model    ModelSpec    `toml:"model"`
	Prefill  EngineSpec   `toml:"prefill"`
	Decode   EngineSpec   `toml:"decode"`
	Network  NetworkSpec  `toml:"network"`
	Software SoftwareSpec `toml:"software"`
	Router   RouterSpec   `toml:"router"`
	Workload WorkloadSpec `toml:"workload"`
	Faults   FaultSpec    `toml:"faults"`
	Run      RunSpec      `toml:"run"`

	Costs []Cost `toml:"-"` // values of the catalogue that the table costs replaces, by path

	Set []string `toml:"-"` // what was laid over the file: "key=value", or whatever the caller puts there
}

// ModelSpec is the language model.
type ModelSpec struct {
	Name   string `toml:"name"`    // built-in shape; or
	Config string `toml:"config"`  // path of a Hugging Face config.json, relative to the scenario file
	KVBits int    `toml:"kv_bits"` // 0: as the shape says
}

// EngineSpec is a pool of equal engines.
type EngineSpec struct {
	Instances           int     `toml:"instances"`
	Hardware            string  `toml:"hardware"` // instance type of the catalogue
	TP                  int     `toml:"tp"`
	BlockSize           int     `toml:"block_size"`
	MaxNumSeqs          int     `toml:"max_num_seqs"`
	MaxNumBatchedTokens int     `toml:"max_num_batched_tokens"`
	PrefixCaching       bool    `toml:"prefix_caching"`
	AsyncScheduling     bool    `toml:"async_scheduling"`
	MemoryUtilization   float64 `toml:"gpu_memory_utilization"`
	KVBlocks            int     `toml:"kv_blocks"`     // 0: what the GPU's memory holds beside the weights
	MaxModelLen         int     `toml:"max_model_len"` // tokens; longer requests are refused
	Compute             string  `toml:"compute"`       // "auto", "kernels", "fitted", "measured" or "roofline"
	ComputeTable        string  `toml:"compute_table"` // CSV for "measured"; "" the built-in table of the hardware
	ComputeScale        float64 `toml:"compute_scale"` // factor on all step times; 1: as the model of compute says
}

// NetworkSpec is the transfer library and how it is used.
type NetworkSpec struct {
	Backend      string `toml:"backend"`      // backend version of the catalogue
	KVLayout     string `toml:"kv_layout"`    // "split", "packed" or "cross-layer"
	FreeOrder    string `toml:"free_order"`   // "tail", "split" or "split-if-caching"
	Notification string `toml:"notification"` // of a WRITE: "auto" (as the backend does), "data" or "poll"
	PostBy       string `toml:"post_by"`      // "auto" (as the backend does), "caller", "pool" or "progress-thread"
	Fragmented   bool   `toml:"fragmented"`   // start with pools whose free blocks are in random order
	Merge        string `toml:"merge"`        // "neighbours": blocks that follow each other on both sides become one descriptor; "never"; "always": as if all did
}

// SoftwareSpec is the serving software and its version switches.
type SoftwareSpec struct {
	Version         string `toml:"version"`           // of the catalogue
	LoadAfterLaunch bool   `toml:"load_after_launch"` // connector work after the forward's launch; otherwise before
	PollLast        bool   `toml:"poll_last"`         // the worker looks for completions when the GPU is done; otherwise right after the launch
}

// RouterSpec is the router in front.
type RouterSpec struct {
	Policy   string `toml:"policy"`   // "round-robin" or "least-loaded"
	Dispatch string `toml:"dispatch"` // "concurrent" or "sequential": when a protocol's decode leg may start
}

// WorkloadSpec is what the client sends.
type WorkloadSpec struct {
	Kind           string         `toml:"kind"`            // "synthetic" or "trace"
	QPS            unit.Frequency `toml:"qps"`             // 0 or inf: all at once
	Burstiness     float64        `toml:"burstiness"`      // shape of the gamma gaps; 1: Poisson
	MaxConcurrency int            `toml:"max_concurrency"` // 0: no limit
	Requests       int            `toml:"requests"`        // per iteration; of a trace 0: all
	Iterations     int            `toml:"iterations"`      // runs one after another on the same servers
	Warmup         int            `toml:"warmup"`          // iterations that fresh servers play first, not counted
	Reseed         bool           `toml:"reseed"`          // each iteration draws its own arrivals; otherwise all repeat the first
	Probe          bool           `toml:"probe"`           // each iteration first sends its first request once, not counted
	InputTokens    int            `toml:"input_tokens"`
	OutputTokens   int            `toml:"output_tokens"`
	RangeRatio     float64        `toml:"range_ratio"`   // lengths uniform within this fraction around the mean
	PrefixTokens   int            `toml:"prefix_tokens"` // shared by all prompts
	Turns          int            `toml:"turns"`         // of a conversation; 1: single requests
	Think          unit.Duration  `toml:"think"`         // between an answer and the next turn
	TurnTokens     int            `toml:"turn_tokens"`   // that the user adds each turn after the first
	Trace          string         `toml:"trace"`         // built-in trace or file
	Format         string         `toml:"format"`        // "azure", "mooncake", "mooncake-lengths" or "burstgpt"
	Speed          float64        `toml:"speed"`         // factor on a trace's arrival rate
	Timeout        unit.Duration  `toml:"timeout"`       // after which the client gives up
}

// FaultSpec is what goes wrong.
type FaultSpec struct {
	LostNotifications float64       `toml:"lost_notifications"` // fraction of notifications that get lost
	KillPrefill       unit.Duration `toml:"kill_prefill"`       // when the first prefill engine dies; 0: never
	KillDecode        unit.Duration `toml:"kill_decode"`        // when the first decode engine dies; 0: never
	SlowRail          float64       `toml:"slow_rail"`          // rate of the first decode engine's first rail, as a fraction; 1: healthy
	FailHandshakes    int           `toml:"fail_handshakes"`    // the first so many handshakes time out
}

// RunSpec is how the scenario is run.
type RunSpec struct {
	Protocols []string `toml:"protocols"`
	Seed      uint64   `toml:"seed"`
	Jitter    float64  `toml:"jitter"` // standard deviation of compute times as a fraction of them; 0: none
}
