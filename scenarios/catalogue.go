package scenarios

import (
	"sync"

	"pdsim/model/catalogue"
)

// builtinCatalogue is the catalogue that comes with pdsim, read once.
var builtinCatalogue = sync.OnceValue(func() *catalogue.Catalogue {
	c, err := catalogue.Builtin()
	if err != nil {
		panic("scenarios: the built-in catalogue: " + err.Error())
	}
	return c
})

func hardwareNames() []string { return catalogue.Names(builtinCatalogue().Instances) }
func backendNames() []string  { return catalogue.Names(builtinCatalogue().Backends) }
func softwareNames() []string { return catalogue.Names(builtinCatalogue().Software) }
