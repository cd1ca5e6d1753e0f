package web

import (
	"regexp"
	"strings"
)

// command is the command line that prints what the page shows.
func command(a *ask) string {
	words := []string{"pdsim", "run", a.Scenario}
	if len(a.Protocols) > 0 {
		words = append(words, "--protocol", strings.Join(a.Protocols, ","))
	}
	for _, s := range a.Set {
		words = append(words, "--set", s)
	}
	for i, w := range words {
		words[i] = quoted(w)
	}
	return strings.Join(words, " ")
}

var plain = regexp.MustCompile(`^[A-Za-z0-9_=.,:/@%+-]+$`)

// quoted writes a word for a shell.
func quoted(word string) string {
	if plain.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
