// Package protocols holds the schedules by which a request's KV gets from a prefill to a decode engine, one file each.
//
// A protocol says who starts what, on which thread, and after what. What that costs is the business of package nixl
// and of the engine, in package serving, whose hooks ([serving.Protocol]) are the points of a request's life at which a
// connector gets to act. Read [Pull] first, beside its sequence diagram in docs/protocols/pull.md.
//
// A new protocol is a file here, a line in registry.go, and a page in docs/protocols.
package protocols
