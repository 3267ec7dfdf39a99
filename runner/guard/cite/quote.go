package cite

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// The limits of quotations.
const (
	minQuote      = 4          // words; what is shorter is a title or a term
	minWideQuote  = 8          // characters, in scripts without spaces
	maxFuzzyQuote = 400        // bytes of a quotation that may differ in a letter or two
	fuzzyBudget   = 20_000_000 // comparisons of letters in one audit; then only verbatim counts
	maxQuotes     = 200        // in one claim
)

var (
	quotation = regexp.MustCompile(`(?:^|[^\p{L}\p{N}"])"([^"\n]+)"|“([^“”]+)”|„([^„“”]+)[“”]|«([^«»]+)»|「([^「」]+)」|『([^『』]+)』`)
	omission  = regexp.MustCompile(`\[?(?:\.\.\.|…)\]?`)
)

// quotations lists what a claim puts in quotation marks.
func quotations(text string) []string {
	var out []string
	for _, m := range quotation.FindAllStringSubmatch(text, maxQuotes) {
		out = append(out, strings.Join(m[1:], ""))
	}
	return out
}

// isQuotation tells a quotation from a title or a term.
func isQuotation(f folded) bool {
	limit := minQuote
	if len(f.tokens) > 0 && isUnspaced(firstRune(f.tokens[0])) {
		limit = minWideQuote
	}
	return len(f.tokens) >= limit
}

// quoteParts folds a quotation, cut at its omissions. Parts too short to be told from
// chance are left out if a longer one is there.
func quoteParts(text string) []folded {
	var all, long []folded
	for _, part := range omission.Split(text, -1) {
		f := fold(part)
		if len(f.tokens) > 0 {
			all = append(all, f)
		}
		if len(f.tokens) >= 2 {
			long = append(long, f)
		}
	}
	if len(long) > 0 {
		return long
	}
	return all
}

// quotes looks for quotations, within a budget of work for the whole audit.
type quotes struct{ budget int }

// found reports whether every part of a quotation stands in one of the sources, verbatim
// but for punctuation, or with a Levenshtein ratio of 0.9 or more.
func (q *quotes) found(parts []folded, sources []*source) bool {
	for _, part := range parts {
		if !slices.ContainsFunc(sources, func(s *source) bool { return q.holds(s, part) }) {
			return false
		}
	}
	return true
}

func (q *quotes) holds(s *source, part folded) bool {
	if s.folded.holds(part) {
		return true
	}
	pattern := strings.TrimSpace(part.joined)
	cells := len(pattern) * len(s.folded.joined)
	if len(pattern) > maxFuzzyQuote || cells > q.budget {
		return false
	}
	q.budget -= cells
	distance := nearest(pattern, s.folded.joined)
	return 10*distance <= utf8.RuneCountInString(pattern)
}

// nearest is the least number of edits between a pattern and any part of a text
// (Sellers 1980: the Levenshtein table whose first row is zero).
func nearest(pattern, text string) int {
	p := []rune(pattern)
	column := make([]int, len(p)+1)
	for i := range column {
		column[i] = i
	}
	best := len(p)
	for _, r := range text {
		diagonal := 0
		for i := 1; i <= len(p); i++ {
			cost := diagonal
			if p[i-1] != r {
				cost++
			}
			diagonal = column[i]
			column[i] = min(cost, column[i]+1, column[i-1]+1)
		}
		best = min(best, column[len(p)])
	}
	return best
}
