package trace

import (
	"bufio"
	"fmt"
	"strconv"

	"pdsim/sim"
)

// chrome writes Chrome's trace event format, an array of objects. Times are microseconds.
type chrome struct {
	out   *bufio.Writer
	begun bool
	where map[uint64]chromeTrack
}

// chromeTrack is a track's process and name.
type chromeTrack struct {
	pid  int
	name string
}

// emit writes one object. The buffered writer keeps the first error for Close.
func (c *chrome) emit(format string, args ...any) {
	before := ",\n"
	if !c.begun {
		c.begun, before = true, "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"
	}
	c.out.WriteString(before)
	fmt.Fprintf(c.out, format, args...)
}

// us is a time in microseconds, exactly.
func us(t sim.Time) string { return fmt.Sprintf("%d.%03d", t/1000, t%1000) }

func (c *chrome) process(pid int, name string) {
	c.emit(`{"ph":"M","name":"process_name","pid":%d,"args":{"name":%q}}`, pid, name)
	c.emit(`{"ph":"M","name":"process_sort_index","pid":%d,"args":{"sort_index":%d}}`, pid, pid)
}

func (c *chrome) track(uuid uint64, pid int, name string, counter bool) {
	if c.where == nil {
		c.where = map[uint64]chromeTrack{}
	}
	c.where[uuid] = chromeTrack{pid, name}
	if !counter {
		c.emit(`{"ph":"M","name":"thread_name","pid":%d,"tid":%d,"args":{"name":%q}}`, pid, uuid, name)
	}
}

func (c *chrome) args(s *slice) string {
	if s.request < 0 {
		return ""
	}
	return `,"args":{"request":` + strconv.FormatInt(s.request, 10) + `}`
}

func (c *chrome) slice(uuid uint64, s *slice) {
	pid := c.where[uuid].pid
	c.emit(`{"ph":"X","name":%q,"pid":%d,"tid":%d,"ts":%s,"dur":%s%s}`, s.name, pid, uuid, us(s.start), us(sim.Time(s.end.Sub(s.start))), c.args(s))
	c.arrows(pid, uuid, s)
}

func (c *chrome) instant(uuid uint64, s *slice) {
	pid := c.where[uuid].pid
	c.emit(`{"ph":"i","s":"t","name":%q,"pid":%d,"tid":%d,"ts":%s%s}`, s.name, pid, uuid, us(s.start), c.args(s))
	c.arrows(pid, uuid, s)
}

// arrows begin at the end of a slice and end at the start of another.
func (c *chrome) arrows(pid int, uuid uint64, s *slice) {
	for _, id := range s.flows.out {
		c.emit(`{"ph":"s","name":"release","cat":"release","id":%d,"pid":%d,"tid":%d,"ts":%s}`, id, pid, uuid, us(s.end))
	}
	for _, id := range s.flows.in {
		c.emit(`{"ph":"f","bp":"e","name":"release","cat":"release","id":%d,"pid":%d,"tid":%d,"ts":%s}`, id, pid, uuid, us(s.start))
	}
}

func (c *chrome) count(uuid uint64, at sim.Time, value int64) {
	t := c.where[uuid]
	c.emit(`{"ph":"C","name":%q,"pid":%d,"ts":%s,"args":{"value":%d}}`, t.name, t.pid, us(at), value)
}

func (c *chrome) end() {
	if !c.begun {
		c.out.WriteString("{\"traceEvents\":[")
	}
	c.out.WriteString("\n]}\n")
}
