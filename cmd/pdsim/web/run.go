package web

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"pdsim/protocols"
	"pdsim/scenarios"
	"pdsim/scenarios/explain"
)

// about is what there is to ask for.
type about struct {
	Version   string     `json:"version"`
	Scenarios []entry    `json:"scenarios"`
	Protocols []string   `json:"protocols"`
	Figures   []Figure   `json:"figures"`
	Keys      []keyEntry `json:"keys"`
}

type entry struct {
	Name        string            `json:"name"`
	Description string            `json:"description"`
	Values      map[string]string `json:"values"` // of all keys, before anything is changed
}

type keyEntry struct {
	Path    string `json:"path"`
	Meaning string `json:"meaning"`
	Unit    string `json:"unit"`
	Values  string `json:"values"`
}

func (s *server) about() *about {
	a := &about{Version: s.opt.Version, Figures: s.opt.Figures}
	for _, name := range scenarios.Builtin() {
		if sp, err := scenarios.Load(name, nil); err == nil {
			a.Scenarios = append(a.Scenarios, entry{name, sp.Description, values(sp)})
		}
	}
	for _, p := range protocols.All() {
		a.Protocols = append(a.Protocols, p.Name())
	}
	for _, k := range scenarios.Keys() {
		a.Keys = append(a.Keys, keyEntry{k.Path, k.Meaning, k.Unit, k.Values()})
	}
	return a
}

// answer is what came of a scenario.
type answer struct {
	Command  string            `json:"command"` // that prints the same
	Hash     string            `json:"hash"`
	TOML     string            `json:"toml"`
	Values   map[string]string `json:"values"` // of all keys, and of the costs that the page shows
	Results  []result          `json:"results"`
	Measured []measured        `json:"measured"`
}

// result is what came of one protocol.
type result struct {
	Protocol string            `json:"protocol"`
	Texts    []string          `json:"texts"` // the figures, as tables show them
	Result   *scenarios.Result `json:"result"`
	Path     *path             `json:"path"` // nil where nobody was answered
	Requests []int64           `json:"requests"`
}

// run answers for a scenario under its protocols.
func (s *server) run(ctx context.Context, a *ask) (*answer, error) {
	sp, err := a.spec()
	if err != nil {
		return nil, err
	}
	out := &answer{
		Command: command(a), Hash: sp.Hash(), TOML: string(sp.Encode()), Values: values(sp), Results: make([]result, len(sp.Run.Protocols)),
	}
	err = each(len(sp.Run.Protocols), func(i int) error {
		r, err := s.one(ctx, sp, sp.Run.Protocols[i], a.Request)
		if err == nil {
			out.Results[i] = *r
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	out.Measured, err = measurements(sp, "", out.Results)
	return out, err
}

// one plays one protocol.
func (s *server) one(ctx context.Context, sp *scenarios.Spec, protocol, request string) (*result, error) {
	rec := explain.NewRecording(sp, protocol)
	out := &result{Protocol: protocol}
	err := s.play(ctx, sp, protocol, rec.Options(), func(session *scenarios.Session, r *scenarios.Result) error {
		r.Set = append([]string{}, sp.Set...)
		out.Result = r
		for _, f := range s.opt.Figures {
			out.Texts = append(out.Texts, f.Text(r))
		}
		rec.Close(session, r)
		if rec.Requests() == 0 {
			return nil
		}
		found, err := pathOf(rec, request)
		if err == nil {
			out.Path = newPath(found)
		}
		return err
	})
	return out, err
}

// pathOf finds the path of a request, given as "mean", as a percentile such as "p99", or by its number.
func pathOf(rec *explain.Recording, request string) (*explain.Path, error) {
	if request == "" || request == "mean" {
		return rec.Mean()
	}
	id, err := requestOf(rec, request)
	if err != nil {
		return nil, err
	}
	return rec.Path(id)
}

// requestOf is the request that a percentile or a number names.
func requestOf(rec *explain.Recording, request string) (int64, error) {
	if text, ok := strings.CutPrefix(request, "p"); ok {
		if p, err := strconv.ParseFloat(text, 64); err == nil && p >= 0 && p <= 100 {
			return rec.At(p)
		}
	}
	id, err := strconv.ParseInt(request, 10, 64)
	if err != nil || !rec.Answered(id) {
		return 0, refuse(http.StatusUnprocessableEntity, "request %q: want mean, a percentile such as p99, or a request that was answered, %d to %d", request, rec.First(), rec.Last())
	}
	return id, nil
}
