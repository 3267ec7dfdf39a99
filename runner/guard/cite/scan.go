package cite

import (
	"math/big"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLiteral bounds the bytes of a number in figures.
const maxLiteral = 200

// scanner finds the numbers of a text.
type scanner struct {
	text  string
	units *units
	limit int // numbers, at most
}

// numbers lists the numbers of a prose text from which dates have been blanked.
func (u *units) numbers(text string, limit int) []number {
	s := scanner{text, u, limit}
	var out []number
	var spans []span
	keep := func(n number, at span) bool {
		out, spans = append(out, n), append(spans, at)
		return len(out) < limit
	}
	at := 0
	for _, m := range literal.FindAllStringSubmatchIndex(text, -1) {
		if m[0] < at {
			continue // within the unit or the name that the last one ended in
		}
		if !s.words(at, m[0], keep) {
			return out
		}
		end, more := s.figures(m, keep)
		if !more {
			return out
		}
		at = max(end, m[1])
	}
	s.words(at, len(text), keep)
	s.shareRanges(out, spans)
	return out
}

// figures reads one match of literal.
func (s scanner) figures(m []int, keep func(number, span) bool) (end int, more bool) {
	text := s.text
	if s.partOfName(m[0]) || m[1]-m[0] > maxLiteral {
		return nameEnd(text, m[1]), true
	}
	mantissa := text[m[2]:m[3]]
	power := group(text, m, 2)
	value, step, ok := readLiteral(mantissa, power, group(text, m, 3))
	if !ok {
		if strings.Contains(mantissa, ",") && !strings.ContainsAny(mantissa, ":'_") {
			return m[1], s.listed(mantissa, m, keep)
		}
		return m[1], keep(number{text: strings.TrimLeft(mantissa, "0"), kind: opaque}, span{m[0], m[1]})
	}
	n := number{num: value, mantissa: value, step: step, hedge: hedgeBefore(text[:m[0]])}
	if power != "" {
		n.mantissa, _, _ = readLiteral(mantissa, "", "")
	}
	return s.finish(n, m[0], m[1], keep)
}

// listed reads 1990,1991 as two numbers.
func (s scanner) listed(mantissa string, m []int, keep func(number, span) bool) bool {
	for _, part := range strings.Split(mantissa, ",") {
		value, step, ok := readLiteral(part, "", "")
		if ok && !keep(settle(number{text: part, num: value, mantissa: value, step: step}), span{m[0], m[1]}) {
			return false
		}
	}
	return true
}

func group(text string, m []int, i int) string {
	if m[2*i] < 0 {
		return ""
	}
	return text[m[2*i]:m[2*i+1]]
}

// finish reads what follows the figures and keeps the number.
func (s scanner) finish(n number, start, end int, keep func(number, span) bool) (int, bool) {
	text := s.text
	if w := ordinalEnding(text[end:]); w > 0 {
		n.ordinal = true
		end += w
	} else if scaled, after := scale(n, text, end, s.moneyBefore(start) != ""); after > end {
		n, end = scaled, after
	} else if isLetter(firstRune(text[end:])) && s.attachedUnit(text[end:]) == 0 && !strings.HasPrefix(text[end:], "pp") {
		return nameEnd(text, end), true // 3D, 747s
	}
	if negative(text, start) {
		n.num, n.mantissa = new(big.Rat).Neg(n.num), new(big.Rat).Neg(n.mantissa)
	}
	end = s.suffix(&n, start, end)
	n.text = strings.TrimSpace(text[start:end])
	n.counts = n.kind == bare && nounFollows(text[end:])
	return end, keep(settle(n), span{start, end})
}

// attachedUnit is the length of a unit written without a space, 0 for any other word.
func (s scanner) attachedUnit(rest string) int {
	w := letters(rest)
	if s.units.quantity(rest[:w]) != nil || s.units.currency("", rest[:w]) != nil {
		return w
	}
	return 0
}

// partOfName reports whether figures belong to a word before them: H2O, COVID-19, F-16.
func (s scanner) partOfName(start int) bool {
	text := s.text
	before, width := utf8.DecodeLastRuneInString(text[:start])
	if before == '-' || before == '_' {
		before, _ = utf8.DecodeLastRuneInString(text[:start-width])
		if isLetter(before) && !isPrefixWord(text[:start-width]) {
			return true
		}
		return false
	}
	return isLetter(before) && s.moneyBefore(start) == ""
}

// isPrefixWord knows what joins a year with a hyphen.
func isPrefixWord(before string) bool {
	from := len(before)
	for from > 0 && before[from-1] < utf8.RuneSelf && unicode.IsLetter(rune(before[from-1])) && len(before)-from < 12 {
		from--
	}
	switch strings.ToLower(before[from:]) {
	case "mid", "pre", "post", "early", "late", "since", "to", "from", "and", "in", "of", "about", "non", "sub", "over", "is", "was":
		return true
	}
	return false
}

// nameEnd is behind the rest of a word.
func nameEnd(text string, at int) int {
	for at < len(text) {
		r, width := utf8.DecodeRuneInString(text[at:])
		if !isLetter(r) && !unicode.IsDigit(r) {
			break
		}
		at += width
	}
	return at
}

// letters is the length of the letters that text begins with.
func letters(text string) int {
	for i, r := range text {
		if !isLetter(r) {
			return i
		}
	}
	return len(text)
}

// negative reports whether a minus sign stands before figures; the dash of a range and
// that of a list are none.
func negative(text string, start int) bool {
	if before := strings.ToLower(text[max(0, start-9):start]); strings.HasSuffix(before, "minus ") || strings.HasSuffix(before, "negative ") {
		return true
	}
	if !strings.HasSuffix(text[:start], "-") {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:start-1])
	return before == utf8.RuneError || unicode.IsSpace(before) || before == '(' || before == '$' || before == '='
}

func ordinalEnding(rest string) int {
	if len(rest) < 2 || len(rest) > 2 && isLetter(firstRune(rest[2:])) {
		return 0
	}
	switch strings.ToLower(rest[:2]) {
	case "st", "nd", "rd", "th":
		return 2
	}
	return 0
}
