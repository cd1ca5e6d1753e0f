package scenarios

// The tables below are the keys of each section, in the order in which template and documentation show them.

var scenarioKeys = []Key{
	{Path: "name", Default: `""`, rule: text{64, "a name"},
		Meaning: "what results call the scenario; left empty, the file's name"},
	{Path: "description", Default: `""`, rule: text{400, "text"},
		Meaning: "one line that says what is deployed and asked for"},
	{Path: "source", Default: `""`, rule: text{400, "text"},
		Meaning: "where the deployment and its figures are described"},
}

var modelKeys = []Key{
	{Path: "name", Default: `"qwen3-32b"`, rule: orNothing(modelNames),
		Meaning: "shape from the catalogue; empty when config names a file"},
	{Path: "config", Default: `""`, rule: text{1024, "a file name"}, file: true,
		Meaning: "a Hugging Face config.json instead of a name, beside the scenario's file"},
	{Path: "kv_bits", Default: "0", Unit: "bits", rule: zeroOr{8, 16},
		Meaning: "a cached key or value; 0: as the model says"},
}

var engineKeys = []Key{
	{Path: "instances", Default: "1", rule: whole{1, 256},
		Meaning: "engines of this kind"},
	{Path: "hardware", Default: `"p5en.48xlarge"`, rule: words(hardwareNames),
		Meaning: "machine that each engine runs on, from the catalogue"},
	{Path: "tp", Default: "8", Unit: "GPUs", rule: whole{1, 64},
		Meaning: "tensor parallelism: GPUs of an engine"},
	{Path: "block_size", Default: "16", Unit: "tokens", rule: whole{1, 8192},
		Meaning: "a KV block; vLLM's default is 16"},
	{Path: "max_num_seqs", Default: "1024", Unit: "requests", rule: whole{1, 65536},
		Meaning: "most requests in a step; vLLM's default is 1024 on H100 and later, 256 on smaller GPUs"},
	{Path: "max_num_batched_tokens", Default: "8192", Unit: "tokens", rule: whole{1, 1 << 20},
		Meaning: "most tokens in a step; vLLM's default is 8192 on H100 and later, 2048 on smaller GPUs"},
	{Path: "prefix_caching", Default: "true", rule: truth{},
		Meaning: "keep the blocks of finished requests for prompts that begin alike"},
	{Path: "async_scheduling", Default: "true", rule: truth{},
		Meaning: "schedule a step while the one before runs; left out, as software.version does"},
	{Path: "gpu_memory_utilization", Default: "0.92", Unit: "of the memory", rule: number{lo: 0, hi: 1, above: true},
		Meaning: "what weights and KV may take together; vLLM's default"},
	{Path: "kv_blocks", Default: "0", Unit: "blocks", rule: whole{0, 1_000_000},
		Meaning: "size of the KV memory; 0: what the GPUs hold beside the weights"},
	{Path: "max_model_len", Default: "32768", Unit: "tokens", rule: whole{2, 1 << 22},
		Meaning: "longest prompt with its answer; longer requests are refused"},
	{Path: "compute", Default: `"auto"`, rule: words(func() []string { return computeModels }),
		Meaning: "where step times come from: the best that there is, sums of measured kernels, a fitted form, measured steps, " +
			"the roofline; or steps take no time"},
	{Path: "compute_table", Default: `""`, rule: text{1024, "a file name"}, file: true,
		Meaning: "CSV of measured steps for compute = \"measured\"; empty: the built-in one of the hardware"},
	{Path: "compute_scale", Default: "1.0", Unit: "of the time", rule: number{lo: 0.1, hi: 10},
		Meaning: "factor on the GPUs' time for every step, for calibration; what goes below the hardware's peaks is refused"},
}

var networkKeys = []Key{
	{Path: "backend", Default: `"libfabric-1.4"`, rule: words(backendNames),
		Meaning: "transfer library and release, from the catalogue"},
	{Path: "kv_layout", Default: `"packed"`, rule: words(func() []string { return kvLayouts }),
		Meaning: "regions of KV memory: two a layer, one a layer, or one in all; left out, as software.version does: vLLM packs since mid-2026"},
	{Path: "free_order", Default: `"split"`, rule: words(func() []string { return freeOrders }),
		Meaning: "where freed blocks queue: at the tail (vLLM before 0.24), unnamed ones at the head (0.24, 0.29), or so only with prefix caching (0.27)"},
	{Path: "notification", Default: `"auto"`, rule: words(func() []string { return notifications }),
		Meaning: "a WRITE is announced with its data or by the writer's next poll; auto: as the backend does"},
	{Path: "post_by", Default: `"auto"`, rule: words(func() []string { return posters }),
		Meaning: "who posts descriptors: the caller, a pool that it waits for, or the progress thread; auto: as the backend does"},
	{Path: "fragmented", Default: "false", rule: truth{},
		Meaning: "start with pools whose free blocks are in random order"},
	{Path: "merge", Default: `"neighbours"`, rule: words(func() []string { return merges }),
		Meaning: "which blocks become one descriptor: those that follow each other on both sides, none, or all as if they did"},
}

var softwareKeys = []Key{
	{Path: "version", Default: `"vllm"`, rule: words(softwareNames),
		Meaning: "serving software and release, from the catalogue"},
	{Path: "load_after_launch", Default: "true", rule: truth{},
		Meaning: "connector work starts after a step's forward is launched and not before; left out, as software.version does"},
	{Path: "poll_last", Default: "false", rule: truth{},
		Meaning: "the worker looks for completions when the GPU is done and not right after the launch"},
}

var routerKeys = []Key{
	{Path: "policy", Default: `"round-robin"`, rule: words(func() []string { return policies }),
		Meaning: "how an engine is picked"},
	{Path: "dispatch", Default: `"concurrent"`, rule: words(func() []string { return dispatches }),
		Meaning: "whether the decode leg may start beside the prefill leg or only after it, for protocols that allow both"},
}

var faultKeys = []Key{
	{Path: "lost_notifications", Default: "0.0", Unit: "of all", rule: number{lo: 0, hi: 1},
		Meaning: "notifications that get lost"},
	{Path: "kill_prefill", Default: `"0s"`, rule: measure{lo: "0s", hi: longestTime},
		Meaning: "when the first prefill engine dies; 0s: never"},
	{Path: "kill_decode", Default: `"0s"`, rule: measure{lo: "0s", hi: longestTime},
		Meaning: "when the first decode engine dies; 0s: never"},
	{Path: "slow_rail", Default: "1.0", Unit: "of the rate", rule: number{lo: 0.001, hi: 1},
		Meaning: "rate of the first decode engine's first rail; 1: healthy"},
	{Path: "fail_handshakes", Default: "0", rule: whole{0, 1_000_000},
		Meaning: "the first so many handshakes time out"},
}

var runKeys = []Key{
	{Path: "protocols", Default: `["pull", "push"]`, rule: list(protocolNames),
		Meaning: "what is compared"},
	{Path: "seed", Default: "0", rule: whole{0, 1<<32 - 1},
		Meaning: "of everything random, as the seed of vllm bench serve"},
	{Path: "jitter", Default: "0.0", Unit: "of the time", rule: number{lo: 0, hi: 0.5},
		Meaning: "standard deviation of a step's compute time; 0: none"},
}
