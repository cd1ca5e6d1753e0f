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
	endings  []string
	lost     map[uint8]int // by kind: how many to lose
	stepsP   round
	stepsD   round
	requests []serving.Request // as they were when they ended
}

func TestTranscripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var s *scene
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "cluster" {
				s = open(t, d)
				return ""
			}
			return s.do(t, d)
		})
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

// open starts the engines. A switch is a word, a figure follows its word.
func open(t *testing.T, d *datadriven.TestData) *scene {
	name := ""
	d.ScanArgs(t, "protocol", &name)
	u := defaults(name)
	for key, to := range map[string]*int{"seqs": &u.seqs, "tokens": &u.tokens, "p": &u.blocksP, "d": &u.blocksD} {
		d.MaybeScanArgs(t, key, to)
	}
	for key, to := range map[string]*sim.Duration{
		"handshake": &u.handshake, "lease": &u.lease, "extension": &u.extension, "heartbeat": &u.heartbeat, "timeout": &u.timeout, "post": &u.post,
	} {
		if text := ""; d.MaybeScanArgs(t, key, &text) {
			*to = span(t, d, text)
		}
	}
	u.sequential, u.async, u.before, u.pollLast = d.HasArg("sequential"), d.HasArg("async"), d.HasArg("before"), d.HasArg("polllast")
	u.strangers, u.ucx, u.cachingP = d.HasArg("strangers"), d.HasArg("ucx"), d.HasArg("caching")
	return u.start()
}

// setup is what a scene can be started with.
type setup struct {
	protocol                            string
	sequential, async, before, pollLast bool
	strangers, ucx, cachingP, cachingD  bool
	seqs, tokens, blocksP, blocksD      int // D's slots, both engines' token budget, and their blocks
	handshake, lease, extension         sim.Duration
	heartbeat, timeout, post            sim.Duration
}

func defaults(protocol string) setup {
	return setup{
		protocol: protocol, seqs: 8, tokens: 1000, blocksP: 1000, blocksD: 1000,
		handshake: 5 * sim.Millisecond, lease: 30 * sim.Second, extension: 20 * sim.Second, heartbeat: 5 * sim.Second, post: 100 * sim.Microsecond,
	}
}

func (u setup) start() *scene {
	p, ok := Lookup(u.protocol)
	if !ok {
		panic("unknown protocol " + u.protocol)
	}
	s := &scene{log: &sim.Log{}, lost: map[uint8]int{}}
	c := serving.NewCluster(sim.New(1, s.log), p)
	c.Sim.SetBudget(1e7)
	c.Switches.Concurrent = !u.sequential
	costs, soft := roundCosts()
	costs.HandshakeQuery, soft.Lease, soft.LeaseExtension, soft.HeartbeatPeriod = u.handshake, u.lease, u.extension, u.heartbeat
	costs.PostRead = nixl.Picos(u.post * 1000)
	costs.PostWrite, costs.NotifyWithWrite = costs.PostRead, !u.ucx
	engine := func(name string, seqs, blocks int, caching bool, m compute.Model) []*serving.Engine {
		return []*serving.Engine{c.AddEngine(serving.Config{
			Name: name, MaxSeqs: seqs, MaxTokens: u.tokens, Async: u.async, LoadAfterLaunch: !u.before, PollLast: u.pollLast,
			TP: 1, Costs: soft, Compute: m, Pool: kv.NewPool(blocks, 10, caching),
			Geometry: kv.Geometry{Layout: kv.Packed, Layers: 10, BytesPerTokenPerRank: 100_000, BlockSize: 10},
			Agent:    c.Net.NewAgent(name, costs, 1, 10e9, 0),
		})}
	}
	c.Prefill, c.Decode = engine("P", 8, u.blocksP, u.cachingP, &s.stepsP), engine("D", u.seqs, u.blocksD, u.cachingD, &s.stepsD)
	c.Pairing, _ = kv.Pair(1, 1, 8, false, p.Writes())
	c.Client.Timeout, c.Client.KeepGaps = u.timeout, true
	if !u.strangers {
		c.Prefill[0].Agent.Meet(c.Decode[0].Agent)
		c.Decode[0].Agent.Meet(c.Prefill[0].Agent)
	}
	s.c = c
	c.Net.DropNotes(s.hear)
	c.Client.Ended = s.ended
	return s
}

// hear loses the notifications that are to be lost.
func (s *scene) hear(n nixl.Note) bool {
	if s.lost[n.Kind] > 0 {
		s.lost[n.Kind]--
		return true
	}
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
	kept := *r
	kept.Gaps = slices.Clone(r.Gaps)
	s.requests = append(s.requests, kept)
}

// span reads a length of time.
func span(t *testing.T, d *datadriven.TestData, text string) sim.Duration {
	v, err := unit.ParseDuration(text)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	return sim.Duration(v)
}

// round is a compute model with round numbers, 10 ms a decode step and 1 ms a prompt token, that keeps what it computed.
type round struct{ steps []compute.Batch }

func (m *round) StepTime(b *compute.Batch) sim.Duration {
	m.steps = append(m.steps, *b)
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
