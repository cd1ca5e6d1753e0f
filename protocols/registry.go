package protocols

import "pdsim/model/serving"

// registry lists the protocols in the order in which tables show them.
var registry = []Entry{
	{Pull{}, "decode reads the blocks after prefill has finished (vLLM NixlConnector)"},
	{Push{}, "prefill writes the blocks as soon as it has them and knows where to (vLLM NixlPushConnector)"},
	{PullReader{}, "pull whose reads are posted from a background thread (vLLM pull request 45211)"},
	{Colocated{}, "one engine does both; no KV moves"},
}

// Entry is a protocol with a line that says what it does.
type Entry struct {
	serving.Protocol
	Summary string
}

// All returns the protocols in the order in which tables show them.
func All() []Entry { return registry }

// Lookup returns the protocol of that name.
func Lookup(name string) (serving.Protocol, bool) {
	for _, e := range registry {
		if e.Name() == name {
			return e.Protocol, true
		}
	}
	return nil, false
}
