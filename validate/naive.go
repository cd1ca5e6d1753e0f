package validate

import (
	"math"

	"pdsim/model/catalogue"
	"pdsim/model/compute"
	"pdsim/model/serving"
	"pdsim/scenarios"
	"pdsim/sim"
)

// sizeOverBandwidth predicts by what anybody knows: a transfer takes its bytes over the rate of the GPU's rails, a first
// token the computing of the prompt besides, a further token one step of one request. Nothing waits and nothing is posted.
func sizeOverBandwidth(sp *scenarios.Spec, protocol string) (Figures, error) {
	s, err := scenarios.NewSession(sp, protocol, scenarios.Options{})
	if err != nil {
		return nil, err
	}
	cat, err := catalogue.Builtin()
	if err != nil {
		return nil, err
	}
	machine, err := cat.Instance(sp.Decode.Hardware)
	if err != nil {
		return nil, err
	}
	c := s.Cluster()
	decode := c.Decode[0]
	input, output := typical(sp)
	computes, wire := decode, 0.0
	if protocol != "colocated" {
		computes = c.Prefill[0]
		bytes := float64(input) * float64(decode.Geometry.BytesPerTokenPerRank)
		wire = 1e3 * bytes / (float64(machine.RailRate.Value) * float64(machine.RailsPerGPU.Value))
	}
	ttft := milliseconds(promptTime(computes, input)) + wire
	step := milliseconds(stepTime(decode, input))
	f := Figures{}
	for _, stat := range []string{"mean_", "median_", "p90_", "p99_"} {
		f[stat+"ttft_ms"] = ttft
		f[stat+"e2el_ms"] = ttft + step*float64(output-1)
		if output > 1 {
			f[stat+"tpot_ms"], f[stat+"itl_ms"] = step, step
		}
	}
	if wire > 0 {
		f["kv.avg_xfer_ms"], f["kv.p90_xfer_ms"], f["phase.kv_wait_ms"] = wire, wire, wire
	}
	return f, nil
}

// typical is the length of a scenario's prompts and answers.
func typical(sp *scenarios.Spec) (input, output int) {
	return sp.Workload.InputTokens + sp.Workload.PrefixTokens, sp.Workload.OutputTokens
}

// promptTime is the GPU's time for a prompt, in the chunks that the engine computes.
func promptTime(e *serving.Engine, tokens int) sim.Duration {
	var sum sim.Duration
	for done := 0; done < tokens; {
		n := min(e.MaxTokens, tokens-done)
		var b compute.Batch
		b.AddPrefill(n, done)
		sum += e.Compute.StepTime(&b)
		done += n
	}
	return sum
}

// stepTime is the GPU's time for one token of one request.
func stepTime(e *serving.Engine, context int) sim.Duration {
	var b compute.Batch
	b.AddDecode(context)
	return e.Compute.StepTime(&b)
}

func milliseconds(d sim.Duration) float64 { return float64(d) / 1e6 }

// oneRequest predicts by one request alone on servers that have met. Throughput is then what the client offers: its
// rate, or its open requests over the time that one takes.
func oneRequest(sp *scenarios.Spec, protocol string) (Figures, error) {
	alone := *sp
	alone.Prefill.PrefixCaching, alone.Decode.PrefixCaching = false, false // the request meets the servers before it counts
	w := &alone.Workload
	qps, open := float64(w.QPS), float64(w.MaxConcurrency)
	w.Kind, w.Requests, w.Iterations, w.Warmup, w.MaxConcurrency, w.Turns = "synthetic", 1, 1, 0, 1, 1
	w.InputTokens, w.PrefixTokens = w.InputTokens+w.PrefixTokens, 0
	w.Probe, w.Reseed = true, false
	r, err := scenarios.Run(&alone, protocol, scenarios.Options{})
	if err != nil {
		return nil, err
	}
	f, err := figuresOf(r)
	if err != nil {
		return nil, err
	}
	rate := math.Inf(1)
	if qps > 0 {
		rate = qps
	}
	if e2el := f["mean_e2el_ms"]; open > 0 && e2el > 0 {
		rate = min(rate, 1e3*open/e2el)
	}
	for name, each := range map[string]float64{"request_throughput": 1, "output_throughput": float64(w.OutputTokens), "total_token_throughput": float64(w.InputTokens + w.OutputTokens)} {
		delete(f, name)
		if !math.IsInf(rate, 1) {
			f[name] = rate * each
		}
	}
	return f, nil
}
