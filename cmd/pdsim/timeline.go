package main

import (
	"pdsim/model/serving"
	"pdsim/validate/read"
	"pdsim/validate/write"
)

// timelineLog keeps the timelines of a job's requests.
type timelineLog struct {
	spool
	put func(*read.Request) error
}

// newTimelineLog returns a timeline with its header.
func newTimelineLog(scenario, protocol string) *timelineLog {
	l := &timelineLog{}
	var err error
	l.put, err = read.WriteTimeline(l, read.Header{Scenario: scenario, Protocol: protocol, Source: "pdsim " + version()})
	l.fail(err)
	return l
}

// add writes the line of a request that has ended. An error shows when the timeline is closed.
func (l *timelineLog) add(r *serving.Request) {
	if l.err != nil {
		return
	}
	q := write.Request(r)
	l.fail(l.put(&q))
}
