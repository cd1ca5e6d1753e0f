package protocols

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pdsim/model/compute"
	"pdsim/model/kv"
	"pdsim/model/nixl"
	"pdsim/model/serving"
	"pdsim/model/unit"
	"pdsim/model/workload"
	"pdsim/sim"

	"github.com/cockroachdb/datadriven"
)

// scene is one prefill and one decode engine with round numbers, played from a script and drawn as a sequence diagram.
//
//	a prompt token takes 1 ms, a decode step 10 ms; launching 1 ms; scheduling and a poll nothing
//	blocks hold 10 tokens; 10 layers make 10 descriptors of a request in one piece, 100 us each to post
//	100 prompt tokens are 10 MB, which one rail of 10 GB/s carries in 1 ms; every message takes 100 us
//	every hop and answer takes 1 ms; a loop without a forward steps every 1.1 ms
type scene struct {
	c        *serving.Cluster
	log      *sim.Log
	drawn    int // spans drawn before
	arrivals []workload.Arrival
	sent     []message
	endings  []string
	lost     map[uint8]int // by kind: how many to lose
}

// message is a notification as it was sent.
type message struct {
	at    sim.Time
	owner int64
	kind  uint8
}

func TestTranscripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var s scene
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string { return s.do(t, d) })
	})
}

// do plays one directive:
//
//	cluster protocol=pull [sequential] [async] [strangers] [ucx] [seqs=8] ...  starts the engines, see open
//	send at=0s input=100 output=2 [prompt=1]   plans a request
//	lose kind=KVRead [n=1]                     loses notifications
//	kill engine=D at=150ms                     plans an engine's death
//	run [hide=forward,launch]                  plays what is planned and draws it
//	wait for=10s                               lets time pass without requests
//	pools                                      shows the blocks in use
//	check                                      asserts the invariants
func (s *scene) do(t *testing.T, d *datadriven.TestData) string {
	switch d.Cmd {
	case "cluster":
		s.open(t, d)
		return ""
	case "send":
		s.plan(t, d)
		return ""
	case "lose":
		kind, n := "", 1
		d.ScanArgs(t, "kind", &kind)
		d.MaybeScanArgs(t, "n", &n)
		s.lost[uint8(slices.Index(kinds, kind))] = n
		return ""
	case "kill":
		engine, at := "", ""
		d.ScanArgs(t, "engine", &engine)
		d.ScanArgs(t, "at", &at)
		s.c.KillAt(map[string]*serving.Engine{"P": s.c.Prefill[0], "D": s.c.Decode[0]}[engine], sim.Time(span(t, d, at)))
		return ""
	case "run":
		return s.run(t, d)
	case "wait":
		period := ""
		d.ScanArgs(t, "for", &period)
		if err := s.c.Sim.Run(s.c.Sim.Now().Add(span(t, d, period))); err != nil {
			t.Fatal(err)
		}
		return s.draw(d)
	case "pools":
		p, q := s.c.Prefill[0].Pool, s.c.Decode[0].Pool
		return fmt.Sprintf("P: %d of %d blocks in use, D: %d of %d\n", p.Used(), p.Blocks(), q.Used(), q.Blocks())
	case "check":
		if err := s.c.Check(); err != nil {
			return err.Error() + "\n"
		}
		return "ok\n"
	}
	d.Fatalf(t, "unknown directive %s", d.Cmd)
	return ""
}

