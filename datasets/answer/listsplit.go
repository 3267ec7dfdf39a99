package answer

import (
	"regexp"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
)

// splitList splits a list by the strongest separator that it has: line breaks and
// bullets, semicolons, commas, the marks 、 and ・, slashes. "And" separates only
// before the last element, and not where lines or semicolons do. Separators inside
// brackets do not count.
func splitList(raw string) []string {
	if lines := listLines(raw); len(lines) > 1 {
		return lines
	}
	if bulleted(raw) {
		return []string{raw}
	}
	text, bracketed := cutListBrackets(raw)
	if parts := splitOutside(text, isSemicolon); len(parts) > 1 {
		last := len(parts) - 1
		parts[last] = cutLeadingAnd(strings.TrimSpace(parts[last]))
		return parts
	}
	for _, separates := range []separatorAt{commasOf(text, bracketed), isIdeographic, isSlash} {
		if parts := splitOutside(text, separates); len(parts) > 1 {
			return append(parts[:len(parts)-1], splitLast(parts[len(parts)-1])...)
		}
	}
	return splitLast(text)
}

// cutListBrackets returns the cleaned text without the brackets around all of it, and
// whether there were any.
func cutListBrackets(raw string) (inner string, bracketed bool) {
	inner, _ = clean(raw)
	if pair := partners(inner, brackets); pair != nil && pair[0] == len(inner)-1 {
		inner, _ = clean(inner[1 : len(inner)-1])
		return inner, true
	}
	folded := text.Fold(raw)
	before, after, _ := strings.Cut(folded, inner)
	return inner, before != "" && after != "" && strings.Contains(brackets, before[len(before)-1:]+after[:1])
}

// listLines returns the lines that are not blank.
func listLines(raw string) []string {
	var lines []string
	for _, line := range text.Lines(strings.ToValidUTF8(raw, "\uFFFD")) {
		if s, _ := clean(line); s != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// bulleted reports whether the one line of raw is marked as an element.
func bulleted(raw string) bool {
	line := strings.TrimSpace(raw)
	return cutListMark(line) != line
}

// separatorAt returns the length of the separator that stands in s at an index, 0
// where there is none.
type separatorAt func(s string, at int) int

func isSemicolon(s string, at int) int { return prefixLength(s[at:], ";") }

func isIdeographic(s string, at int) int {
	return max(prefixLength(s[at:], "、"), prefixLength(s[at:], "・"))
}

// isSlash passes over the slash of a fraction.
func isSlash(s string, at int) int {
	if at > 0 && text.IsDigit(s[at-1]) && at+1 < len(s) && text.IsDigit(s[at+1]) {
		return 0
	}
	return prefixLength(s[at:], "/")
}

// figures is a run of digits and commas; groups is one that is a single number, its
// digits in groups of three or in the Indian way.
var (
	figures = regexp.MustCompile(`[0-9][0-9,]*[0-9]`)
	groups  = regexp.MustCompile(`^(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3})$`)
)

// commasOf finds the commas of text that separate. Those of 1,234 do not, but in a list
// in brackets that has no space behind any comma they do: [100,200,300] is three numbers.
func commasOf(text string, bracketed bool) separatorAt {
	grouping := map[int]bool{}
	if !bracketed || strings.Contains(text, ", ") {
		for _, run := range figures.FindAllStringIndex(text, -1) {
			if fraction := run[0] > 0 && text[run[0]-1] == '.'; fraction || !groups.MatchString(text[run[0]:run[1]]) {
				continue
			}
			for i := run[0]; i < run[1]; i++ {
				grouping[i] = text[i] == ','
			}
		}
	}
	return func(s string, at int) int {
		if grouping[at] {
			return 0
		}
		return prefixLength(s[at:], ",")
	}
}

func prefixLength(s, prefix string) int {
	if strings.HasPrefix(s, prefix) {
		return len(prefix)
	}
	return 0
}

// splitOutside splits s at the separators outside brackets.
func splitOutside(s string, separates separatorAt) []string {
	pair := partners(s, brackets)
	var parts []string
	start := 0
	for i := 0; i < len(s); {
		if pair != nil && pair[i] > i {
			i = pair[i] + 1
			continue
		}
		if n := separates(s, i); n > 0 {
			parts = append(parts, s[start:i])
			start = i + n
			i = start
			continue
		}
		i++
	}
	return append(parts, s[start:])
}

// splitLast splits the last part of a list at the last word for "and" in it.
func splitLast(part string) []string {
	part = cutLeadingAnd(strings.TrimSpace(part))
	at, width := lastAnd(part)
	if at < 0 {
		return []string{part}
	}
	return []string{part[:at], part[at+width:]}
}

// cutLeadingAnd drops the "and" after the comma of "A, B, and C".
func cutLeadingAnd(part string) string {
	for _, word := range vocabulary()["and"] {
		if rest, ok := strings.CutPrefix(part, word+" "); ok && strings.TrimSpace(rest) != "" {
			return rest
		}
	}
	return part
}

// lastAnd finds the last word for "and" between two others.
func lastAnd(s string) (at, width int) {
	at = -1
	for _, word := range vocabulary()["and"] {
		if i := strings.LastIndex(s, " "+word+" "); i > at {
			at, width = i, len(word)+2
		}
	}
	if i := strings.LastIndex(s, "和"); i > at && i > 0 && i+len("和") < len(s) {
		at, width = i, len("和")
	}
	return at, width
}
