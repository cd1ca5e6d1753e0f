package cases

import (
	"io/fs"
	"slices"

	"pdsim/validate/read"
)

// File is the name of the file that makes a folder a case.
const File = "case.toml"

// Case is one measured case.
type Case struct {
	Name string `toml:"-"` // of its folder

	Title    string   `toml:"title"`
	Family   string   `toml:"family"`
	Source   string   `toml:"source"`
	Licence  string   `toml:"licence"`
	Note     string   `toml:"note"`
	Scenario string   `toml:"scenario"`
	Protocol string   `toml:"protocol"`
	Set      []string `toml:"set"`
	Metrics  []string `toml:"metrics"`

	Points    []Point    `toml:"point"`
	Tables    []Table    `toml:"table"` // empty once loaded: their points are in Points
	Decisions []Decision `toml:"decision"`

	Folder fs.FS `toml:"-"` // where its data is
	OnDisk bool  `toml:"-"` // the scenario is a built-in name or a path as on a command line, not a file of the folder

	Reading read.Options `toml:"-"` // how its data is read
	Notes   read.Notes   `toml:"-"` // what was noticed in reading
}

// Point is one run of a case.
type Point struct {
	Name          string             `toml:"name"`
	Protocol      string             `toml:"protocol"` // filled in from the case when loaded
	Set           []string           `toml:"set"`      // the case's own first, when loaded
	Measured      map[string]float64 `toml:"measured"`
	Spread        map[string]float64 `toml:"spread"` // standard deviation over repetitions, where there were any
	Fitted        bool               `toml:"fitted"`
	FittedMetrics []string           `toml:"fitted_metrics"`
	Replay        string             `toml:"replay"` // file whose arrivals are played
	Format        string             `toml:"format"` // of that file: FormatTimeline or FormatEngine

	Repeats int `toml:"-"` // rows of a table that the figures are the mean of
}

// The formats of files that are replayed.
const (
	FormatTimeline = "timeline"   // pdsim's own timeline, or a trace of the decode rig
	FormatEngine   = "engine-run" // requests.jsonl of one vLLM engine
)

// Table makes a point of each row of a CSV file.
type Table struct {
	File     string            `toml:"file"`
	Name     string            `toml:"name"`
	Protocol string            `toml:"protocol"`
	Set      []string          `toml:"set"`
	Measured map[string]string `toml:"measured"` // figure by column
	Weight   string            `toml:"weight"`
	Fitted   string            `toml:"fitted"`
}

// Decision compares two points by a figure of which less is better.
type Decision struct {
	Name   string   `toml:"name"`
	Metric string   `toml:"metric"`
	Points []string `toml:"points"` // names of two
	Factor float64  `toml:"factor"` // first over second as it was published; 0: from the points' own figures
}

// Phases are the parts of a request's way that figures named "phase." are the means of, in milliseconds: from when to
// when, by the names of a timeline's times.
func Phases() []Phase {
	return []Phase{
		{"phase.before_post_ms", "arrival", "post_start"},
		{"phase.queue_ms", "arrival", "admitted"},
		{"phase.post_ms", "post_start", "post_end"},
		{"phase.kv_wait_ms", "post_start", "seen"},
		{"phase.after_seen_ms", "seen", "first_token"},
	}
}

// Phase is one part of a request's way.
type Phase struct {
	Name     string
	From, To string // names of a timeline's times
}

// IsFitted says whether parameters were fitted to one of the point's figures.
func (p *Point) IsFitted(metric string) bool {
	if p.Fitted {
		return true
	}
	return slices.Contains(p.FittedMetrics, metric)
}

// Judges says whether a figure counts.
func (c *Case) Judges(metric string) bool {
	if slices.Contains(c.Metrics, metric) {
		return true
	}
	return len(c.Metrics) == 0
}

// Point returns the point of that name that is not fitted, or else the fitted one, or nil.
func (c *Case) Point(name string) *Point {
	var found *Point
	for i := range c.Points {
		if p := &c.Points[i]; p.Name == name && (found == nil || found.Fitted && !p.Fitted) {
			found = p
		}
	}
	return found
}
