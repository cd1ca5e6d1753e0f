// Package name says what was probably meant by a name that no catalogue has.
package name

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
)

// longest is the longest name, in bytes, for which near ones are sought; nothing longer was meant to be one.
const longest = 80

// Unknown is the error for a name of the given kind, such as "gpu", that is not among those known. It gives the
// nearest known names, or all of them when none is near.
func Unknown(kind, have string, known []string) error {
	if near := nearest(have, known); len(near) > 0 {
		return fmt.Errorf("unknown %s %q; did you mean %s?", kind, have, strings.Join(near, " or "))
	}
	if len(have) > longest {
		have = strings.ToValidUTF8(have[:longest], "") + "..."
	}
	return fmt.Errorf("unknown %s %q; known: %s", kind, have, strings.Join(known, ", "))
}

// nearest returns, quoted, the known names at the least edit distance from have, if a third of it is enough to get
// there, or else those that have begins.
func nearest(have string, known []string) []string {
	if len(have) > longest {
		return nil
	}
	have = strings.ToLower(have)
	least := max(2, len(have)/3)
	var near, begun []string
	for _, k := range known {
		d := levenshtein.ComputeDistance(have, strings.ToLower(k))
		if d < least {
			least, near = d, nil
		}
		if d == least {
			near = append(near, strconv.Quote(k))
		}
		if len(have) >= 2 && strings.HasPrefix(strings.ToLower(k), have) {
			begun = append(begun, strconv.Quote(k))
		}
	}
	if len(near) == 0 {
		near = begun
	}
	slices.Sort(near)
	return near
}
