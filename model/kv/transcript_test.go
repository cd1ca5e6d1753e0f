package kv

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// scene is a pool with named requests, drawn as text.
type scene struct {
	pool     *Pool
	requests map[string]*request
	order    []string        // of requests, as admitted
	names    map[uint64]text // what each hash stands for
}

func TestTranscript(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var s scene
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string { return s.run(t, d) })
	})
}

func (s *scene) run(t *testing.T, d *datadriven.TestData) string {
	switch d.Cmd {
	case "pool":
		s.open(t, d)
	case "admit":
		return s.admit(t, d)
	case "grow":
		s.grow(t, d)
	case "publish":
		s.publish(t, d)
	case "release":
		s.release(t, d)
	case "runs":
		r := s.requests[d.CmdArgs[0].Key]
		return fmt.Sprintf("%d blocks, %d runs to a peer that ascends\n", len(r.blocks), Runs(r.blocks, span(1, len(r.blocks))))
	case "check":
		if err := s.pool.Check(); err != nil {
			return err.Error()
		}
		return "ok\n"
	default:
		d.Fatalf(t, "unknown directive %s", d.Cmd)
	}
	return s.draw()
}

func (s *scene) open(t *testing.T, d *datadriven.TestData) {
	var blocks int
	order := FreeToTail.String()
	d.ScanArgs(t, "blocks", &blocks)
	d.MaybeScanArgs(t, "order", &order)
	o, err := ParseFreeOrder(order)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	*s = scene{
		pool:     NewPoolOrder(blocks, 16, d.HasArg("caching"), o),
		requests: map[string]*request{},
		names:    map[uint64]text{},
	}
}

// admit is what a scheduler does: look up all but the last token's block, test, touch, allocate.
func (s *scene) admit(t *testing.T, d *datadriven.TestData) string {
	name := d.CmdArgs[0].Key
	var prompt string
	d.ScanArgs(t, "prompt", &prompt)
	r := &request{prompt: text(prompt)}
	r.blocks = s.pool.Lookup(nil, r.prompt, len(prompt)-1)
	hit := len(r.blocks)
	need := len(prompt) - hit
	if free := s.pool.FreeWithout(r.blocks); need > free {
		return fmt.Sprintf("waits: needs %d, %d free beside its %d cached\n", need, free, hit)
	}
	s.pool.Touch(r.blocks)
	r.blocks, _ = s.pool.Allocate(r.blocks, need)
	s.requests[name] = r
	s.order = append(s.order, name)
	return fmt.Sprintf("%d cached, %d new\n", hit, need) + s.draw()
}

func (s *scene) grow(t *testing.T, d *datadriven.TestData) {
	for _, arg := range d.CmdArgs {
		r := s.requests[arg.Key]
		var ok bool
		if r.blocks, ok = s.pool.Allocate(r.blocks, 1); !ok {
			d.Fatalf(t, "no block for %s", arg.Key)
		}
	}
}

func (s *scene) publish(t *testing.T, d *datadriven.TestData) {
	r := s.requests[d.CmdArgs[0].Key]
	for i := range r.prompt {
		s.names[r.prompt.BlockHash(i, 16)] = r.prompt[:i+1]
	}
	full := len(r.prompt)
	d.MaybeScanArgs(t, "to", &full)
	s.pool.Publish(r.blocks, r.prompt, 0, full)
}

func (s *scene) release(t *testing.T, d *datadriven.TestData) {
	for _, arg := range d.CmdArgs {
		s.pool.Release(s.requests[arg.Key].blocks)
		delete(s.requests, arg.Key)
	}
}

func (s *scene) draw() string {
	var out strings.Builder
	s.line(&out, "free", queue(s.pool))
	for _, name := range s.order {
		if r := s.requests[name]; r != nil {
			s.line(&out, name, r.blocks)
		}
	}
	return out.String()
}

// line writes blocks, each with the text that it can be found by.
func (s *scene) line(out *strings.Builder, name string, blocks []Block) {
	fmt.Fprintf(out, "%s:", name)
	for _, b := range blocks {
		fmt.Fprintf(out, " %d", b)
		if s.pool.names.has(b) {
			fmt.Fprintf(out, "=%s", s.names[s.pool.names.entries[b].hash])
		}
	}
	out.WriteByte('\n')
}
