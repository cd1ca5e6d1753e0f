package validate

import (
	"os"
	"testing"

	"pdsim/validate/cases"
)

func TestBuiltinCases(t *testing.T) {
	list, err := cases.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(list, Options{Seeds: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Families {
		t.Logf("%-10s %-22s %3d %3d  med %8.1f p90 %8.1f worst %8.1f bias %8.1f rank %5.2f  fit %6.1f size %6.1f alone %6.1f", f.Name, f.Metric, f.Points, f.Fitted, f.MedianAPE, f.P90APE, f.WorstAPE, f.Bias, f.Rank, f.FittedAPE, f.BySizeAPE, f.AloneAPE)
	}
	t.Logf("decisions %d of %d", r.Decisions.Right, r.Decisions.Total)
	for _, d := range r.Decisions.List {
		t.Logf("%-60s judged %v right %v measured %.3f simulated %.3f", d.Name, d.Judged, d.Right, d.Measured, d.Simulated)
	}
	if out := os.Getenv("REPORT"); out != "" {
		f, _ := os.Create(out)
		r.WriteJSON(f)
		f.Close()
	}
}
