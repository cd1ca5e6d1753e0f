package calibrate

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"pdsim/validate/cases"
)

// mark begins the lines of an overlay that name the points that it was fitted to.
const mark = "# fitted to: "

// WriteOverlay writes the fitted values as a scenario's TOML to lay over others. Its comments say what they were fitted
// to; by says who made it.
func (r *Result) WriteOverlay(w io.Writer, by string) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "# Values fitted by %s, seed %d, holdout %s.\n", by, r.Seed, r.Holdout)
	fmt.Fprintf(out, "# They are not judged by these points, which pdsim validate --with shows as fitted:\n")
	for _, p := range r.To {
		fmt.Fprintf(out, "%s%q %q\n", mark, p.Case, p.Point)
	}
	costs := false
	for _, v := range r.Values {
		if !v.Determined {
			fmt.Fprintf(out, "# %s stays %s: the data does not determine it.\n", v.Path, v.Start)
		}
	}
	for _, v := range r.Values {
		if keysOf(v.Path) != nil || !v.Determined {
			continue
		}
		if !costs {
			fmt.Fprint(out, "\n[costs]\n")
			costs = true
		}
		text := fmt.Sprintf("%q", v.Fitted)
		fmt.Fprintf(out, "%s = %s # %s\n", v.Path, text, v.remark())
	}
	for _, table := range []string{"prefill", "decode"} {
		for _, v := range r.Values {
			for _, key := range keysOf(v.Path) {
				if name, ok := strings.CutPrefix(key, table+"."); ok && v.Determined {
					fmt.Fprintf(out, "\n[%s]\n%s = %s # %s\n", table, name, v.Fitted, v.remark())
				}
			}
		}
	}
	return out.Flush() // which repeats the first error of a write
}

// remark is what to know of a value.
func (v *Value) remark() string {
	text := "was " + v.Start
	if v.From != "" {
		text += ", nine of ten resamples from " + v.From + " to " + v.Until
	}
	return text
}

// MarkFitted marks the points that an overlay was fitted to, so that they are not judged, and says how many there were.
func MarkFitted(overlay []byte, list []*cases.Case) int {
	n := 0
	for line := range strings.Lines(string(overlay)) {
		rest, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), mark)
		var id PointID
		if !ok {
			continue
		}
		if _, err := fmt.Sscanf(rest, "%q %q", &id.Case, &id.Point); err != nil {
			continue
		}
		for _, c := range list {
			for i := range c.Points {
				if p := &c.Points[i]; c.Name == id.Case && p.Name == id.Point && !p.Fitted {
					p.Fitted = true
					n++
				}
			}
		}
	}
	return n
}
