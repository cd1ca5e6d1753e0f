package scenarios

import (
	"fmt"
	"slices"
	"sync"
)

// Defaults returns the scenario in which nobody has set a key: one prefill and one decode engine on an AWS p5en instance
// each, with Qwen3-32B and vLLM's own defaults.
func Defaults() Spec {
	sp := defaults()
	sp.Run.Protocols = slices.Clone(sp.Run.Protocols)
	return sp
}

var defaults = sync.OnceValue(func() Spec {
	var sp Spec
	for _, k := range Keys() {
		raw, ok := tomlValue(k.Default)
		if !ok {
			panic(fmt.Sprintf("scenarios: the default of %s is not TOML: %s", k.Path, k.Default))
		}
		if want, _ := k.assign(k.field(&sp), raw); want != "" {
			panic(fmt.Sprintf("scenarios: the default of %s: %s, have %s", k.Path, want, k.Default))
		}
	}
	return sp
})
