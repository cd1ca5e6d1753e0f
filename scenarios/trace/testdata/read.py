"""Reads a trace with Perfetto's own messages and, where its trace_processor can be had, asks it a few queries."""

import sys

from perfetto.protos.perfetto.trace import perfetto_trace_pb2

BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4

trace = perfetto_trace_pb2.Trace()
trace.ParseFromString(open(sys.argv[1], "rb").read())
processes, tracks, depth, flows, kinds = {}, {}, {}, {}, {}
assert all(p.trusted_packet_sequence_id for p in trace.packet)
for p in trace.packet:
    if p.HasField("track_descriptor"):
        d = p.track_descriptor
        if d.HasField("process"):
            processes[d.uuid] = d.process.process_name
        else:
            assert d.parent_uuid in processes, d
            tracks[d.uuid] = d.name
for p in sorted((p for p in trace.packet if p.HasField("track_event")), key=lambda p: p.timestamp):
    e = p.track_event
    kinds[e.type] = kinds.get(e.type, 0) + 1
    assert e.track_uuid in tracks, e
    if e.type == BEGIN:
        depth[e.track_uuid] = depth.get(e.track_uuid, 0) + 1
    elif e.type == END:
        depth[e.track_uuid] -= 1
        assert depth[e.track_uuid] >= 0
    elif e.type == COUNTER:
        assert e.HasField("counter_value")
    for f in e.flow_ids:
        assert f not in flows
        flows[f] = p.timestamp
    for f in e.terminating_flow_ids:
        assert flows.pop(f) <= p.timestamp
assert not any(depth.values()) and not flows
assert kinds[BEGIN] == kinds[END] and kinds[COUNTER] > 0
print("messages:", len(trace.packet), "processes:", sorted(processes.values()), "slices:", kinds[BEGIN])

try:
    from perfetto.trace_processor import TraceProcessor

    processor = TraceProcessor(trace=sys.argv[1])
except Exception as e:  # it is fetched from the network when first used
    print("no trace_processor:", type(e).__name__)
    sys.exit(0)


def ask(query):
    return [tuple(r.__dict__.values()) for r in processor.query(query)]


slices = next(iter(processor.query("select count(*) as n from slice where dur > 0"))).n
arrows = next(iter(processor.query("select count(*) as n from flow"))).n
lost = next(iter(processor.query("select sum(value) as n from stats where severity in ('error', 'data_loss')"))).n
print("trace_processor: slices", slices, "arrows", arrows, "errors", lost)
assert slices > 0 and arrows > 0 and not lost
