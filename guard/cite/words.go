package cite

import (
	"cmp"
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
)

// enoughOverlap is the share of a claim's content words that must occur in its sources, so that the claim can
// count as supported (docs/method.md §8).
const enoughOverlap = 0.5

// overlap returns the share of content words that occur in at least one source, weighted by idf. Rare words
// have more weight. A word that is in no document has the least weight, because it is a word of the writer. ok
// is false if there are no words.
func (e *evidence) overlap(words []string, sources []*source) (share float64, ok bool) {
	total, found := 0.0, 0.0
	for _, t := range words {
		n := cmp.Or(e.frequency[t], len(e.order))
		weight := math.Log1p(float64(len(e.order)) / float64(1+n))
		total += weight
		if slices.ContainsFunc(sources, func(s *source) bool { return s.stems[t] }) {
			found += weight
		}
	}
	if total == 0 {
		return 0, false
	}
	return found / total, true
}

// content returns the stems of a claim's content words, each once. It leaves out stop words, and also numbers,
// because another check handles numbers.
func content(w words) []string {
	var out []string
	seen := map[string]bool{}
	for _, token := range w.tokens {
		t := stem(token)
		if seen[t] || len(token) == 1 || isStopWord(token) || hasDigit(token) || !text.StartsWord(token) {
			continue
		}
		seen[t] = true
		out = append(out, t)
	}
	return out
}

// stem removes the most common English endings. So a paraphrase matches although it uses another tense or
// number.
func stem(token string) string {
	if len(token) > 5 {
		for _, ending := range []string{"ing", "ies", "ied", "ed", "es"} {
			if cut, ok := strings.CutSuffix(token, ending); ok {
				return strings.TrimSuffix(cut, "e")
			}
		}
	}
	if len(token) > 3 && strings.HasSuffix(token, "s") && !strings.HasSuffix(token, "ss") {
		token = token[:len(token)-1]
	}
	if len(token) > 4 {
		token = strings.TrimRight(token, "ey")
	}
	return token
}

// escapeSequence matches terminal escape sequences for colours or links, because their digits are not values.
var escapeSequence = lazy.Compile("(?:\x1b\\[|\u009b)[0-?]*[ -/]*[@-~]|" +
	"\x1b\\][^\x07\x1b\n]*(?:\x07|\x1b\\\\)|\x1b[()][0-9A-Za-z]")

func dropEscapes(s string) string {
	if !strings.ContainsAny(s, "\x1b\u009b") {
		return s
	}
	return escapeSequence.ReplaceAllString(s, "")
}

var (
	linkTarget = lazy.Compile(`\]\([^()\s]*\)`)
	address    = lazy.Compile(`(?:https?://|www\.)[^\s)>\]]+`)
	note       = lazy.Compile(`\[\^?(?:\d+(?:\s*[,;–-]\s*\d+)*|[a-z])\]`) // [1] and [a] are not values
	listMark   = lazy.Compile(`^\s*(?:[-*+•>#]+\s+)*(?:\(?\d{1,3}[.)]\s+)?`)
	emphasis   = strings.NewReplacer("**", "", "__", "", "`", "", "\\(", "", "\\)", "", "\\%", "%", "\\$", "$", "*", " * ")
	formula    = lazy.Compile(`\$([^$\n]{1,80})\$(\D|$)`)
)

// prose removes link targets and emphasis from a text. If notes is false, it also removes notes such as [1].
// $330$ becomes 330; "$5 and $6" does not change.
func prose(s string, notes bool) string {
	s = address.ReplaceAllString(linkTarget.ReplaceAllString(s, "] "), " ")
	if !notes {
		s = note.ReplaceAllString(s, " ")
	}
	return formula.ReplaceAllString(emphasis.Replace(s), " $1 $2")
}

// words has the words and numbers of a text in a form for comparisons: in lower case, without diacritics and
// punctuation.
type words struct {
	tokens []string
	upper  []bool // for each: it begins with a capital
	joins  []bool // for each: only a space precedes it
	joined string // all tokens; one text contains another if and only if its joined contains the other's
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

// holds reports whether w contains all words of v, one directly after another.
func (w words) holds(v words) bool { return len(v.tokens) > 0 && strings.Contains(w.joined, v.joined) }

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

//go:embed words.tsv
var wordTable string

// tables has the lists of words.tsv.
type tables struct {
	class     map[[2]string]bool  // reports whether a class has a word
	aliases   map[string][]string // other forms of each name
	feasts    *strings.Replacer   // replaces feasts by their day and month
	constants []float64
}

var knowledge = sync.OnceValue(func() tables {
	t := tables{class: map[[2]string]bool{}, aliases: map[string][]string{}}
	var feasts []string // feasts and their dates, alternating
	for _, row := range text.Rows(wordTable, 2) {
		members := strings.Split(row[1], "|")
		if row[0] == "feast" {
			feasts = append(feasts, members...)
		}
		for _, m := range members {
			t.class[[2]string{row[0], m}] = true
			switch row[0] {
			case "alias":
				t.aliases[m] = append(t.aliases[m], members...)
			case "constant":
				f, _ := strconv.ParseFloat(m, 64) // a test checks all entries
				t.constants = append(t.constants, f)
			}
		}
	}
	t.feasts = strings.NewReplacer(feasts...)
	return t
})

// inClass reports whether words.tsv lists a word in a class.
func inClass(class, word string) bool { return knowledge().class[[2]string{class, word}] }

func isStopWord(token string) bool { return inClass("stop", token) || inClass("foreign", token) }
