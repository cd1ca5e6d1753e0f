package nixl

import (
	"strconv"

	"pdsim/model/kv"
	"pdsim/sim"
)

// Agent is the library in one rank of an engine, standing for all the engine's ranks.
type Agent struct {
	Name     string
	Costs    Costs
	Progress *sim.Thread // the library's progress thread
	Tx, Rx   []sim.LinkID
	// Down says that the agent's process has died: no notification leaves it or reaches it any more.
	Down bool

	flying   sim.TrackID // counts work requests from their post's start until they are through
	inFlight int64
	inbox    []Note
	onNote   sim.Call
	turn     int                 // rail at which the next transfer's round begins
	known    map[*Agent]bool     // agents that a has shaken hands with
	warm     map[*Agent]sim.Time // agents that a has posted transfers with, and when the first contact is made
}

// Note is a notification: a few bytes from one agent to another, read when somebody polls.
type Note struct {
	Kind  uint8
	Name  string // of its span
	Ref   uint32 // the sender's word for what it is about
	Owner int64  // the request, for spans
	At    sim.Time
	Cause sim.SpanID
}

// Net is all agents, the fabric between them, and the transfers and notifications under way.
type Net struct {
	Sim    *sim.Sim
	Fabric *sim.Fabric
	// Lost is told of each notification that does not arrive, if set.
	Lost func(Note)

	id        sim.HandlerID
	transfers []*Transfer
	idle      []uint32
	notes     []flying
	idleNotes []uint32
	messages  sim.TrackID
	drop      func(n Note) bool
}

type flying struct {
	Note
	to   *Agent
	sent sim.Time
}

const (
	opBegin  sim.Op = iota // the post starts
	opPosted               // the post has returned
	opFeed                 // the progress thread begins to post
	opFed                  // the progress thread has posted the last work request
	opTail                 // the last work request is through
	opRail                 // a rail is done
	opNote                 // a notification arrives
	opFirst                // rail op-opFirst has taken all but the last queueful of work requests
)

// NewNet returns a net without agents.
func NewNet(s *sim.Sim) *Net {
	n := &Net{Sim: s, Fabric: s.NewFabric(), messages: s.Track("notifications")}
	n.id = s.Register(n)
	return n
}

// NewAgent adds an agent whose rank has rails of the given rate in bytes a second, full duplex. perMessage is a rail's
// least time for one work request.
func (n *Net) NewAgent(name string, c Costs, rails int, rate int64, perMessage sim.Duration) *Agent {
	a := n.bareAgent(name, c)
	for i := range rails {
		rail := name + "/rail" + strconv.Itoa(i)
		a.Tx = append(a.Tx, n.Fabric.Link(rail+"/tx", rate, perMessage))
		a.Rx = append(a.Rx, n.Fabric.Link(rail+"/rx", rate, perMessage))
	}
	return a
}

// NewSharedAgent adds an agent on one medium that all agents given the same link share in both directions.
func (n *Net) NewSharedAgent(name string, c Costs, medium sim.LinkID) *Agent {
	a := n.bareAgent(name, c)
	a.Tx, a.Rx = []sim.LinkID{medium}, []sim.LinkID{medium}
	return a
}

func (n *Net) bareAgent(name string, c Costs) *Agent {
	return &Agent{Name: name, Costs: c, flying: n.Sim.Track(name + "/descriptors in flight"), Progress: n.Sim.NewThread(name + "/progress"), known: map[*Agent]bool{}, warm: map[*Agent]sim.Time{}}
}

// OnNote makes c be called whenever a notification arrives at a, besides being kept for the next poll.
func (a *Agent) OnNote(c sim.Call) { a.onNote = c }

// Inbox takes the notifications that have arrived and not been read.
func (a *Agent) Inbox(dst []Note) []Note {
	dst = append(dst, a.inbox...)
	a.inbox = a.inbox[:0]
	return dst
}

// Latest is the notification that arrived last, of those not read.
func (a *Agent) Latest() Note { return a.inbox[len(a.inbox)-1] }

// DropNotes makes the net lose each notification for which lose reports true.
func (n *Net) DropNotes(lose func(Note) bool) { n.drop = lose }

// Notify sends a notification; it is in the other side's inbox one message latency later, unless it gets lost.
func (n *Net) Notify(from, to *Agent, note Note) {
	n.send(from, to, note, n.Sim.Now().Add(from.Costs.Message))
}

// send makes a notification arrive at a time.
func (n *Net) send(from, to *Agent, note Note, at sim.Time) {
	if from.Down || n.drop != nil && n.drop(note) {
		n.lose(note)
		return
	}
	i := takeIndex(&n.idleNotes, len(n.notes))
	if int(i) == len(n.notes) {
		n.notes = append(n.notes, flying{})
	}
	note.Cause = n.Sim.Cause()
	n.notes[i] = flying{note, to, n.Sim.Now()}
	n.Sim.At(at, sim.Completion, sim.Call{To: n.id, Op: opNote, Arg: i})
}

func (n *Net) lose(note Note) {
	if n.Lost != nil {
		n.Lost(note)
	}
}

// arrive puts a notification into the inbox that it was sent to.
func (n *Net) arrive(i uint32) {
	f := n.notes[i]
	n.idleNotes = append(n.idleNotes, i)
	n.Sim.Record(sim.Span{Cause: f.Cause, Track: n.messages, Kind: f.Name, Owner: f.Owner, Ready: f.sent, Start: f.sent, End: n.Sim.Now()})
	if f.to.Down {
		n.lose(f.Note)
		return
	}
	f.At, f.Note.Cause = n.Sim.Now(), n.Sim.Cause()
	f.to.inbox = append(f.to.inbox, f.Note)
	n.Sim.Do(f.to.onNote)
}

// Met says whether a has already shaken hands with b, and remembers that it now has.
func (a *Agent) Met(b *Agent) bool { return a.known[b] }

// Meet records that a has shaken hands with b.
func (a *Agent) Meet(b *Agent) { a.known[b] = true }

// Handshake is what it takes a to load b's side: a query for each of b's ranks that it talks to, and the preparation
// of b's whole cache.
func (a *Agent) Handshake(ranks int, g kv.Geometry, blocks int) sim.Duration {
	return sim.Duration(int64(a.Costs.HandshakeQuery)*int64(ranks)) + a.Costs.HandshakeIndex.Times(ranks*g.Regions()*blocks)
}

func takeIndex(idle *[]uint32, next int) uint32 {
	if n := len(*idle); n > 0 {
		i := (*idle)[n-1]
		*idle = (*idle)[:n-1]
		return i
	}
	return uint32(next)
}
