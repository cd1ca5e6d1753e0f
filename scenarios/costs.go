package scenarios

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"pdsim/model/catalogue"
)

// Cost is a value of the catalogue that a scenario replaces, to ask what if it were another: the path is the kind of
// entry and its key, such as "backend.post_read". It holds for whichever entry of that kind the scenario names.
type Cost struct{ Path, Value string }

const costsTable = "costs"

// takeCost puts one setting of the costs table in. It returns false when nothing below path is to be looked at.
func (a *assembly) takeCost(src *supply, path toml.Key, raw any) bool {
	_, isTable := raw.(map[string]any)
	switch {
	case len(path) == 1 && isTable:
		return true
	case len(path) == 2 && isTable:
		if _, err := catalogue.Blank(path[1]); err != nil {
			a.complain(origin{src, path}, Mistake{Want: err.Error()}, placeOfKey)
			return false
		}
		return true
	case len(path) != 3 || isTable:
		a.complain(origin{src, path}, Mistake{Key: path.String(), Want: `want a table of values, such as backend.post_read = "2.2us"`}, place)
		return false
	}
	a.setCost(origin{src, path}, path[1]+"."+path[2], fmt.Sprint(raw))
	return false
}

// setCost sets one cost, or notes what is wrong with it.
func (a *assembly) setCost(from origin, path, value string) {
	kind, key, ok := strings.Cut(path, ".")
	if !ok {
		a.complain(from, Mistake{Want: fmt.Sprintf("%q is a table; want a cost such as %q", costsTable+"."+path, "costs.backend.post_read")}, nil)
		return
	}
	entry, err := catalogue.Blank(kind)
	if err == nil {
		err = catalogue.Override(entry, key, value)
	}
	if err != nil {
		a.complain(from, Mistake{Key: costsTable + "." + path, Want: err.Error()}, place)
		return
	}
	a.spec.Costs = slices.DeleteFunc(slices.Clone(a.spec.Costs), func(c Cost) bool { return c.Path == path })
	a.spec.Costs = append(a.spec.Costs, Cost{path, value})
	slices.SortFunc(a.spec.Costs, func(x, y Cost) int { return strings.Compare(x.Path, y.Path) })
}

// override applies the costs of one kind to a copy of an entry.
func override[T any](sp *Spec, kind string, entry *T) (*T, error) {
	changed := *entry
	for _, c := range sp.Costs {
		if k, key, _ := strings.Cut(c.Path, "."); k == kind {
			if err := catalogue.Override(&changed, key, c.Value); err != nil {
				return nil, fmt.Errorf("%s.%s: %w", costsTable, c.Path, err)
			}
		}
	}
	return &changed, nil
}

// encodeCosts writes the costs that a scenario replaces, if any.
func (sp *Spec) encodeCosts(b *bytes.Buffer) {
	if len(sp.Costs) == 0 {
		return
	}
	fmt.Fprintf(b, "\n[%s]\n", costsTable)
	for _, c := range sp.Costs {
		fmt.Fprintf(b, "%s = %s\n", c.Path, quoted(c.Value))
	}
}
