package cite

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
)

// escapeSequence is what colours and links text on a terminal: its figures are no values.
var escapeSequence = regexp.MustCompile("(?:\x1b\\[|\u009b)[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b\n]*(?:\x07|\x1b\\\\)|\x1b[()][0-9A-Za-z]")

func dropEscapes(s string) string {
	if !strings.ContainsAny(s, "\x1b\u009b") {
		return s
	}
	return escapeSequence.ReplaceAllString(s, "")
}

var (
	linkTarget = regexp.MustCompile(`\]\([^()\s]*\)`)
	address    = regexp.MustCompile(`(?:https?://|www\.)[^\s)>\]]+`)
	note       = regexp.MustCompile(`\[\^?(?:\d+(?:\s*[,;–-]\s*\d+)*|[a-z])\]`) // [1] and [a] are no values
	listMark   = regexp.MustCompile(`^\s*(?:[-*+•>#]+\s+)*(?:\(?\d{1,3}[.)]\s+)?`)
	emphasis   = strings.NewReplacer("**", "", "__", "", "`", "", "\\(", "", "\\)", "", "\\%", "%", "\\$", "$", "*", " * ")
	formula    = regexp.MustCompile(`\$([^$\n]{1,80})\$(\D|$)`)
)

// prose leaves of a text what it states: no link targets or emphasis, and with notes false no
// notes either. $330$ is taken out of its signs, but "$5 and $6" are left alone.
func prose(s string, notes bool) string {
	s = address.ReplaceAllString(linkTarget.ReplaceAllString(s, "] "), " ")
	if !notes {
		s = note.ReplaceAllString(s, " ")
	}
	return formula.ReplaceAllString(emphasis.Replace(s), " $1 $2")
}

// words is a text as its words and numbers, in the form in which texts are compared: lower
// case, without diacritics and punctuation.
type words struct {
	tokens []string
	upper  []bool // whether they begin with a capital
	joins  []bool // whether only a space precedes them
	joined string // so that one text contains another where its joined form does
}

func fold(s string) words {
	tokens := text.Tokens(s, text.DropMarks)
	w := words{make([]string, len(tokens)), make([]bool, len(tokens)), make([]bool, len(tokens)), text.Joined(tokens)}
	end := 0
	for i, t := range tokens {
		w.tokens[i], w.upper[i] = t.Folded, unicode.IsUpper(firstRune(s[t.Start:]))
		between := strings.TrimLeft(s[min(end, t.Start):t.Start], " \n")
		w.joins[i] = i > 0 && (between == "" || strings.TrimSpace(between) == "." && len(w.tokens[i-1]) == 1)
		end = t.End
	}
	return w
}

// holds reports whether the words of v follow each other in w.
func (w words) holds(v words) bool {
	return len(v.tokens) > 0 && strings.Contains(w.joined, v.joined)
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// cut is the beginning of a text, without a torn character at its end.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
