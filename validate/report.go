package validate

import (
	"encoding/json"
	"io"
	"math"
	"strconv"

	"pdsim/validate/stats"
)

// Number is a figure; one that is not known is NaN, which JSON has as null.
type Number float64

// Known says whether there is a figure.
func (n Number) Known() bool { return !math.IsNaN(float64(n)) && !math.IsInf(float64(n), 0) }

// MarshalJSON writes the number with six significant digits at most, or null.
func (n Number) MarshalJSON() ([]byte, error) {
	if !n.Known() {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(n), 'g', 6, 64), nil
}

// UnmarshalJSON reads a number or null.
func (n *Number) UnmarshalJSON(text []byte) error {
	v := math.NaN()
	if string(text) != "null" {
		if err := json.Unmarshal(text, &v); err != nil {
			return err
		}
	}
	*n = Number(v)
	return nil
}

// Report is how pdsim did on a list of cases. Errors are in percent of what was measured and positive where the
// simulation gives more.
type Report struct {
	Version   int       `json:"version"` // of this form: 1
	Families  []Family  `json:"families"`
	Decisions Decisions `json:"decisions"`
	Cases     []Case    `json:"cases"`
}

// Family sums up one figure over the cases of a family. Points that parameters were fitted to are left out of all but
// Fitted and FittedAPE.
type Family struct {
	Name      string `json:"name"`
	Metric    string `json:"metric"`
	Points    int    `json:"points"`     // that are judged
	Fitted    int    `json:"fitted"`     // that parameters were fitted to
	MedianAPE Number `json:"median_ape"` // median of the absolute errors, percent
	P90APE    Number `json:"p90_ape"`    // their 90th percentile, percent
	WorstAPE  Number `json:"worst_ape"`  // the largest, percent
	Bias      Number `json:"bias"`       // median of the signed errors, percent
	Rank      Number `json:"rank"`       // Kendall's tau between measured and simulated
	FittedAPE Number `json:"fitted_ape"` // median of the absolute errors of the fitted points, percent
	BySizeAPE Number `json:"by_size_ape"`
	AloneAPE  Number `json:"alone_ape"` // median absolute errors of the simple predictors on the judged points, percent
}

// Decisions are how often measurement and simulation prefer the same variant, among those whose measured difference
// exceeds its noise. Those on points that parameters were fitted to are counted apart.
type Decisions struct {
	Right       int        `json:"right"`
	Total       int        `json:"total"`
	FittedRight int        `json:"fitted_right"`
	FittedTotal int        `json:"fitted_total"`
	List        []Decision `json:"list"`
}

// Decision is one of them.
type Decision struct {
	Case      string   `json:"case"`
	Family    string   `json:"family"`
	Name      string   `json:"name"`
	Metric    string   `json:"metric"`
	Points    []string `json:"points"`       // the first and the second variant
	Beyond    bool     `json:"beyond_noise"` // the measured difference exceeds its noise
	Right     bool     `json:"right"`        // both prefer the same, beyond the noise
	Fitted    bool     `json:"fitted"`       // parameters were fitted to one of the points
	Measured  Number   `json:"measured"`     // factor: the second over the first
	Simulated Number   `json:"simulated"`    // the same
}

// Case is one case with all its points.
type Case struct {
	Name    string  `json:"name"`
	Title   string  `json:"title"`
	Family  string  `json:"family"`
	Source  string  `json:"source"`
	Licence string  `json:"licence"`
	Note    string  `json:"note"`
	Points  []Point `json:"points"`
}

// Point is one run of a case.
type Point struct {
	Name          string         `json:"name"`
	Protocol      string         `json:"protocol"`
	Fitted        bool           `json:"fitted"`
	Repeats       int            `json:"repeats"` // measurements that a figure is the mean of
	Seeds         int            `json:"seeds"`   // simulations that a figure is the mean of
	Figures       []Figure       `json:"figures"`
	Distributions []Distribution `json:"distributions,omitempty"`
}

// Figure is one figure of a point. Its unit is in its name.
type Figure struct {
	Metric          string `json:"metric"`
	Judged          bool   `json:"judged"`           // it counts: nothing was fitted to it and the case judges it
	Fitted          bool   `json:"fitted"`           // parameters were fitted to it
	Measured        Number `json:"measured"`         // mean over repetitions
	Spread          Number `json:"spread"`           // standard deviation over repetitions
	Simulated       Number `json:"simulated"`        // mean over seeds
	SimulatedSpread Number `json:"simulated_spread"` // standard deviation over seeds
	Error           Number `json:"error"`            // signed, percent
	BySize          Number `json:"by_size"`          // what size over bandwidth predicts
	Alone           Number `json:"alone"`            // what one request alone predicts
}

// Distribution compares one quantity of all requests of a run with times for each request.
type Distribution struct {
	Metric    string     `json:"metric"`
	Measured  int        `json:"measured"`  // values
	Simulated int        `json:"simulated"` // values
	KS        Number     `json:"ks"`        // Kolmogorov-Smirnov distance, 0 to 1
	Quantiles []Quantile `json:"quantiles"`
	// Requests compares each request with its own simulation: the absolute differences, ms.
	Requests Differences `json:"requests"`
}

// Quantile is one quantile of a distribution.
type Quantile struct {
	Percent   Number `json:"percent"`
	Measured  Number `json:"measured"`
	Simulated Number `json:"simulated"`
	Error     Number `json:"error"` // signed, percent
}

// Differences are absolute differences in milliseconds.
type Differences struct {
	Median Number `json:"median_ms"`
	P90    Number `json:"p90_ms"`
	Worst  Number `json:"worst_ms"`
}

// WriteJSON writes the report.
func (r *Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	enc.SetEscapeHTML(false)
	return enc.Encode(r)
}

// number turns a figure that may be missing into a Number.
func (f Figures) number(name string) Number {
	if v, ok := f[name]; ok {
		return Number(v)
	}
	return Number(math.NaN())
}

// ape is the absolute error of a prediction in percent, NaN without one.
func ape(measured, predicted Number) float64 {
	return math.Abs(stats.Pair{Measured: float64(measured), Simulated: float64(predicted)}.Error())
}
