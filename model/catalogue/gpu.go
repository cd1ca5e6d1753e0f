package catalogue

import "pdsim/model/unit"

// GPU is one accelerator.
type GPU struct {
	Name string `toml:"name"` // what its maker calls it
	Like string `toml:"like"` // GPU whose values hold where this entry gives none

	BF16            Sourced[unit.Flops] `toml:"bf16"`             // dense bf16 matrix rate with fp32 accumulation, FLOP/s
	FP8             Sourced[unit.Flops] `toml:"fp8"`              // dense fp8 matrix rate, FLOP/s; 0: no fp8 units
	Memory          Sourced[unit.Bytes] `toml:"memory"`           // device memory, bytes
	MemoryBandwidth Sourced[unit.Rate]  `toml:"memory_bandwidth"` // of device memory, bytes/s
	NVLink          Sourced[unit.Rate]  `toml:"nvlink"`           // to all peers of the host, one direction, bytes/s; 0: none

	// The way between GPUs of a host that have no NVLink.
	PCIe           Sourced[unit.Rate]     `toml:"pcie"`            // raw, one direction, bytes/s
	PCIeEfficiency Sourced[float64]       `toml:"pcie_efficiency"` // part of it that an all-reduce gets, 0 to 1
	PCIeLatency    Sourced[unit.Duration] `toml:"pcie_latency"`    // least time of an all-reduce

	// What kernels reach of the peaks, 0 to 1. The roofline model needs them; measured tables and fits do not.
	GEMMEfficiency      Sourced[float64] `toml:"gemm_efficiency"`      // of BF16, by products with a prompt's rows
	FP8Efficiency       Sourced[float64] `toml:"fp8_efficiency"`       // the same of FP8, which is harder to feed; 0 without fp8 units
	AttentionEfficiency Sourced[float64] `toml:"attention_efficiency"` // of BF16, by causal attention over a prompt
	MemoryEfficiency    Sourced[float64] `toml:"memory_efficiency"`    // of MemoryBandwidth, by reading weights or KV
}
