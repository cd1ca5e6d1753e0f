package serving

import (
	"pdsim/model/compute"
	"pdsim/model/kv"
	"pdsim/model/nixl"
	"pdsim/sim"
)

// Costs are the serving software's own times, on the CPU.
type Costs struct {
	Schedule         sim.Duration // one schedule() of the engine's loop
	SchedulePer      sim.Duration // the same, per scheduled request
	Launch           sim.Duration // until the forward of a decode step is enqueued
	LaunchPrefill    sim.Duration // the same for a step with prompt tokens
	Sample           sim.Duration // from the end of the GPU's work until the scheduler has the output
	EmptyStep        sim.Duration // a step without a forward, from schedule to output
	IdleSleep        sim.Duration // the loop's pause after a step without a forward while requests wait
	RouterHop        sim.Duration // router's work and connection for one upstream call
	APIServer        sim.Duration // from the HTTP request to the engine's queue
	APIBusy          sim.Duration // part of APIServer in which the API server's event loop takes no other request
	TokenizePer      nixl.Picos   // the API server's time per prompt token
	Detokenize       sim.Duration // from the scheduler's output to the HTTP response
	WriterPoll       sim.Duration // period at which a background writer looks for news while it has work that waits
	WriterWake       sim.Duration // a background writer's time to wake up and read its queues
	Lease            sim.Duration // how long a finished prefill keeps its blocks
	LeaseExtension   sim.Duration // how far from now a heartbeat moves the end of the lease
	HeartbeatPeriod  sim.Duration
	HandshakeTimeout sim.Duration // after which a handshake with a silent engine fails
}

// Config is what makes one engine.
type Config struct {
	Name            string
	MaxSeqs         int  // max_num_seqs
	MaxTokens       int  // max_num_batched_tokens
	Async           bool // asynchronous scheduling: a step is scheduled while the one before runs
	LoadAfterLaunch bool // connector work starts after the forward's launch; otherwise before
	PollLast        bool // the worker polls when the GPU is done; otherwise as soon as the forward is enqueued
	TP              int
	Costs           Costs
	Compute         compute.Model
	Pool            *kv.Pool
	Geometry        kv.Geometry
	Agent           *nixl.Agent
}

// Engine is one serving engine: its scheduler, its step loop and the main thread of its workers. All its ranks do the
// same at the same time; one stands for all.
type Engine struct {
	Config
	Main   *sim.Thread // the worker's main thread, for connector work within a step
	API    *sim.Thread // the API server's event loop
	Writer *sim.Thread // a background thread that protocols may post from

	c          *Cluster
	id         sim.HandlerID
	waiting    legQueue
	loading    []*Leg // with blocks, waiting for their KV, in the order of admission
	running    []*Leg
	held       []*Leg // finished, blocks kept, in the order of their leases' start
	ready      int    // loads that are there and not yet running
	steps      [2]step
	first      int // the oldest step in flight
	inFlight   int
	launched   sim.Time // the main thread has launched everything up to the last step
	gpuFree    sim.Time
	loopAt     sim.Time // when the loop schedules next; Never when it waits for an output or for input
	planted    sim.Time // the engine's own pending event
	generation uint32
	scheduling bool
	within     bool // the engine is handling its own event and will look at its agenda again
	loads      []*Request
	flying     []*Request // whose transfers this engine has posted and not seen complete
	broken     []*Request // whose transfers or handshakes have failed
	forwarded  []*Request // whose notifications a background thread has read
	raw        []nixl.Note
	handshaker *sim.Thread
	meeting    map[*Engine]meeting
	coming     int // requests that the router has chosen this engine for and that are not here yet
	leaseEnd   sim.Time
	chained    int  // steps that go through the main thread piece by piece and have not been polled
	dry        bool // the latest schedule yielded no tokens
	unread     int  // requests that came since the latest schedule: the loop reads its input before each
	gone       []*Leg
	polling    *step
	watch      int // loads and held blocks that a poll may see the end of
	keep       int // reasons to go on stepping without unfinished requests
	heartbeat  sim.Time
	dead       bool
	Stats      EngineStats

	loopTrack, gpuTrack, waitTrack sim.TrackID
	counters                       counters
	hindrances                     []hindrance // while spans are kept
	forward                        sim.SpanID  // the latest put in line on the GPU
	output                         sim.SpanID  // what made the latest step take as long as it did, of those whose output was processed
}

