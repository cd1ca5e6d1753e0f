package main

import (
	"fmt"
	"strings"

	"pdsim/scenarios"
)

// start starts the servers of a scenario. What they refuse, the scenario asks for: each key is as it should be, and still
// no such deployment can be.
func start(sp *scenarios.Spec, protocol string, opt scenarios.Options) (*scenarios.Session, error) {
	session, err := scenarios.NewSession(sp, protocol, opt)
	if err != nil {
		return nil, misuse("%s under %s: %s%s", sp.Name, protocol, err, settingsOf(sp))
	}
	return session, nil
}

// play plays a scenario's workload. A trace's file may have a mistake far down, which shows when it is reached.
func play(session *scenarios.Session, sp *scenarios.Spec) (*scenarios.Result, error) {
	r, err := session.Play(sp)
	if err != nil && sp.Workload.Kind == "trace" && strings.HasPrefix(err.Error(), sp.Workload.Trace+":") {
		return nil, misuse("%s", err)
	}
	return r, err
}

// settingsOf names the overrides of a scenario at the end of a message.
func settingsOf(sp *scenarios.Spec) string {
	if len(sp.Set) == 0 {
		return ""
	}
	return fmt.Sprintf(" (with %s)", strings.Join(sp.Set, ", "))
}
