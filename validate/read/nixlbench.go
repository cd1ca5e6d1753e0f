package read

import (
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// BenchRow is one row of a table that nixlbench printed.
type BenchRow struct {
	Line   int                // in the file, from 1
	Values map[string]float64 // by the names of NixlbenchColumns, and other columns under their own heads
	Config map[string]string  // what was printed before the table, by its command-line option, shared between rows
}

// NixlbenchColumns are the columns by their heads. Times are in microseconds. avg_lat_us is per descriptor; the post and
// then tx, which starts when the post has returned, make up a transfer.
var NixlbenchColumns = map[string]string{
	"Block Size (B)":         "block_bytes",
	"Batch Size":             "batch",
	"B/W (GB/Sec)":           "gb_s", // 10^9 bytes a second
	"B/W (MiB/Sec)":          "mib_s",
	"B/W (GiB/Sec)":          "gib_s",
	"Aggregate B/W (GB/Sec)": "aggregate_gb_s",
	"Network Util (%)":       "network_util_percent",
	"Avg Lat. (us)":          "avg_lat_us",
	"Avg Prep (us)":          "avg_prep_us",
	"P99 Prep (us)":          "p99_prep_us",
	"Avg Post (us)":          "avg_post_us",
	"P99 Post (us)":          "p99_post_us",
	"Avg Tx (us)":            "avg_tx_us",
	"P99 Tx (us)":            "p99_tx_us",
}

var (
	nixlbenchConfig = regexp.MustCompile(`\(--([a-z0-9_]+)=?[^()]*\)\s*: ?(.*)$`)
	wideGap         = regexp.MustCompile(`\s{2,}`)
)

// Nixlbench reads the tables in the output of nixlbench and passes over all other lines.
func Nixlbench(name string, r io.Reader, opt Options, to func(BenchRow) error) (*Notes, error) {
	s := newSource(name, opt)
	var columns []string
	config := map[string]string{}
	err := s.each(r, longestLog, func(raw []byte, number int) error {
		line := strings.TrimSpace(string(raw))
		switch m := nixlbenchConfig.FindStringSubmatch(line); {
		case m != nil:
			if columns != nil { // a further run begins
				columns, config = nil, map[string]string{}
			}
			config[m[1]] = strings.TrimSpace(m[2])
			return nil
		case strings.HasPrefix(line, "Block Size (B)"):
			columns = heads(line)
			s.columnsLack(columns)
			return nil
		case columns == nil || line == "" || line[0] < '0' || line[0] > '9':
			return nil
		}
		values, err := s.row(strings.Fields(line), columns)
		if err != nil {
			return err
		}
		return hand(&s, BenchRow{number, values, config}, to)
	})
	return s.notes, err
}

// heads cuts the head of a table, whose columns are at least two blanks apart.
func heads(line string) []string {
	columns := wideGap.Split(line, -1)
	for i, c := range columns {
		if known, ok := NixlbenchColumns[c]; ok {
			columns[i] = known
		}
	}
	return columns
}

// columnsLack counts the columns that newer versions print and this table does not have.
func (s *source) columnsLack(columns []string) {
	for _, want := range []string{"block_bytes", "batch", "gb_s", "avg_lat_us", "avg_prep_us", "p99_prep_us", "avg_post_us", "p99_post_us", "avg_tx_us", "p99_tx_us"} {
		if !slices.Contains(columns, want) {
			s.notes.lack(want, 1)
		}
	}
}

func (s *source) row(fields, columns []string) (map[string]float64, error) {
	if len(fields) != len(columns) {
		return nil, fmt.Errorf("want %d columns, have %d", len(columns), len(fields))
	}
	values := map[string]float64{}
	for i, f := range fields {
		v, err := strconv.ParseFloat(f, 64)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: want a number, have %q", columns[i], clip(f))
		case math.IsNaN(v) || math.IsInf(v, 0):
			s.notes.NonFinite++
		case v < 0:
			return nil, fmt.Errorf("%s: want 0 or more, have %q", columns[i], clip(f))
		default:
			values[columns[i]] = v
		}
	}
	if lat, ok := values["avg_lat_us"]; ok && lat == 0 {
		s.notes.ZeroDuration++
	}
	return values, nil
}
