package catalogue

import "pdsim/model/unit"

// Instance is a machine with GPUs and the rails that its GPUs' memory is registered on.
type Instance struct {
	About  string `toml:"about"`  // what to know of it
	Like   string `toml:"like"`   // machine whose values hold where this entry gives none
	GPU    string `toml:"gpu"`    // its GPUs, by their key in the catalogue
	Fabric string `toml:"fabric"` // what its rails are connected to, by its key

	GPUs        Sourced[int]       `toml:"gpus"`          // GPUs in one machine
	RailsPerGPU Sourced[int]       `toml:"rails_per_gpu"` // rails that one GPU's memory is registered on
	RailRate    Sourced[unit.Rate] `toml:"rail_rate"`     // raw rate of one rail in one direction, bytes/s
}
