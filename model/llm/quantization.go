package llm

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// quantization is what pdsim reads of a config.json's quantization_config.
type quantization struct {
	Method string `json:"quant_method"`
	Bits   int    `json:"bits"`         // GPTQ, AWQ
	Load4  bool   `json:"load_in_4bit"` // bitsandbytes
	Algo   string `json:"quant_algo"`   // ModelOpt
	KVAlgo string `json:"kv_cache_quant_algo"`

	Groups map[string]struct { // compressed-tensors
		Weights *struct {
			Bits int `json:"num_bits"`
		} `json:"weights"`
	} `json:"config_groups"`
	KVScheme *struct {
		Bits int `json:"num_bits"`
	} `json:"kv_cache_scheme"`
}

// bits is how wide weights of linear layers and cached keys and values are. Of several widths the first group's counts.
func (q *quantization) bits() (weight, kv int, err error) {
	kv = 16
	if q.KVScheme != nil && q.KVScheme.Bits == 8 || strings.EqualFold(q.KVAlgo, "FP8") {
		kv = 8
	}
	switch weight = q.Bits; {
	case weight != 0:
	case len(q.Groups) > 0:
		first := q.Groups[slices.Min(slices.Collect(maps.Keys(q.Groups)))]
		if first.Weights != nil {
			weight = first.Weights.Bits
		}
	case strings.Contains(strings.ToUpper(q.Algo), "FP4"), q.Method == "mxfp4", q.Method == "bitsandbytes" && q.Load4:
		weight = 4
	case strings.EqualFold(q.Algo, "FP8"), slices.Contains([]string{"fp8", "fbgemm_fp8", "bitsandbytes"}, q.Method):
		weight = 8
	}
	if !slices.Contains([]int{2, 3, 4, 8, 16}, weight) {
		return 0, 0, fmt.Errorf("quantization_config: want a known quant_method with weights of 2, 3, 4, 8 or 16 bits, have %q with %d", q.Method, weight)
	}
	return weight, kv, nil
}
