package scenarios

// followVersion sets the switches that nobody has set as the software's release has them.
func (a *assembly) followVersion() {
	if !a.fine("software.version") {
		return
	}
	release := builtinCatalogue().Software[a.spec.Software.Version]
	if release == nil {
		return
	}
	unset := func(path string) bool {
		_, set := a.origins[path]
		return !set
	}
	if unset("software.load_after_launch") {
		a.spec.Software.LoadAfterLaunch = release.LoadAfterLaunch.Value
	}
	for _, role := range []string{"prefill", "decode"} {
		if unset(role + ".async_scheduling") {
			a.engine(role).AsyncScheduling = release.AsyncScheduling.Value
		}
	}
	if unset("network.kv_layout") {
		a.spec.Network.KVLayout = "split"
		if release.PackedKV.Value {
			a.spec.Network.KVLayout = "packed"
		}
	}
}
