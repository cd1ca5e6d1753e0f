package explain

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"pdsim/model/catalogue"
	"pdsim/scenarios"
)

// Parameter is one number of a scenario, with what it would be if it were a tenth larger or smaller, or as near to that
// as a count can be.
type Parameter struct {
	Key        string // as in --set
	Value      string
	more, less change
}

// change is another value of a parameter.
type change struct {
	text string
	part float64 // of which fraction it is larger; smaller if negative
}

// Effect is what a tenth more of a parameter does, under one protocol.
type Effect struct {
	TTFTMs, TPOTMs float64 // change of the means
}

// loads are the keys of a scenario that are amounts: a tenth more of them is a question that makes sense.
var loads = []string{
	"workload.qps", "workload.burstiness", "workload.max_concurrency", "workload.input_tokens", "workload.output_tokens", "workload.prefix_tokens",
	"workload.turn_tokens", "workload.think", "workload.speed",
	"prefill.max_num_seqs", "prefill.max_num_batched_tokens", "prefill.gpu_memory_utilization", "prefill.kv_blocks", "prefill.compute_scale",
	"decode.max_num_seqs", "decode.max_num_batched_tokens", "decode.gpu_memory_utilization", "decode.kv_blocks", "decode.compute_scale",
}

// Parameters lists the numbers of a scenario that Sensitivity tries: amounts of the scenario itself, then the catalogue's
// values that it uses. What is zero has no tenth, and a switch neither.
func Parameters(sp *scenarios.Spec) ([]Parameter, error) {
	var all []Parameter
	add := func(key, value string) {
		if p, ok := parameter(key, value); ok {
			all = append(all, p)
		}
	}
	for _, key := range loads {
		if value, ok := sp.Value(key); ok {
			add(key, value)
		}
	}
	for _, kind := range catalogue.Kinds() {
		blank, err := catalogue.Blank(kind)
		if err != nil {
			return nil, err
		}
		for _, fact := range catalogue.Facts(blank) {
			path := kind + "." + fact.Key
			uses, err := sp.InUse(path)
			if err != nil {
				return nil, err
			}
			// A cost of the scenario replaces both engines', so they have to have the same.
			if len(uses) > 0 && uses[0].Value == uses[len(uses)-1].Value {
				add("costs."+path, uses[0].Value)
			}
		}
	}
	return all, nil
}

// parameter makes one of a value such as "2.44us", "16" or "0.82".
func parameter(key, value string) (Parameter, bool) {
	end := strings.IndexFunc(value, func(c rune) bool { return !strings.ContainsRune("0123456789.-+", c) })
	if end < 0 {
		end = len(value)
	}
	x, err := strconv.ParseFloat(value[:end], 64)
	if err != nil || x <= 0 || math.IsInf(x, 0) {
		return Parameter{}, false
	}
	count := end == len(value) && !strings.Contains(value, ".")
	by := func(factor float64, whole func(float64) float64) change {
		y := float64(factor * x)
		if count {
			y = whole(y)
		}
		return change{digits(y) + value[end:], y/x - 1}
	}
	return Parameter{Key: key, Value: value, more: by(1.1, math.Ceil), less: by(0.9, math.Floor)}, true
}

// digits writes a number, without the last digits, in which a product may be off.
func digits(x float64) string {
	if text := strconv.FormatFloat(x, 'g', 11, 64); !strings.Contains(text, "e") {
		return text
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// Run is one run that Sensitivity needs: the scenario with a key set.
type Run func(set string) (*scenarios.Result, error)

// Sensitivity is the effect of a tenth more of a parameter on a result. Where the scenario does not take more, such as
// of an efficiency near 1, it is that of a tenth less, turned round; where it takes neither, ok is false. A change that is
// not a tenth, such as from 8 sequences to 9, counts by its part of one.
func Sensitivity(p Parameter, base *scenarios.Result, run Run) (e Effect, ok bool, err error) {
	for _, c := range []change{p.more, p.less} {
		r, err := run(p.Key + "=" + c.text)
		var refused *scenarios.Mistakes
		switch {
		case errors.As(err, &refused):
			continue
		case err != nil:
			return Effect{}, false, err
		}
		scale := 0.1 / c.part
		return Effect{float64(scale * (r.MeanTTFTMs - base.MeanTTFTMs)), float64(scale * (r.MeanTPOTMs - base.MeanTPOTMs))}, true, nil
	}
	return Effect{}, false, nil
}

// Largest is the larger of an effect's relative changes, to sort by.
func (e Effect) Largest(base *scenarios.Result) float64 {
	rel := func(d, of float64) float64 {
		if of == 0 {
			return 0
		}
		return math.Abs(d / of)
	}
	return max(rel(e.TTFTMs, base.MeanTTFTMs), rel(e.TPOTMs, base.MeanTPOTMs))
}
