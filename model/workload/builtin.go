package workload

import (
	"compress/gzip"
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"
)

//go:embed data/*.gz
var builtinFiles embed.FS

// builtins are the traces that come with pdsim; data/PROVENANCE.md says where each is from.
var builtins = []struct {
	name, file string
	format     Format
}{
	{"azure-conversation-2023", "data/azure-conversation-2023.csv.gz", Azure},
	{"mooncake-conversation", "data/mooncake-conversation.jsonl.gz", Mooncake},
}

// Builtins returns the names of the traces that come with pdsim.
func Builtins() []string {
	var names []string
	for _, b := range builtins {
		names = append(names, b.name)
	}
	return names
}

// OpenBuiltin returns the text of a trace that comes with pdsim.
func OpenBuiltin(name string) (io.ReadCloser, error) {
	i := slices.Index(Builtins(), name)
	if i < 0 {
		return nil, fmt.Errorf("want a built-in trace (%s), have %q", strings.Join(Builtins(), ", "), name)
	}
	file, err := builtinFiles.Open(builtins[i].file)
	if err != nil {
		return nil, err
	}
	return gzip.NewReader(file) // an embedded file needs no closing
}

// NewBuiltin replays a trace that comes with pdsim.
func NewBuiltin(name string, o TraceOptions) (*Trace, error) {
	text, err := OpenBuiltin(name)
	if err != nil {
		return nil, err
	}
	return NewTrace(builtins[slices.Index(Builtins(), name)].format, name, text, o)
}
