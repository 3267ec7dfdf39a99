package inject

import (
	"strconv"
	"strings"
)

// unescapeBackslash resolves the escapes of JSON and of most languages' strings, \n
// \t \" \\ \/ \uXXXX \xXX, as a tool's output shows them that is JSON or source code.
func unescapeBackslash(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var out strings.Builder
	for {
		before, after, found := strings.Cut(s, `\`)
		out.WriteString(before)
		if !found {
			return out.String()
		}
		if after == "" {
			return out.String() + `\`
		}
		text, size := escaped(after)
		out.WriteString(text)
		s = after[size:]
	}
}

// escaped returns what the escape stands for and its length after the backslash.
func escaped(s string) (text string, size int) {
	switch s[0] {
	case 'n', 'r':
		return "\n", 1
	case 't':
		return "\t", 1
	case '"', '\'', '\\', '/':
		return s[:1], 1
	case 'u':
		return codeUnit(s, 4)
	case 'x':
		return codeUnit(s, 2)
	}
	return `\`, 0
}

// codeUnit reads the digits after the letter s[0]. Half a surrogate pair becomes U+FFFD.
func codeUnit(s string, digits int) (text string, size int) {
	if len(s) <= digits {
		return `\`, 0
	}
	code, err := strconv.ParseUint(s[1:1+digits], 16, 32)
	if err != nil {
		return `\`, 0
	}
	return string(rune(code)), 1 + digits
}
