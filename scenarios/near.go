package scenarios

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
)

// longestWord is the longest text for which a nearest word is sought; nothing longer was meant to be one.
const longestWord = 80

// Near is the candidate that was most likely meant by word, or "" when none is close.
func Near(word string, candidates []string) string {
	if len(word) > longestWord {
		return ""
	}
	most := (len(word) + 2) / 3 // a third of the word may be wrong, or two letters swapped
	if len(word) > 2 {
		most = max(most, 2)
	}
	best, distance := "", most+1
	for _, c := range candidates {
		if strings.EqualFold(c, word) {
			return c
		}
		if d := levenshtein.ComputeDistance(word, c); d < distance {
			best, distance = c, d
		}
	}
	if best != "" || len(word) < 3 {
		return best
	}
	for _, c := range candidates {
		if strings.HasPrefix(c, word) {
			if best != "" { // the beginning of more than one
				return ""
			}
			best = c
		}
	}
	return best
}

// nearest is the end of a message about a word that is not known: what was probably meant, if anything.
func nearest(word string, candidates []string) string {
	if c := Near(word, candidates); c != "" {
		return fmt.Sprintf("; did you mean %q?", c)
	}
	return ""
}

// nearestKey is the same for the full name of a key: its name in the table that was probably meant, or the same name in
// another table.
func nearestKey(path string) string {
	table, name, ok := strings.Cut(path, ".")
	if !ok {
		table, name = "", path
	}
	if t := Near(table, tables()); t != "" {
		table = t
	}
	var here, same []string
	for _, k := range Keys() {
		t, n := k.split()
		if t == table {
			here = append(here, n)
		}
		if strings.EqualFold(n, name) {
			same = append(same, strconv.Quote(k.Path))
		}
	}
	guess := Near(name, here)
	switch {
	case table == costsTable && path != table && !strings.HasPrefix(path, table+"."):
		guess = name
	case len(same) > 0 && !strings.EqualFold(guess, name):
		return "; did you mean " + strings.Join(same, " or ") + "?"
	case guess == "":
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", strings.TrimPrefix(table+"."+guess, "."))
}

// tables is the names of all tables.
func tables() []string {
	names := []string{costsTable}
	for _, s := range sections[1:] { // the first has no name
		names = append(names, s.name)
	}
	return names
}
