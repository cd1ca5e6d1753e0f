package trace

import (
	"fmt"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// event is a packet as a viewer reads it.
type event struct {
	at, track  uint64
	kind       uint64
	name       string
	request    int64
	value      uint64
	flow, ends []uint64
}

// opened is a trace as a viewer reads it.
type opened struct {
	processes map[uint64]string // by track
	names     map[uint64]string
	parents   map[uint64]uint64
	counters  map[uint64]bool
	events    []event
}

// fields calls on with each field of a message.
func fields(t *testing.T, m []byte, on func(n protowire.Number, v uint64, b []byte)) {
	t.Helper()
	for len(m) > 0 {
		n, typ, k := protowire.ConsumeTag(m)
		if k < 0 {
			t.Fatal(protowire.ParseError(k))
		}
		m = m[k:]
		var v uint64
		var b []byte
		switch typ {
		case protowire.VarintType:
			v, k = protowire.ConsumeVarint(m)
		case protowire.Fixed64Type:
			v, k = protowire.ConsumeFixed64(m)
		case protowire.BytesType:
			b, k = protowire.ConsumeBytes(m)
		default:
			t.Fatalf("field %d of type %d", n, typ)
		}
		if k < 0 {
			t.Fatal(protowire.ParseError(k))
		}
		m = m[k:]
		on(n, v, b)
	}
}

// open reads a trace in Perfetto's form.
func open(t *testing.T, text []byte) *opened {
	t.Helper()
	o := &opened{map[uint64]string{}, map[uint64]string{}, map[uint64]uint64{}, map[uint64]bool{}, nil}
	fields(t, text, func(n protowire.Number, _ uint64, packet []byte) {
		if n != tracePacket {
			t.Fatalf("field %d of the trace", n)
		}
		var e event
		e.request = -1
		fields(t, packet, func(n protowire.Number, v uint64, b []byte) {
			switch n {
			case packetTimestamp:
				e.at = v
			case packetEvent:
				o.event(t, e, b)
			case packetDescriptor:
				o.describe(t, b)
			}
		})
	})
	return o
}

func (o *opened) event(t *testing.T, e event, m []byte) {
	t.Helper()
	fields(t, m, func(n protowire.Number, v uint64, b []byte) {
		switch n {
		case eventType:
			e.kind = v
		case eventTrack:
			e.track = v
		case eventName:
			e.name = string(b)
		case eventValue:
			e.value = v
		case eventFlow:
			e.flow = append(e.flow, v)
		case eventFlowEnds:
			e.ends = append(e.ends, v)
		case eventAnnotation:
			fields(t, b, func(n protowire.Number, v uint64, _ []byte) {
				if n == annotationInt {
					e.request = int64(v)
				}
			})
		}
	})
	o.events = append(o.events, e)
}

func (o *opened) describe(t *testing.T, m []byte) {
	t.Helper()
	var uuid uint64
	fields(t, m, func(n protowire.Number, v uint64, b []byte) {
		switch n {
		case descriptorUUID:
			uuid = v
		case descriptorName:
			o.names[uuid] = string(b)
		case descriptorParent:
			o.parents[uuid] = v
		case descriptorCounter:
			o.counters[uuid] = true
		case descriptorProcess:
			fields(t, b, func(n protowire.Number, _ uint64, b []byte) {
				if n == processName {
					o.processes[uuid] = string(b)
				}
			})
		}
	})
}

// name is a track's process and name.
func (o *opened) name(track uint64) string {
	return fmt.Sprintf("%s/%s", o.processes[o.parents[track]], o.names[track])
}
