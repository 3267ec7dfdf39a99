package offline

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// maxQuestion bounds what is read of a user's message, in bytes.
const maxQuestion = 4 << 10

// question is a user's message, read.
type question struct {
	text   string // the asked sentence without politeness and formatting wishes
	root   *node
	format format
}

func readQuestion(message string) question {
	text := plain(message)
	var q question
	q.format, text = readFormat(text)
	var inner *ask
	q.text, inner = asked(text)
	p := &parser{format: &q.format, grammar: english()}
	q.root = p.question(q.text)
	q.root.attach(inner)
	return q
}

// plain cuts to size, unifies quotes and white space.
func plain(s string) string {
	if len(s) > maxQuestion {
		s = strings.ToValidUTF8(s[:maxQuestion], "")
	}
	s = strings.ToValidUTF8(s, " ")
	s = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "«", `"`, "»", `"`, "{}", "").Replace(s)
	return strings.Join(strings.FieldsFunc(s, unicode.IsSpace), " ")
}

// sentences splits a text at full stops, question and exclamation marks that are followed
// by a space and the start of a sentence; initials and usual abbreviations do not end one.
func sentences(text string) []string {
	var out []string
	start := 0
	for i := 0; i+2 < len(text); i++ {
		c := text[i]
		if c != '.' && c != '?' && c != '!' || text[i+1] != ' ' {
			continue
		}
		next := rune(text[i+2])
		starts := next >= 0x80 || unicode.IsUpper(next) || unicode.IsDigit(next) || next == '"' || next == '\'' || next == '('
		if !starts || c == '.' && abbreviation(text[start:i]) {
			continue
		}
		out = append(out, strings.TrimSpace(text[start:i+1]))
		start = i + 2
	}
	if rest := strings.TrimSpace(text[start:]); rest != "" {
		out = append(out, rest)
	}
	return out
}

func abbreviation(before string) bool {
	i := strings.LastIndexAny(before, " (")
	last := before[i+1:]
	if len(last) == 1 && last >= "A" && last <= "Z" {
		return true
	}
	switch strings.ToLower(last) {
	case "mr", "mrs", "ms", "dr", "st", "mt", "c", "ca", "no", "jr", "sr", "vs", "e.g", "i.e", "approx", "u.s", "fig", "vol", "op", "prof":
		return true
	default:
		return false
	}
}

// longestPair bounds the words of a clause that only names what is compared.
const longestPair = 12

// asked finds the clause that asks and strips it, with the ask that fills its hole where
// it points back to a clause before it ("that city", "its").
func asked(text string) (string, *ask) {
	all := clauses(text)
	if len(all) == 0 {
		return strip(text), nil
	}
	at := asking(all)
	q := strip(all[at])
	if at == 0 {
		return q, nil
	}
	before := all[at-1]
	if bare(q) { // "On what day exactly?" asks about the clause before
		return completed(q, strip(before)), nil
	}
	if told, ok := retell(q, before); ok {
		return told, nil
	}
	if told, inner := refer(q, before); told != q {
		return told, inner
	}
	if n := len(tokens(before)); n <= longestPair && (strings.Contains(before, " or ") || strings.Contains(all[at], " or ")) || len(namesIn(q)) == 0 && !strings.HasSuffix(before, ".") {
		return strip(before) + ": " + q, nil // "A or B: which is longer?", "A was built; how many years ago?"
	}
	return q, nil
}

// asking gives the last clause that asks: with a question word or mark, else the last that
// says something.
func asking(all []string) int {
	at, found := 0, false
	for i, s := range all {
		q := strip(s)
		w := tokens(q)
		asks := strings.HasSuffix(s, "?") || len(w) > 0 && (questionOpens(w[0].low) || preposition(w[0].low) && len(w) > 1 && questionOpens(w[1].low))
		switch {
		case asks:
			at, found = i, true
		case !found && len(content(s)) > 1:
			at = i
		}
	}
	return at
}

// bare says that a question has no content but its question words.
func bare(q string) bool {
	if pointers().bare.MatchString(q) {
		return true
	}
	for _, c := range content(q) {
		if c != "date" && c != "day" && c != "year" && c != "month" && classOf(c) == anything {
			return false
		}
	}
	return !pointers().pronoun.MatchString(q)
}

// someone sees an indefinite subject: "someone had become", "one flew again".
var someone = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(^|, )(?:someone|somebody|one) `)
})

// completed joins a bare question to the clause that says what it is about.
func completed(q, before string) string {
	before = strings.Trim(before, " .!?,")
	w := tokens(before)
	first := strings.ToLower(strings.Fields(q + " x")[0])
	switch {
	case len(w) > 0 && (auxiliaries()[first] || questionOpens(w[0].low)): // "I wonder whether A is B. Is it?"
		return before
	case someone().MatchString(before) && first == "who":
		return someone().ReplaceAllString(before, "${1}who ")
	case first == "which" || first == "who" || first == "what":
		for i := len(w) - 1; i >= 0; i-- {
			if end := indefinite(w, i); end > 0 && (first != "who" || classOf(w[end-1].low) == person) && classOf(w[end-1].low) != anything {
				return before[:w[i].start] + "which " + w[end-1].low + before[w[end-1].end:]
			}
		}
		if len(w) > 0 && (w[0].low == "the" || w[0].low == "a") && first != "who" {
			return before
		}
	}
	return q + " " + before
}
