package answer

import (
	"strings"
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
	text, _ := clean(raw)
	if parts := splitOutside(text, isSemicolon); len(parts) > 1 {
		last := len(parts) - 1
		parts[last] = cutLeadingAnd(strings.TrimSpace(parts[last]))
		return parts
	}
	for _, separates := range []separatorAt{isComma, isIdeographic, isSlash} {
		if parts := splitOutside(text, separates); len(parts) > 1 {
			return append(parts[:len(parts)-1], splitLast(parts[len(parts)-1])...)
		}
	}
	return splitLast(text)
}

// listLines returns the lines that are not blank.
func listLines(raw string) []string {
	var lines []string
	for _, line := range splitLines(strings.ToValidUTF8(raw, "\uFFFD")) {
		if text, _ := clean(line); text != "" {
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

// separatorAt returns the length of the separator at the start of s, 0 if there is
// none. previous is the byte before it.
type separatorAt func(s string, previous byte) int

func isSemicolon(s string, _ byte) int { return prefixLength(s, ";") }

// isComma passes over the comma of 1,234.
func isComma(s string, previous byte) int {
	if len(s) > 1 && isDigit(previous) && isDigit(s[1]) {
		return 0
	}
	return prefixLength(s, ",")
}

func isIdeographic(s string, _ byte) int { return max(prefixLength(s, "、"), prefixLength(s, "・")) }

// isSlash passes over the slash of a fraction.
func isSlash(s string, previous byte) int {
	if len(s) > 1 && isDigit(previous) && isDigit(s[1]) {
		return 0
	}
	return prefixLength(s, "/")
}

func prefixLength(s, prefix string) int {
	if strings.HasPrefix(s, prefix) {
		return len(prefix)
	}
	return 0
}

// splitOutside splits s at the separators outside brackets.
func splitOutside(s string, separates separatorAt) []string {
	pair := partners(s)
	var parts []string
	start, previous := 0, byte(' ')
	for i := 0; i < len(s); {
		if pair != nil && pair[i] > i {
			previous, i = s[pair[i]], pair[i]+1
			continue
		}
		if n := separates(s[i:], previous); n > 0 {
			parts = append(parts, s[start:i])
			start, previous = i+n, ' '
			i = start
			continue
		}
		previous = s[i]
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
	for _, word := range andWords() {
		if rest, ok := strings.CutPrefix(part, word+" "); ok && strings.TrimSpace(rest) != "" {
			return rest
		}
	}
	return part
}

// lastAnd finds the last word for "and" between two others.
func lastAnd(s string) (at, width int) {
	at = -1
	for _, word := range andWords() {
		if i := strings.LastIndex(s, " "+word+" "); i > at {
			at, width = i, len(word)+2
		}
	}
	if i := strings.LastIndex(s, "和"); i > at && i > 0 && i+len("和") < len(s) {
		at, width = i, len("和")
	}
	return at, width
}

func andWords() []string {
	return []string{"and", "&", "und", "y", "et", "e", "og", "и"}
}
