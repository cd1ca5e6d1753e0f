package scenarios

import (
	"os"

	"pdsim/model/kv"
	"pdsim/protocols"
)

// check looks at what keys must be to each other. What a key may be by itself has been checked when it was set.
func (a *assembly) check() {
	a.followVersion()
	a.checkModel()
	for _, role := range []string{"prefill", "decode"} {
		a.checkEngine(role)
	}
	a.checkPairing()
	a.checkWorkload()
	lost := "faults.lost_notifications"
	if a.spec.Faults.LostNotifications > 0 && a.spec.Workload.Timeout == 0 && a.fine(lost, "workload.timeout") {
		a.refuse(a.latest(lost, "workload.timeout"), "want a workload.timeout beside lost notifications: who waits for one waits for ever")
	}
}

// engine is the spec of a role.
func (a *assembly) engine(role string) *EngineSpec {
	if role == "prefill" {
		return &a.spec.Prefill
	}
	return &a.spec.Decode
}

// checkEngine checks that an engine can run the model on its hardware.
func (a *assembly) checkEngine(role string) {
	e, tp := a.engine(role), role+".tp"
	if a.fine(tp, role+".hardware") {
		// A bench measures the share of one rank on one GPU, so that measured steps need no machine with room for all.
		oneRank := e.Compute == "measured" || e.Compute == "free"
		machine := builtinCatalogue().Instances[e.Hardware]
		if e.TP > machine.GPUs.Value && !oneRank {
			a.refuse(tp, "want at most the %d GPUs of %s", machine.GPUs.Value, e.Hardware)
		}
	}
	if a.shape != nil && a.fine(tp) {
		if err := a.shape.Validate(e.TP); err != nil {
			a.refuse(tp, "%s", err)
		}
	}
	table := role + ".compute_table"
	switch {
	case e.ComputeTable == "" || !a.fine(table, role+".compute"):
	case e.Compute != "measured":
		a.idle(table, role+".compute", e.Compute, "")
	case !isFile(e.ComputeTable):
		a.refuse(table, "want a file that exists")
	}
}

// checkPairing checks that every protocol can move blocks between the two kinds of engine.
func (a *assembly) checkPairing() {
	if a.shape == nil || !a.fine("prefill.tp", "decode.tp", "prefill.block_size", "decode.block_size", "run.protocols") {
		return
	}
	p, d := &a.spec.Prefill, &a.spec.Decode
	for _, name := range a.spec.Run.Protocols {
		protocol, _ := protocols.Lookup(name)
		pairing, err := kv.Pair(p.TP, d.TP, a.shape.KVHeads, a.shape.MLA(), protocol.Writes())
		if err != nil {
			a.refuse(a.latest("decode.tp", "prefill.tp"), "under %s: %s", name, err)
			return
		}
		if _, err := kv.MatchBlocks(pairing, p.BlockSize, d.BlockSize); err != nil {
			a.refuse(a.latest("decode.block_size", "prefill.block_size"), "under %s: %s", name, err)
			return
		}
	}
}

// isFile says whether there is a file of that name.
func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}
