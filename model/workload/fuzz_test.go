package workload

import (
	"bytes"
	"testing"

	"pdsim/sim"
)

// fuzz checks what holds for every text: arrivals in order and in range, or an error that names the file; and the same
// again for the same text.
func fuzz(t *testing.T, format Format, text []byte) {
	count := func() (arrivals int, message string) {
		trace, err := NewTrace(format, "f", bytes.NewReader(text), TraceOptions{})
		if err != nil {
			return 0, err.Error()
		}
		last := sim.Time(0)
		for a, ok := trace.Next(); ok; a, ok = trace.Next() {
			if a.At < last || a.Input < 1 || a.Input > maxTokens || a.Output < 1 || a.Output > maxTokens {
				t.Fatalf("%+v after %v", a, last)
			}
			a.Prompt.BlockHash(a.Input/16, 16)
			last = a.At
			arrivals++
		}
		if trace.Err() != nil {
			message = trace.Err().Error()
		}
		return arrivals, message
	}
	n, message := count()
	if message != "" && message[:2] != "f:" {
		t.Fatalf("error without the file's name: %s", message)
	}
	if again, also := count(); again != n || also != message {
		t.Fatalf("%d arrivals and %q, then %d and %q", n, message, again, also)
	}
}

func FuzzAzure(f *testing.F) {
	f.Fuzz(func(t *testing.T, text []byte) { fuzz(t, Azure, text) })
}

func FuzzMooncake(f *testing.F) {
	f.Fuzz(func(t *testing.T, text []byte) { fuzz(t, Mooncake, text) })
}

func FuzzBurstGPT(f *testing.F) {
	f.Fuzz(func(t *testing.T, text []byte) {
		fuzz(t, BurstGPT, text)
		fuzz(t, MooncakeLengths, text)
	})
}
