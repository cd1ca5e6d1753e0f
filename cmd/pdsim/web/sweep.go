package web

import (
	"context"
	"net/http"

	"pdsim/scenarios"
)

// curve is results over the values of a key.
type curve struct {
	Key       string     `json:"key"`
	Protocols []string   `json:"protocols"`
	Points    []point    `json:"points"`
	Measured  []measured `json:"measured"`
}

// point is the results at one value.
type point struct {
	Value   string              `json:"value"`
	Results []*scenarios.Result `json:"results"`
}

// sweep plays a scenario at every value, each on servers of its own.
func (s *server) sweep(ctx context.Context, a *ask) (*curve, error) {
	if a.Key == "" || a.Key == "run.protocols" || len(a.Values) == 0 {
		return nil, refuse(http.StatusUnprocessableEntity, "want a key of a number or a word, and its values")
	}
	specs := make([]*scenarios.Spec, len(a.Values))
	out := &curve{Key: a.Key, Points: make([]point, len(a.Values))}
	for i, v := range a.Values {
		sp, err := a.spec(a.Key + "=" + v)
		if err != nil {
			return nil, err
		}
		specs[i] = sp
		out.Protocols = sp.Run.Protocols
		out.Points[i] = point{v, make([]*scenarios.Result, len(sp.Run.Protocols))}
	}
	n := len(out.Protocols)
	err := each(len(a.Values)*n, func(i int) error {
		return s.play(ctx, specs[i/n], out.Protocols[i%n], scenarios.Options{}, func(_ *scenarios.Session, r *scenarios.Result) error {
			out.Points[i/n].Results[i%n] = r
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	out.Measured, err = measurements(specs[0], a.Key, nil)
	return out, err
}
