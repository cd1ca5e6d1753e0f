package explain

import (
	"math"
	"testing"

	"pdsim/protocols"
	"pdsim/scenarios"
	"pdsim/sim"
)

// record plays a scenario and records it.
func record(t testing.TB, name, protocol string, set ...string) *Recording {
	t.Helper()
	sp, err := scenarios.Load(name, set)
	if err != nil {
		t.Fatal(err)
	}
	r := NewRecording(sp, protocol)
	session, err := scenarios.NewSession(sp, protocol, r.Options())
	if err != nil {
		t.Fatal(err)
	}
	result, err := session.Play(sp)
	if err != nil {
		t.Fatal(err)
	}
	r.Close(session, result)
	return r
}

// Every path of every built-in scenario under every protocol adds up to the nanosecond, which Mean checks of each, and all
// of them to the mean TTFT. Each step was released by the latest of its dependencies, when that was met.
func TestBuiltinPathsAddUp(t *testing.T) {
	for _, name := range scenarios.Builtin() {
		for _, p := range protocols.All() {
			t.Run(name+"/"+p.Name(), func(t *testing.T) {
				var set []string
				if sp, err := scenarios.Load(name, nil); err == nil && sp.Workload.Requests == 0 || testing.Short() {
					set = []string{"workload.requests=100"} // of a whole trace
				}
				r := record(t, name, p.Name(), set...)
				mean, err := r.Mean()
				if err != nil {
					t.Fatal(err)
				}
				if want := r.Result.MeanTTFTMs; math.Abs(mean.TTFT.Milliseconds()-want) > 1e-5 {
					t.Errorf("the mean path takes %v, mean TTFT is %v ms", mean.TTFT, want)
				}
				for _, f := range r.firsts {
					checkReleases(t, r.log, f.tail)
				}
			})
		}
	}
}

// checkReleases goes over all that a span depended on.
func checkReleases(t *testing.T, log *sim.Log, tail sim.SpanID) {
	t.Helper()
	seen := map[sim.SpanID]bool{}
	todo := []sim.SpanID{tail}
	for len(todo) > 0 {
		sp := log.At(todo[len(todo)-1])
		todo = todo[:len(todo)-1]
		if sp.Owner < 0 || seen[sp.ID] {
			continue
		}
		seen[sp.ID] = true
		if sp.Cause == 0 {
			if sp.Kind != "send" {
				t.Fatalf("nothing released %+v", *sp)
			}
			continue
		}
		if log.At(sp.Cause).End != sp.Ready {
			t.Fatalf("%+v was ready when %+v had not just ended", *sp, *log.At(sp.Cause))
		}
		todo = append(todo, sp.Cause)
		for other := range log.Others(sp.ID) {
			if log.At(other).End > sp.Ready {
				t.Fatalf("%+v depended on %+v, which ended later", *sp, *log.At(other))
			}
			todo = append(todo, other)
		}
	}
}

// BenchmarkMean is the mean path of the published scenario's 1,000 requests.
func BenchmarkMean(b *testing.B) {
	r := record(b, "p5en-qwen3-32b", "push")
	for b.Loop() {
		if _, err := r.Mean(); err != nil {
			b.Fatal(err)
		}
	}
}
