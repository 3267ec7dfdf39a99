package inject

import (
	"slices"
	"strings"
)

// Views that undo a substitution over the whole text.

// rot13 rotates the Latin letters by half the alphabet.
func rot13(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return 'a' + (r-'a'+13)%26
		}
		return r
	}, s)
}

// reverse returns s backwards.
func reverse(s string) string {
	runes := []rune(s)
	slices.Reverse(runes)
	return string(runes)
}

// unescapeURL resolves %XX, leaving alone what is no escape, and reads + as a
// space where there was an escape. It repeats once, for escaped escapes.
func unescapeURL(s string) string {
	once := unescapePercent(s)
	if once == s {
		return s
	}
	return strings.ReplaceAll(unescapePercent(once), "+", " ")
}

func unescapePercent(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			high, low := hexValue(s[i+1]), hexValue(s[i+2])
			if high >= 0 && low >= 0 {
				out = append(out, byte(high<<4|low))
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return string(out)
}

// hexValue returns the value of a hexadecimal digit, or -1.
func hexValue(b byte) int {
	switch {
	case b >= '0' && b <= '9':
		return int(b - '0')
	case b|0x20 >= 'a' && b|0x20 <= 'f':
		return int(b|0x20-'a') + 10
	}
	return -1
}
