package scenarios

import (
	"os"
	"sync"

	"pdsim/model/catalogue"
	"pdsim/model/llm"
)

// builtinShapes are the models that come with pdsim, read once.
var builtinShapes = sync.OnceValue(func() map[string]*llm.Shape {
	shapes, err := llm.Builtin()
	if err != nil {
		panic("scenarios: the built-in models: " + err.Error())
	}
	return shapes
})

func modelNames() []string { return catalogue.Names(builtinShapes()) }

// checkModel finds the model's shape. Of a name and a config, the one set later counts.
func (a *assembly) checkModel() {
	m := &a.spec.Model
	name, config := m.Name != "", m.Config != ""
	switch {
	case !a.fine("model.name", "model.config"):
		return
	case name && config && a.given("model.config", "model.name") && a.given("model.name", "model.config"):
		a.refuse("model.config", "want either a name or a config")
		return
	case config && a.given("model.config", "model.name"):
		m.Name = ""
	case name:
		m.Config = ""
	default:
		a.refuse("model.name", "want a model, %s, or a config", oneOf(modelNames()))
		return
	}
	shape, err := m.shape()
	if err != nil {
		a.refuse("model.config", "%s", reason(err))
		return
	}
	a.shape = shape
}

// shape is the model's shape from the catalogue or from its config.json.
func (m *ModelSpec) shape() (*llm.Shape, error) {
	if s, ok := builtinShapes()[m.Name]; ok && m.Config == "" {
		own := *s // whoever asked may change it
		return &own, nil
	}
	f, err := os.Open(m.Config)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return llm.FromConfig(f, m.Config)
}
