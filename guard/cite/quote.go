package cite

import (
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/internal/value"
)

// The limits of quotations.
const (
	minQuote      = 4          // words; a shorter text in quotation marks is a title or a term
	minWideQuote  = 8          // characters, in scripts without spaces
	maxFuzzyQuote = 400        // bytes of a quotation that is compared letter by letter
	maxEffort     = 20_000_000 // comparisons of words and letters in one audit; after these, only verbatim matches count
	maxQuotes     = 200        // quotations in one claim
)

var (
	quotation = lazy.Compile(`(?:^|[^\p{L}\p{N}"])"([^"\n]+)"|“([^“”]+)”|„([^„“”]+)[“”]|` +
		`«([^«»]+)»|「([^「」]+)」|『([^『』]+)』`)
	omission = lazy.Compile(`\[?(?:\.\.\.|…)\]?`)
)

// quotations returns the texts that a claim has in quotation marks.
func quotations(s string) []string {
	var out []string
	for _, m := range quotation.FindAllStringSubmatch(s, maxQuotes) {
		out = append(out, strings.Join(m[1:], ""))
	}
	return out
}

// isQuotation reports whether a text in quotation marks is a quotation, and not a title or a term.
func isQuotation(w words) bool {
	limit := minQuote
	if len(w.tokens) > 0 && text.IsUnspaced(firstRune(w.tokens[0])) {
		limit = minWideQuote
	}
	return len(w.tokens) >= limit
}

// quoteParts divides a quotation at its omissions, and folds the parts.
func quoteParts(quote string) []words {
	var out []words
	for _, part := range omission.Split(quote, -1) {
		if w := fold(part); len(w.tokens) > 0 {
			out = append(out, w)
		}
	}
	return out
}

// spend uses n comparisons of the audit's budget, and reports whether the budget was sufficient.
func (a *audit) spend(n int) bool {
	a.effort -= n
	return a.effort >= 0
}

// holds reports whether a source contains a part of a quotation. The punctuation may differ. One letter in ten
// may also differ, but only in long words (docs/method.md §8).
func (a *audit) holds(s *source, part words) bool {
	if s.words.holds(part) || len(part.joined) > maxFuzzyQuote {
		return s.words.holds(part)
	}
	pattern, all := part.tokens, s.words.tokens
	allowed := utf8.RuneCountInString(part.joined) / 10
	for at := 0; at+len(pattern) <= len(all) && a.effort > 0; at++ {
		if a.misspelled(pattern, all[at:at+len(pattern)], allowed) {
			return true
		}
	}
	return false
}

// misspelled reports whether two sequences of words differ only in a few letters of long words. Any other
// difference changes the statement: an added or missing word, "now" for "not", or 480 for 450.
func (a *audit) misspelled(row, other []string, allowed int) bool {
	for i, word := range row {
		a.effort--
		if word == other[i] {
			continue
		}
		if !maySlip(word) || !maySlip(other[i]) || firstRune(word) != firstRune(other[i]) {
			return false
		}
		a.effort -= len(word) * len(other[i])
		n := edits(word, other[i])
		if allowed -= n; allowed < 0 || n > max(len(word), len(other[i]))/minSlip {
			return false
		}
	}
	return true
}

const (
	minSlip = 6  // letters of a word for each letter that may differ
	maxSlip = 60 // longest word that is compared by letters
)

// maySlip reports whether a word may be misspelled: it is long, not a number and not a negation.
func maySlip(token string) bool {
	n := utf8.RuneCountInString(token)
	return n >= minSlip && n <= maxSlip && !hasDigit(token) && !inClass("negation", token) && !value.IsNumberWord(token)
}
