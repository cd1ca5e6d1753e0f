package trace

import (
	"bufio"

	"google.golang.org/protobuf/encoding/protowire"

	"pdsim/sim"
)

// encoder writes the parts of a trace in one form.
type encoder interface {
	process(pid int, name string)
	track(uuid uint64, pid int, name string, counter bool)
	slice(uuid uint64, s *slice)
	instant(uuid uint64, s *slice)
	count(uuid uint64, at sim.Time, value int64)
	end()
}

// slice is something on a track.
type slice struct {
	name       string
	request    int64 // negative: the engine's own
	start, end sim.Time
	flows      *flows
}

// perfetto writes packets of Perfetto's trace format: protos/perfetto/trace in github.com/google/perfetto.
type perfetto struct {
	out    *bufio.Writer
	begun  bool
	packet []byte
	event  []byte
	part   []byte
}

// Numbers of the fields used, by message.
const (
	tracePacket = 1

	packetTimestamp  = 8
	packetSequence   = 10
	packetEvent      = 11
	packetFlags      = 13
	packetDescriptor = 60

	descriptorUUID    = 1
	descriptorName    = 2
	descriptorProcess = 3
	descriptorParent  = 5
	descriptorCounter = 8

	processPID  = 1
	processName = 6

	eventAnnotation  = 4
	eventType        = 9
	eventTrack       = 11
	eventName        = 23
	eventValue       = 30
	eventFlow        = 47
	eventFlowEnds    = 48
	annotationInt    = 4
	annotationName   = 10
	typeBegin        = 1
	typeEnd          = 2
	typeInstant      = 3
	typeCounter      = 4
	sequence         = 1
	stateCleared     = 1       // a sequence's first packet says that nothing went before
	processUUID      = 1 << 40 // processes' tracks are numbered from here, apart from the others
	requestParameter = "request"
)

func varint(b []byte, field protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), v)
}

func text(b []byte, field protowire.Number, s string) []byte {
	return protowire.AppendString(protowire.AppendTag(b, field, protowire.BytesType), s)
}

func message(b []byte, field protowire.Number, m []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), m)
}

// put writes the packet. The buffered writer keeps the first error for Close.
func (p *perfetto) put() {
	p.packet = varint(p.packet, packetSequence, sequence)
	if !p.begun {
		p.begun = true
		p.packet = varint(p.packet, packetFlags, stateCleared)
	}
	head := protowire.AppendVarint(protowire.AppendTag(p.part[:0], tracePacket, protowire.BytesType), uint64(len(p.packet)))
	p.part = head
	p.out.Write(head)
	p.out.Write(p.packet)
}

func (p *perfetto) describe() {
	p.packet = message(p.packet[:0], packetDescriptor, p.event)
	p.put()
}

func (p *perfetto) process(pid int, name string) {
	p.part = text(varint(p.part[:0], processPID, uint64(pid)), processName, name)
	p.event = message(varint(p.event[:0], descriptorUUID, processUUID+uint64(pid)), descriptorProcess, p.part)
	p.describe()
}

func (p *perfetto) track(uuid uint64, pid int, name string, counter bool) {
	p.event = text(varint(p.event[:0], descriptorUUID, uuid), descriptorName, name)
	p.event = varint(p.event, descriptorParent, processUUID+uint64(pid))
	if counter {
		p.event = message(p.event, descriptorCounter, nil)
	}
	p.describe()
}

func (p *perfetto) slice(uuid uint64, s *slice) {
	p.begin(typeBegin, uuid, s)
	p.event = varint(varint(p.event[:0], eventType, typeEnd), eventTrack, uuid)
	p.at(s.end)
}

func (p *perfetto) instant(uuid uint64, s *slice) { p.begin(typeInstant, uuid, s) }

func (p *perfetto) begin(kind, uuid uint64, s *slice) {
	p.event = text(varint(varint(p.event[:0], eventType, kind), eventTrack, uuid), eventName, s.name)
	if s.request >= 0 {
		p.part = varint(text(p.part[:0], annotationName, requestParameter), annotationInt, uint64(s.request))
		p.event = message(p.event, eventAnnotation, p.part)
	}
	for _, id := range s.flows.out {
		p.event = protowire.AppendFixed64(protowire.AppendTag(p.event, eventFlow, protowire.Fixed64Type), id)
	}
	for _, id := range s.flows.in {
		p.event = protowire.AppendFixed64(protowire.AppendTag(p.event, eventFlowEnds, protowire.Fixed64Type), id)
	}
	p.at(s.start)
}

func (p *perfetto) count(uuid uint64, at sim.Time, value int64) {
	p.event = varint(varint(varint(p.event[:0], eventType, typeCounter), eventTrack, uuid), eventValue, uint64(value))
	p.at(at)
}

// at writes the event with its time.
func (p *perfetto) at(t sim.Time) {
	p.packet = message(varint(p.packet[:0], packetTimestamp, uint64(t)), packetEvent, p.event)
	p.put()
}

func (p *perfetto) end() {}
