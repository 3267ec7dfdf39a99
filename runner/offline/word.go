package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/internal/value"
)

// word is a token of a text.
type word struct {
	text.Span
	low     string // folded to lower case, without diacritics
	concept string // the family or stem of the word; "" for a word without content
	capital bool
	number  bool
}

// wordsOf divides a text into words.
func wordsOf(s string) []word {
	var out []word
	for _, t := range text.Tokens(s, text.DropMarks) {
		w := word{Span: t.Span, low: t.Folded}
		if n := len(out); n > 0 && w.Start < out[n-1].End { // one character can give two tokens, such as ½
			w.Start, w.End = out[n-1].End, max(w.End, out[n-1].End)
		}
		first, _ := utf8.DecodeRuneInString(t.Of(s))
		w.capital, w.number = unicode.IsUpper(first), unicode.IsDigit(first)
		initial := len(w.low) == 1 && w.End+1 < len(s) && s[w.End] == '.' // an initial has no content
		if text.StartsWord(w.low) && !initial && !words().stop[w.low] {
			w.concept = conceptOf(w.low)
		}
		out = append(out, w)
	}
	return out
}

// conceptOf returns the family of a word. If the word has no family, it returns its stem.
func conceptOf(low string) string {
	stem := english.Stem(low, true)
	if f, ok := words().families[stem]; ok {
		return f
	}
	return stem
}

// concepts lists the concepts of words, in order and without repeats.
func concepts(ws []word) []string {
	var out []string
	seen := map[string]bool{}
	for _, w := range ws {
		if w.concept != "" && !seen[w.concept] {
			seen[w.concept] = true
			out = append(out, w.concept)
		}
	}
	return out
}

// wordRange is a range of words: from is included, to is not.
type wordRange struct{ from, to int }

func (r wordRange) has(i int) bool { return i >= r.from && i < r.to }

func (r wordRange) of(s string, ws []word) string { return s[ws[r.from].Start:ws[r.to-1].End] }

// joiners are small words that occur inside names.
const joiners = " of the de la le du da di del van von der den ten y el al es "

// namesIn lists the capitalised names of a text. A single word at the beginning of a sentence is a name only if
// known returns true for it.
func namesIn(s string, ws []word, known func(name string) bool) []wordRange {
	var out []wordRange
	for i := 0; i < len(ws); i++ {
		if !ws[i].capital {
			continue
		}
		r := wordRange{i, nameEnd(s, ws, i)}
		first := i == 0 || strings.ContainsAny(s[ws[i-1].End:ws[i].Start], ".!?:\n")
		if r.to == i+1 && value.IsCalendarWord(ws[i].low) || ws[i].concept == "" && (first || r.to == i+1) || first &&
			(r.to == i+1 || ws[i+1].number) && !known(r.of(s, ws)) {
			continue // for example "The", "Which", "Built in 1204"
		}
		out = append(out, r)
		i = r.to - 1
	}
	return out
}

// nameEnd returns the end of the name that begins at word i. A name consists of words with capitals, short
// numbers, and small words between them.
func nameEnd(s string, ws []word, i int) int {
	end := i + 1
	for j := i + 1; j < len(ws) && joined(s, ws, j); j++ {
		switch {
		case ws[j].capital, ws[j].number && len(ws[j].low) <= 2:
			end = j + 1
		case !strings.Contains(joiners, " "+ws[j].low+" "):
			return end
		}
	}
	return end
}

// joined reports whether word j continues the previous word: after a space, a hyphen, or the full stop of an
// initial or abbreviation.
func joined(s string, ws []word, j int) bool {
	switch strings.Trim(s[ws[j-1].End:ws[j].Start], " ") {
	case "", "-":
		return true
	case ".":
		next, _ := utf8.DecodeRuneInString(s[ws[j].Start:])
		initial := len(ws[j-1].low) == 1 && ws[j].capital
		return (initial || ws[j].concept != "") && text.IsAbbreviation(s[:ws[j-1].End], next)
	}
	return false
}
