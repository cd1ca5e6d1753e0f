package write

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"pdsim/model/metric"
	"pdsim/model/nixl"
	"pdsim/model/serving"
	"pdsim/sim"
)

// KVInterval is how often a server writes its line if VLLM_LOG_STATS_INTERVAL does not say otherwise.
const KVInterval = 10 * sim.Duration(time.Second)

// The process ids of the servers in a log: they are what tells servers apart where several write into one file.
const (
	prefillPID = 1000 // of P0, the next one's is one more
	decodePID  = 2000 // of D0
)

// logStart is where the clock of a log begins, at the start of the servers.
var logStart = time.Date(2001, time.January, 1, 0, 0, 0, 0, time.UTC)

// KVLog writes a line for each interval and each server that has something to tell of it: transfers are told by the server
// that posted them, by the interval in which its poll saw them complete, and all its ranks' together. An interval with
// nothing but failures has a line of zeros.
type KVLog struct {
	to       io.Writer
	interval sim.Duration
	servers  []*kvServer // prefill servers first
	byAgent  map[*nixl.Agent]*kvServer
	byEngine map[*serving.Engine]*kvServer
	end      sim.Time // of the interval that is being gathered
	err      error
}

// kvServer is what one server gathers in an interval.
type kvServer struct {
	pid        int
	xfer, post metric.Sample
	wire       sim.Duration // the sum of xfer
	bytes      int64
	descs      int64
	trouble    bool
}

// NewKVLog returns a log that writes lines as it learns of transfers. Attach comes before them, Close after.
func NewKVLog(to io.Writer, interval sim.Duration) *KVLog {
	return &KVLog{to: to, interval: interval, end: sim.Time(interval), byAgent: map[*nixl.Agent]*kvServer{}, byEngine: map[*serving.Engine]*kvServer{}}
}

// Attach tells the log which servers there are.
func (l *KVLog) Attach(c *serving.Cluster) {
	add := func(engines []*serving.Engine, pid int) {
		for i, e := range engines {
			s := &kvServer{pid: pid + i}
			l.servers = append(l.servers, s)
			l.byAgent[e.Agent], l.byEngine[e] = s, s
		}
	}
	add(c.Prefill, prefillPID)
	add(c.Decode, decodePID)
}

// Transfer takes in a transfer that is seen complete.
func (l *KVLog) Transfer(x *nixl.Transfer, at sim.Time, ranks int) {
	l.advance(at)
	s, n := l.byAgent[x.Poster], ranks*x.Handles
	s.xfer.AddN(at.Sub(x.PostStart), n)
	s.post.AddN(x.PostEnd.Sub(x.PostStart), n)
	s.wire += sim.Duration(n) * at.Sub(x.PostStart)
	s.bytes += int64(n) * x.Extent.Bytes
	s.descs += int64(n) * int64(x.Extent.Descriptors)
}

// Trouble takes in a failure, which is not counted in a line but makes one.
func (l *KVLog) Trouble(e *serving.Engine, _ serving.Trouble, at sim.Time) {
	l.advance(at)
	l.byEngine[e].trouble = true
}

// Close writes what the last interval has, at its end.
func (l *KVLog) Close() error {
	l.flush()
	return l.err
}

// advance closes the intervals that end before a time. Events come in the order of time.
func (l *KVLog) advance(at sim.Time) {
	if at < l.end {
		return
	}
	l.flush()
	l.end = sim.Time((int64(at)/int64(l.interval) + 1) * int64(l.interval))
}

// flush writes the interval's lines and begins with empty figures.
func (l *KVLog) flush() {
	for _, s := range l.servers {
		if s.xfer.Count() == 0 && !s.trouble {
			continue
		}
		stamp := logStart.Add(time.Duration(l.end)).Format("01-02 15:04:05")
		if _, err := fmt.Fprintf(l.to, "(APIServer pid=%d) INFO %s [metrics.py:103] KV Transfer metrics: %s\n", s.pid, stamp, s.reduced()); l.err == nil {
			l.err = err
		}
		*s = kvServer{pid: s.pid}
	}
}

// reduced is the figures of an interval in the order and the form that the log has them. Without transfers vLLM prints the
// whole number 0, which has no decimals.
func (s *kvServer) reduced() string {
	n := float64(s.xfer.Count())
	mb := float64(s.bytes) / (1 << 20)
	names := []string{
		"Avg xfer time (ms)", "P90 xfer time (ms)", "Avg post time (ms)", "P90 post time (ms)",
		"Avg MB per transfer", "Throughput (MB/s)", "Avg number of descriptors",
	}
	values := make([]string, len(names))
	if n == 0 {
		for i := range values {
			values[i] = "0"
		}
	} else {
		for i, v := range []float64{s.xfer.Mean(), s.xfer.Percentile(90), s.post.Mean(), s.post.Percentile(90), mb / n, mb / s.wire.Seconds()} {
			values[i] = python(v, 3)
		}
		values[len(values)-1] = python(float64(s.descs)/n, 1)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Num successful transfers=%.0f", n)
	for i, name := range names {
		b.WriteString(", " + name + "=" + values[i])
	}
	return b.String()
}

// python is a number as Python prints round(x, decimals): without trailing zeros, but with one decimal.
func python(x float64, decimals int) string {
	switch {
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 1): // a throughput in no time
		return "inf"
	}
	text := strings.TrimRight(strconv.FormatFloat(x, 'f', decimals, 64), "0")
	if strings.HasSuffix(text, ".") {
		text += "0"
	}
	return text
}
