package scenarios

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
)

// longestWord is the longest text for which a nearest word is sought; nothing longer was meant to be one.
const longestWord = 80

// near is the candidate that was most likely meant by word, or "" when none is close.
func near(word string, candidates []string) string {
	if len(word) > longestWord {
		return ""
	}
	best, distance := "", max(2, len(word)/3)+1
	begun := 0
	for _, c := range candidates {
		if strings.EqualFold(c, word) {
			return c
		}
		if len(word) > 2 && strings.HasPrefix(c, word) { // the beginning of one word only
			if begun++; begun == 1 {
				best, distance = c, 0
			}
			continue
		}
		if d := levenshtein.ComputeDistance(word, c); d < distance {
			best, distance = c, d
		}
	}
	return best
}

// nearest is the end of a message about a word that is not known: what was probably meant, if anything.
func nearest(word string, candidates []string) string {
	if c := near(word, candidates); c != "" {
		return fmt.Sprintf("; did you mean %q?", c)
	}
	return ""
}

// nearestKey is the same for the full name of a key. A key's last part in the wrong table is recognized.
func nearestKey(path string) string {
	var all, same []string
	last := path[strings.LastIndexByte(path, '.')+1:]
	for _, k := range Keys() {
		all = append(all, k.Path)
		if _, name := k.split(); strings.EqualFold(name, last) {
			same = append(same, strconv.Quote(k.Path))
		}
	}
	guess := near(path, all)
	if len(same) > 0 && !strings.EqualFold(guess, path) {
		return "; did you mean " + strings.Join(same, " or ") + "?"
	}
	return nearest(path, all)
}
