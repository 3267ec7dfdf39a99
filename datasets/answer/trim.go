package answer

import (
	"strings"
	"unicode/utf8"
)

// trimOuter removes punctuation, Markdown and mathematical wrappers around an
// answer, repeatedly and never inside: brackets go when they wrap everything or
// have no partner, so that "f(x)" keeps its own. One pass, linear in the length.
func trimOuter(s string) string {
	t := trimmer{s: s, partner: partners(s), dollars: strings.Count(s, "$"), end: len(s)}
	for t.wrapper() || t.left() || t.right() {
	}
	return s[t.start:t.end]
}

type trimmer struct {
	s          string
	partner    []int // index of a bracket's partner, -1 without; nil if s has no bracket
	dollars    int   // dollar signs between start and end
	start, end int
	stop       bool // the last character cut on the left was a full stop
}

func (t *trimmer) partnerOf(i int) int {
	if t.partner == nil {
		return -1
	}
	return t.partner[i]
}

// wrapper cuts one pair that encloses everything: brackets, \boxed{…}, \(…\), $…$.
func (t *trimmer) wrapper() bool {
	i, j := t.start, t.end-1
	if i >= j {
		return false
	}
	rest := t.s[i:t.end]
	switch {
	case strings.HasPrefix(rest, `\boxed{`) && t.partnerOf(i+len(`\boxed`)) == j:
		t.start, t.end = i+len(`\boxed{`), j
	case strings.HasPrefix(rest, `\(`) || strings.HasPrefix(rest, `\[`):
		if t.partnerOf(i+1) != j || j-1 <= i+1 || t.s[j-1] != '\\' {
			return false
		}
		t.start, t.end = i+2, j-1
	case t.partnerOf(i) == j:
		t.start, t.end = i+1, j
	case t.s[i] == '$' && t.s[j] == '$' && t.dollars%2 == 0:
		n := t.outerDollars()
		if n == 0 {
			return false
		}
		t.start, t.end = i+n, j+1-n
		t.dollars = 0
	default:
		return false
	}
	t.stop = false
	return true
}

// outerDollars tells $5$ from two prices: it returns how many dollar signs stand
// at each end, 0 if there are others or nothing lies between.
func (t *trimmer) outerDollars() int {
	n := t.dollars / 2
	inner := t.end - t.start - 2*n
	if n == 0 || inner <= 0 || strings.Contains(t.s[t.start+n:t.start+n+inner], "$") ||
		strings.Count(t.s[t.start:t.start+n], "$") != n {
		return 0
	}
	return n
}

func (t *trimmer) left() bool {
	if t.start >= t.end {
		return false
	}
	r, size := utf8.DecodeRuneInString(t.s[t.start:t.end])
	cut := false
	switch {
	case r == '.':
		// The point of ".5" is part of the number, that of "...5" is not.
		next := t.start + 1
		cut = t.stop || next >= t.end || !isDigit(t.s[next])
	case isOpening(r):
		p := t.partnerOf(t.start)
		cut = p < 0 || p >= t.end
	default:
		cut = r == ' ' || isClosing(r) || isOuter(r) || r == '¿' || r == '¡'
	}
	if cut {
		t.stop = r == '.'
		t.start += size
	}
	return cut
}

func (t *trimmer) right() bool {
	if t.start >= t.end {
		return false
	}
	r, size := utf8.DecodeLastRuneInString(t.s[t.start:t.end])
	cut := false
	switch {
	case isClosing(r):
		cut = t.partnerOf(t.end-1) < t.start
	default:
		cut = r == ' ' || r == '.' || isOpening(r) || isOuter(r)
	}
	if cut {
		t.end -= size
	}
	return cut
}

func isOpening(r rune) bool { return r == '(' || r == '[' || r == '{' }
func isClosing(r rune) bool { return r == ')' || r == ']' || r == '}' }

// isOuter lists what is cut at both ends, apart from full stops and brackets.
func isOuter(r rune) bool {
	switch r {
	case ',', ';', ':', '!', '?', '"', '\'', '*', '_', '`', '。', '、':
		return true
	}
	return false
}

// partners pairs the brackets of s by a stack. A closing bracket of the wrong
// kind pairs with nothing.
func partners(s string) []int {
	if !strings.ContainsAny(s, "([{)]}") {
		return nil
	}
	pair := make([]int, len(s))
	var open []int
	for i := range len(s) {
		pair[i] = -1
		switch c := s[i]; c {
		case '(', '[', '{':
			open = append(open, i)
		case ')', ']', '}':
			if n := len(open); n > 0 && matching(s[open[n-1]]) == c {
				pair[i], pair[open[n-1]] = open[n-1], i
				open = open[:n-1]
			}
		}
	}
	return pair
}

func matching(open byte) byte {
	switch open {
	case '(':
		return ')'
	case '[':
		return ']'
	}
	return '}'
}
