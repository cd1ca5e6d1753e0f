package scenarios

import "strings"

// deepest is how deep the keys of a text may go, and its brackets. No key of a scenario is half as deep, and the decoder's
// time grows with the square of the depth.
const deepest = 16

// tooDeep returns the line at which a TOML text goes deeper than any scenario does, or 0.
func tooDeep(text string) (line int) {
	line = 1
	open, dots := 0, 0 // brackets and braces that are open; dots since the last part of a line began
	for i := 0; i < len(text); {
		n := 1
		switch text[i] {
		case '\n':
			line, dots = line+1, 0
		case '#':
			n = len(text) - i
			if end := strings.IndexByte(text[i:], '\n'); end >= 0 {
				n = end
			}
		case '"', '\'':
			n = quotedLen(text[i:])
			line += strings.Count(text[i:i+n], "\n")
		case '[', '{':
			open, dots = open+1, 0
		case ']', '}':
			open, dots = max(0, open-1), 0
		case '=', ',':
			dots = 0
		case '.':
			dots++
		}
		if open > deepest || dots >= deepest {
			return line
		}
		i += n
	}
	return 0
}

// quotedLen is the length of the quoted text that a text begins with, quotes included. One in single quotes has no escapes,
// and one that is not closed ends with its line, or with the text if three quotes open it.
func quotedLen(text string) int {
	quote := text[:1]
	long := strings.HasPrefix(text, strings.Repeat(quote, 3))
	shut, i := quote, 1
	if long {
		shut, i = strings.Repeat(quote, 3), 3
	}
	for ; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == `"`:
			i++
		case strings.HasPrefix(text[i:], shut):
			i += len(shut)
			for n := 0; long && n < 2 && strings.HasPrefix(text[i:], quote); n++ { // the last quotes are the text's own
				i++
			}
			return i
		case text[i] == '\n' && !long:
			return i
		}
	}
	return len(text)
}