// open starts the engines. Switches are the words below; figures have these defaults.
func (s *scene) open(t *testing.T, d *datadriven.TestData) {
	*s = scene{log: &sim.Log{}, lost: map[uint8]int{}}
	name, seqs, tokens, blocksP, blocksD := "", 8, 1000, 1000, 1000
	handshake, lease, extension, heartbeat, timeout, post := "5ms", "30s", "20s", "5s", "0s", "100us"
	d.ScanArgs(t, "protocol", &name)
	for key, to := range map[string]*int{"seqs": &seqs, "tokens": &tokens, "p": &blocksP, "d": &blocksD} {
		d.MaybeScanArgs(t, key, to)
	}
	for key, to := range map[string]*string{"handshake": &handshake, "lease": &lease, "extension": &extension, "heartbeat": &heartbeat, "timeout": &timeout, "post": &post} {
		d.MaybeScanArgs(t, key, to)
	}
	p, ok := Lookup(name)
	if !ok {
		d.Fatalf(t, "unknown protocol %s", name)
	}
	c := serving.NewCluster(sim.New(1, s.log), p)
	c.Sim.SetBudget(1e6)
	c.Switches.Concurrent = !d.HasArg("sequential")
	costs, soft := roundCosts()
	costs.HandshakeQuery, soft.Lease = span(t, d, handshake), span(t, d, lease)
	soft.LeaseExtension, soft.HeartbeatPeriod = span(t, d, extension), span(t, d, heartbeat)
	costs.PostRead = nixl.Picos(span(t, d, post) * 1000)
	costs.PostWrite, costs.NotifyWithWrite = costs.PostRead, !d.HasArg("ucx")
	engine := func(name string, seqs, blocks int) []*serving.Engine {
		return []*serving.Engine{c.AddEngine(serving.Config{
			Name: name, MaxSeqs: seqs, MaxTokens: tokens, Async: d.HasArg("async"), LoadAfterLaunch: !d.HasArg("before"), PollLast: d.HasArg("polllast"),
			TP: 1, Costs: soft, Compute: round{}, Pool: kv.NewPool(blocks, 10, name == "P" && d.HasArg("caching")),
			Geometry: kv.Geometry{Layout: kv.Packed, Layers: 10, BytesPerTokenPerRank: 100_000, BlockSize: 10},
			Agent:    c.Net.NewAgent(name, costs, 1, 10e9, 0),
		})}
	}
	c.Prefill, c.Decode = engine("P", 8, blocksP), engine("D", seqs, blocksD)
	c.Pairing, _ = kv.Pair(1, 1, 8, false, p.Writes())
	c.Client.Timeout = span(t, d, timeout)
	if !d.HasArg("strangers") {
		c.Prefill[0].Agent.Meet(c.Decode[0].Agent)
		c.Decode[0].Agent.Meet(c.Prefill[0].Agent)
	}
	s.c = c
	c.Net.DropNotes(s.hear)
	c.Client.Ended = s.ended
}

// hear notes what is sent and loses what is to be lost.
func (s *scene) hear(n nixl.Note) bool {
	if s.lost[n.Kind] > 0 {
		s.lost[n.Kind]--
		return true
	}
	s.sent = append(s.sent, message{s.c.Sim.Now(), n.Owner, n.Kind})
	return false
}

func (s *scene) plan(t *testing.T, d *datadriven.TestData) {
	a := workload.Arrival{Prompt: workload.Prompt{ID: uint64(len(s.arrivals) + 1)}}
	at := ""
	d.ScanArgs(t, "at", &at)
	d.ScanArgs(t, "input", &a.Input)
	d.ScanArgs(t, "output", &a.Output)
	d.MaybeScanArgs(t, "prompt", &a.Prompt.ID)
	a.At = sim.Time(span(t, d, at))
	s.arrivals = append(s.arrivals, a)
}

func (s *scene) run(t *testing.T, d *datadriven.TestData) string {
	s.endings = nil
	if err := s.c.Client.Play(&script{s.arrivals}); err != nil {
		return err.Error() + "\n"
	}
	s.arrivals = nil
	return s.draw(d) + strings.Join(s.endings, "")
}

func (s *scene) ended(r *serving.Request) {
	line := fmt.Sprintf("request %d %v", r.ID, r.Outcome)
	switch {
	case r.Outcome != serving.Done:
		line += fmt.Sprintf(" at %v: %s", s.c.Sim.Now(), r.Reason)
	default:
		line += fmt.Sprintf(": first token after %v, last after %v", r.First.Sub(r.Sent), r.Last.Sub(r.Sent))
	}
	if r.Stale {
		line += ", read stale blocks"
	}
	s.endings = append(s.endings, line+"\n")
}

// span reads a length of time.
func span(t *testing.T, d *datadriven.TestData, text string) sim.Duration {
	v, err := unit.ParseDuration(text)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	return sim.Duration(v)
}

// round is a compute model with round numbers: 10 ms a decode step, 1 ms a prompt token.
type round struct{}

func (round) StepTime(b *compute.Batch) sim.Duration {
	d := sim.Duration(b.PrefillTokens) * sim.Millisecond
	if b.Decodes > 0 {
		d += 10 * sim.Millisecond
	}
	return d
}

// roundCosts are so round that a transcript can be followed by hand.
func roundCosts() (nixl.Costs, serving.Costs) {
	costs := nixl.Costs{ReadLatency: 100 * sim.Microsecond, WriteLatency: 100 * sim.Microsecond, Message: 100 * sim.Microsecond, WriteBatch: 1}
	soft := serving.Costs{
		Launch: sim.Millisecond, LaunchPrefill: sim.Millisecond, EmptyStep: 100 * sim.Microsecond, IdleSleep: sim.Millisecond,
		RouterHop: sim.Millisecond, Detokenize: sim.Millisecond, WriterPoll: sim.Millisecond, WriterWake: 100 * sim.Microsecond,
		HandshakeTimeout: 5 * sim.Second,
	}
	return costs, soft
}