const (
	opAgenda sim.Op = iota
	opWorker
	opLaunching
	opLaunched
	opPoll
	opPolled
)

// AddEngine makes an engine of the cluster. Its agent belongs to the cluster's net.
func (c *Cluster) AddEngine(cfg Config) *Engine {
	s := c.Sim
	e := &Engine{Config: cfg, c: c, loopAt: sim.Never, planted: sim.Never, leaseEnd: sim.Never, meeting: map[*Engine]meeting{},
		handshaker: s.NewThread(cfg.Name + "/handshake"),
		Main:       s.NewThread(cfg.Name + "/worker main"), Writer: s.NewThread(cfg.Name + "/writer"), API: s.NewThread(cfg.Name + "/api server"),
		loopTrack: s.Track(cfg.Name + "/engine loop"), gpuTrack: s.Track(cfg.Name + "/gpu"), waitTrack: s.Track(cfg.Name + "/waiting")}
	e.counters = newCounters(s, cfg.Name)
	e.id = s.Register(e)
	e.Agent.OnNote(sim.Call{To: s.Register(noted{e})})
	return e
}

// Depth is the number of steps that may be in flight at once.
func (e *Engine) depth() int {
	if e.Async {
		return 2
	}
	return 1
}

// Unfinished is the number of requests that the engine's scheduler has not finished.
func (e *Engine) Unfinished() int { return e.waiting.len() + len(e.loading) + len(e.running) }

// Running is the number of requests in the running list.
func (e *Engine) Running() int { return len(e.running) }

// enqueue puts a leg into the scheduler's waiting queue and wakes a parked loop.
func (e *Engine) enqueue(l *Leg) {
	l.arrive()
	switch {
	case l.Request.Outcome != Open: // it ended on the way
		return
	case e.dead:
		e.c.fail(l.Request, "the engine "+e.Name+" is down")
		return
	}
	l.State, l.Queued = Waiting, e.c.Sim.Now()
	l.meets(e.c.Sim)
	l.Request.refs++
	e.unread++
	e.account()
	e.waiting.push(l)
	e.wake()
}

// wake makes a parked loop look again. A loop that waits for an output reads its input only after that.
func (e *Engine) wake() {
	if e.loopAt == sim.Never && e.inFlight == 0 && !e.dead {
		e.loopAt = e.c.Sim.Now()
		e.arm()
	}
}

// Handle is the engine's clockwork.
func (e *Engine) Handle(op sim.Op, arg uint32) {
	if e.dead {
		return
	}
	switch op {
	case opAgenda:
		if arg != e.generation {
			return // superseded by an earlier appointment
		}
		e.planted = sim.Never
	case opWorker:
		e.work(&e.steps[arg])
	case opLaunching:
		e.steps[arg].launchBehind = e.Main.Behind()
		return
	case opLaunched:
		e.launchedStep(&e.steps[arg])
	case opPoll:
		e.poll(&e.steps[arg])
	case opPolled:
		e.chained--
		e.steps[arg].polled = e.c.Sim.Cause()
		e.polled(&e.steps[arg])
	}
	e.keepAppointments()
}

// keepAppointments does what is due in the engine's own time and plants the next event, or moves the clock to it when
// nothing else happens before.
func (e *Engine) keepAppointments() {
	e.within = true
	for !e.dead {
		now := e.c.Sim.Now()
		switch next := e.next(); {
		case next > now:
			if next == sim.Never || !e.c.Sim.Skip(next) {
				e.within = false
				e.arm()
				return
			}
		case e.inFlight > 0 && e.steps[e.first].output <= now:
			e.update()
		case e.pollDue(now):
			e.polled(e.pollStep())
		default:
			e.loopAt = sim.Never
			e.loop()
		}
	}
	e.within = false
}

// next is the time of the engine's next appointment.
func (e *Engine) next() sim.Time {
	t := e.loopAt
	for k := range e.inFlight {
		s := &e.steps[(e.first+k)%2]
		t = min(t, s.pollAt)
		if k == 0 { // outputs are processed in order
			t = min(t, s.output)
		}
	}
	return t
}

// arm plants an event for the next appointment if none is planted that early.
func (e *Engine) arm() {
	t := e.next()
	if e.within || t >= e.planted {
		return
	}
	e.planted = t
	e.generation++
	e.c.Sim.At(t, sim.Boundary, sim.Call{To: e.id, Op: opAgenda, Arg: e.generation})
}
