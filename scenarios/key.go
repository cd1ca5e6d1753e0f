package scenarios

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Key is one setting of a scenario. All that is said about keys comes from their table: which there are, what they
// mean, which values they take, what they are when nobody sets them, the template of Init and the page in docs/.
type Key struct {
	Path    string // table and name, such as "decode.max_num_seqs"
	Meaning string // one line
	Unit    string // of a bare number; empty for words and for quantities that carry their unit
	Default string // in TOML
	rule    rule
	file    bool  // names a file, relative to the scenario's own
	index   []int // of the Spec's field
}

// Values says in words which values the key takes.
func (k *Key) Values() string { return k.rule.String() }

// split is the key's table and its name in it. The keys before the first table have none.
func (k *Key) split() (table, name string) {
	if table, name, ok := strings.Cut(k.Path, "."); ok {
		return table, name
	}
	return "", k.Path
}

// field is the key's place in a Spec.
func (k *Key) field(sp *Spec) reflect.Value { return reflect.ValueOf(sp).Elem().FieldByIndex(k.index) }

// section is a table of the file with a line about it.
type section struct{ name, about string }

// sections are the tables in the order in which a file is best read.
var sections = []section{
	{"", "the scenario itself"},
	{"model", "the language model"},
	{"prefill", "the engines that process prompts; all are equal"},
	{"decode", "the engines that generate tokens; all are equal"},
	{"network", "the transfer library, and how KV lies in memory"},
	{"software", "the serving software and what differs between its versions"},
	{"router", "the proxy in front of the engines"},
	{"workload", "what the client sends"},
	{"faults", "what goes wrong"},
	{"run", "how the scenario is run"},
}

// table is the keys in the order of the sections, with their fields found.
var table = sync.OnceValue(func() []*Key {
	var keys []*Key
	add := func(prefix string, ks []Key) {
		for _, k := range ks {
			k.Path = prefix + k.Path
			k.index = indexOf(k.Path)
			keys = append(keys, &k)
		}
	}
	add("", scenarioKeys)
	add("model.", modelKeys)
	add("prefill.", engineKeys)
	add("decode.", engineKeys)
	add("network.", networkKeys)
	add("software.", softwareKeys)
	add("router.", routerKeys)
	add("workload.", workloadKeys)
	add("faults.", faultKeys)
	add("run.", runKeys)
	return keys
})

// Keys returns the keys of a scenario, in the order of the template.
func Keys() []*Key { return table() }

var byPath = sync.OnceValue(func() map[string]*Key {
	m := map[string]*Key{}
	for _, k := range Keys() {
		m[k.Path] = k
	}
	return m
})

// lookup is the key of that full name, or nil.
func lookup(path string) *Key { return byPath()[path] }

// isSection says whether a table of that name exists.
func isSection(name string) bool {
	return name != "" && slices.ContainsFunc(sections, func(s section) bool { return s.name == name })
}

// indexOf finds the field of a Spec by the names that its tags give.
func indexOf(path string) []int {
	t := reflect.TypeFor[Spec]()
	var index []int
	for name := range strings.SplitSeq(path, ".") {
		f, ok := tagged(t, name)
		if !ok {
			panic(fmt.Sprintf("scenarios: the table of keys has %q, which Spec lacks", path))
		}
		index = append(index, f.Index...)
		t = f.Type
	}
	return index
}

func tagged(t reflect.Type, name string) (reflect.StructField, bool) {
	for f := range t.Fields() {
		if f.Tag.Get("toml") == name {
			return f, true
		}
	}
	return reflect.StructField{}, false
}
