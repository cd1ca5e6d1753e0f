package web

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"pdsim/scenarios"
)

// What a question may hold.
const (
	longestBody   = 64 << 10
	mostSettings  = 64
	longestText   = 200 // bytes of a setting
	mostProtocols = 8
	mostValues    = 12 // of a sweep
)

// ask is a question of the page.
type ask struct {
	Scenario  string   `json:"scenario"`  // a built-in one
	Set       []string `json:"set"`       // overrides, as for --set
	Protocols []string `json:"protocols"` // none: those of the scenario
	Request   string   `json:"request"`   // whose path or timeline: "mean", "p99" or a number; empty: mean
	Key       string   `json:"key"`       // of a sweep
	Values    []string `json:"values"`    // of a sweep
	From      int64    `json:"from_ns"`   // of a timeline, since the request was sent
	To        int64    `json:"to_ns"`     // 0: to the request's first token
	All       bool     `json:"all"`       // of a timeline: all requests in the window
}

// readAsk reads a question, strictly.
func readAsk(w http.ResponseWriter, r *http.Request) (*ask, error) {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return nil, refuse(http.StatusUnsupportedMediaType, "want application/json")
	}
	dec := json.NewDecoder(http.MaxBytesReader(w, r.Body, longestBody))
	dec.DisallowUnknownFields()
	var a ask
	err := dec.Decode(&a)
	if err == nil {
		if _, err = dec.Token(); errors.Is(err, io.EOF) {
			return &a, a.check()
		}
		if err == nil {
			err = errors.New("want one object")
		}
	}
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return nil, refuse(http.StatusRequestEntityTooLarge, "want at most %d bytes", longestBody)
	}
	return nil, refuse(http.StatusBadRequest, "%s", strings.TrimPrefix(err.Error(), "json: "))
}

func (a *ask) check() error {
	if !slices.Contains(scenarios.Builtin(), a.Scenario) {
		return refuse(http.StatusUnprocessableEntity, "want a built-in scenario: %s", strings.Join(scenarios.Builtin(), ", "))
	}
	if len(a.Set) > mostSettings || len(a.Protocols) > mostProtocols || len(a.Values) > mostValues {
		return refuse(http.StatusUnprocessableEntity, "want at most %d settings, %d protocols and %d values", mostSettings, mostProtocols, mostValues)
	}
	for _, text := range slices.Concat(a.Set, a.Protocols, a.Values, []string{a.Key, a.Request}) {
		if len(text) > longestText || !utf8.ValidString(text) || strings.ContainsFunc(text, func(c rune) bool { return !strconv.IsPrint(c) }) {
			return refuse(http.StatusUnprocessableEntity, "want settings of at most %d printable characters", longestText)
		}
	}
	for _, text := range append(slices.Clone(a.Set), a.Key) {
		if path, _, _ := strings.Cut(text, "="); namesFile(strings.TrimSpace(path)) {
			return refuse(http.StatusUnprocessableEntity, "%s: the page opens no files", strings.TrimSpace(path))
		}
	}
	return nil
}

// namesFile says whether a key's value is the name of a file.
func namesFile(path string) bool {
	return slices.ContainsFunc(scenarios.Keys(), func(k *scenarios.Key) bool {
		return k.Path == path && strings.Contains(k.Values(), "file name")
	})
}

// spec is the scenario with the settings laid over it and then more of them, if it is small enough to play at once.
func (a *ask) spec(more ...string) (*scenarios.Spec, error) {
	set := slices.Concat(a.Set, more)
	var layers []scenarios.Layer
	if len(a.Protocols) > 0 {
		names := strings.Join(a.Protocols, ",")
		layers = append(layers, scenarios.Option("--protocol "+names, "run.protocols", names))
	}
	sp, err := scenarios.Load(a.Scenario, set, layers...)
	if err != nil {
		return nil, refuse(http.StatusUnprocessableEntity, "%s", err)
	}
	return sp, affordable(sp)
}
