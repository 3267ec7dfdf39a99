package answer

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// lastNumber returns the last number of a message as written, with its sign, its
// currency and its percent sign. Citations, list numbers, ordinals, and numbers
// that are part of a name, a time or a date do not count. A percentage comes
// before a plain number if preferPercent is set.
func lastNumber(lines []string, preferPercent bool) string {
	number, percentage := "", ""
	for _, line := range lines {
		s, _ := fold(dropCitations(line))
		s = cutListMark(s)
		if n, p := lastNumberIn(s); n != "" {
			number = n
			if p != "" {
				percentage = p
			}
		}
	}
	if preferPercent && percentage != "" {
		return percentage
	}
	return number
}

// cutListMark removes quote and list marks from the start of a line. A dash is one
// only before a space: otherwise it is the sign of a number.
func cutListMark(line string) string {
	s := strings.TrimLeft(line, " \t>#")
	for _, mark := range []string{"- ", "* ", "+ ", "• ", "– "} {
		if rest, ok := strings.CutPrefix(s, mark); ok {
			return rest
		}
	}
	return cutListNumber(s)
}

// lastNumberIn scans one folded line from left to right.
func lastNumberIn(s string) (number, percentage string) {
	for i := 0; i < len(s); {
		if !isDigit(s[i]) && !strings.HasPrefix(s[i:], ".") && s[i] != '(' {
			i = skipWord(s, i)
			continue
		}
		v, n, err := scanUnsigned(s[i:])
		end := i + n
		if n == 0 {
			i++
			continue
		}
		if err != nil || glued(s[end:]) {
			i = skipFigures(s, end)
			continue
		}
		var q amount
		rest := q.readMark(&v, s[end:])
		end = len(s) - len(rest)
		number = strings.TrimSpace(s[numberStart(s, i):end])
		if q.mark == percent {
			percentage = number
		}
		i = end
	}
	return number, percentage
}

// skipWord moves past a rune, or past a word with the digits that belong to it:
// corpus_1, covid-19, h2o.
func skipWord(s string, i int) int {
	r, size := utf8.DecodeRuneInString(s[i:])
	i += size
	if !isWord(r) && r != '_' || isUnspaced(r) {
		return i
	}
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		hyphen := (r == '-' || r == '.') && startsWord(s[i+size:])
		if !isWord(r) && r != '_' && !hyphen {
			break
		}
		i += size
	}
	return i
}

// glued reports whether a number goes on as something else: an ordinal, a time,
// a date, a name.
func glued(rest string) bool {
	if len(rest) > 1 && strings.IndexByte(":/-_.,", rest[0]) >= 0 && isDigit(rest[1]) {
		return true
	}
	word, _ := firstWord(rest)
	switch word {
	case "st", "nd", "rd", "th":
		return true
	}
	return strings.HasPrefix(rest, "_")
}

// skipFigures moves past the rest of something that is written in figures.
func skipFigures(s string, i int) int {
	for i < len(s) && (isDigit(s[i]) || strings.IndexByte(":/-_.,'^()", s[i]) >= 0 && i+1 < len(s) && isDigit(s[i+1])) {
		i++
	}
	return i
}

// numberStart moves back over sign, currency and relation in front of a number.
func numberStart(s string, i int) int {
	start := i
	for range 4 {
		r, size := utf8.DecodeLastRuneInString(s[:start])
		before, _ := utf8.DecodeLastRuneInString(s[:start-size])
		switch {
		case size == 0:
			return start
		case r == '-' && !isWord(before), isCurrencySign(r), strings.ContainsRune("~≈<>≤≥", r):
			start -= size
		case r == ' ' && strings.ContainsRune("~≈<>≤≥", before):
			start -= size
		default:
			return start
		}
	}
	return start
}

// maxDateWindow is the most words that a date in running text may have.
const maxDateWindow = 7

// lastDate returns the last date with at least a month, or else the last year
// from 1000 to 2999.
func lastDate(lines []string) string {
	full, year := "", ""
	for _, line := range lines {
		s, _ := fold(dropCitations(line))
		words := strings.Fields(s)
		for i := 0; i < len(words); {
			text, n, onlyYear := dateAt(words[i:])
			switch {
			case n == 0:
				i++
				continue
			case onlyYear:
				year = text
			default:
				full = text
			}
			i += n
		}
	}
	if full != "" {
		return full
	}
	return year
}

// dateAt reads the longest date at the start of words.
func dateAt(words []string) (text string, n int, onlyYear bool) {
	if slices.Contains([]string{"in", "on", "of", "the"}, words[0]) {
		return "", 0, false
	}
	for n := min(maxDateWindow, len(words)); n > 0; n-- {
		text := trimOuter(strings.Join(words[:n], " "))
		r, err := readDate(text)
		if err != nil || r.key.Confidence == Ambiguous && n > 1 {
			continue
		}
		_, body, _ := strings.Cut(r.key.Key, ":")
		if len(body) > len("1969") {
			return text, n, false
		}
		if n == 1 && len(text) == len("1969") && text >= "1000" && text < "3000" {
			return text, n, true
		}
	}
	return "", 0, false
}
