package answer

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// protect rewrites the characters whose meaning NFKC would destroy: it turns 10⁵
// into 105, 10₂ into 102 and 2½ into 21/2. Superscripts after a digit become
// ^(n), subscripts _(n), vulgar fractions (p/q) or, after a digit, +(p/q). Other
// signs that NFKC turns into digits, such as circled ones, are kept apart from the digits beside
// them.
func protect(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 && unicode.Is(unicode.No, r) }) < 0 {
		return s
	}
	runes := []rune(s)
	var b strings.Builder
	b.Grow(len(s) + 16)
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		afterDigit := i > 0 && unicode.Is(unicode.Nd, runes[i-1])
		if p, q, ok := vulgarFraction(r); ok {
			if afterDigit {
				b.WriteByte('+')
			}
			b.WriteString("(" + p + "/" + q + ")")
			continue
		}
		if afterDigit {
			if n := writeScript(&b, runes[i:]); n > 0 {
				i += n - 1
				continue
			}
		}
		if unicode.Is(unicode.No, r) && !norm.NFKC.IsNormalString(string(r)) {
			if i > 0 && unicode.IsNumber(runes[i-1]) && !isScript(r) {
				b.WriteByte(' ')
			}
			b.WriteRune(r)
			if i+1 < len(runes) && unicode.Is(unicode.Nd, runes[i+1]) {
				b.WriteByte(' ')
			}
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// writeScript rewrites the run of superscripts or subscripts that starts runes and
// returns its length, 0 if there is none with a digit.
func writeScript(b *strings.Builder, runes []rune) int {
	for _, script := range []struct {
		open  string
		plain func(rune) (byte, bool)
	}{{"^(", superscript}, {"_(", subscript}} {
		run := make([]byte, 0, 8)
		for _, r := range runes {
			c, ok := script.plain(r)
			if !ok {
				break
			}
			run = append(run, c)
		}
		if strings.Trim(string(run), "+-") != "" {
			b.WriteString(script.open)
			b.Write(run)
			b.WriteByte(')')
			return len(run)
		}
	}
	return 0
}

func isScript(r rune) bool {
	_, up := superscript(r)
	_, down := subscript(r)
	return up || down
}

func superscript(r rune) (byte, bool) {
	switch {
	case r == '¹':
		return '1', true
	case r == '²':
		return '2', true
	case r == '³':
		return '3', true
	case r == '⁰', r >= '⁴' && r <= '⁹':
		return byte('0' + r - '⁰'), true
	case r == '⁺':
		return '+', true
	case r == '⁻':
		return '-', true
	}
	return 0, false
}

func subscript(r rune) (byte, bool) {
	switch {
	case r >= '₀' && r <= '₉':
		return byte('0' + r - '₀'), true
	case r == '₊':
		return '+', true
	case r == '₋':
		return '-', true
	}
	return 0, false
}

func vulgarFraction(r rune) (p, q string, ok bool) {
	switch r {
	case '½':
		return "1", "2", true
	case '¼':
		return "1", "4", true
	case '¾':
		return "3", "4", true
	case '⅓':
		return "1", "3", true
	case '⅔':
		return "2", "3", true
	case '⅕':
		return "1", "5", true
	case '⅖':
		return "2", "5", true
	case '⅗':
		return "3", "5", true
	case '⅘':
		return "4", "5", true
	case '⅙':
		return "1", "6", true
	case '⅚':
		return "5", "6", true
	case '⅐':
		return "1", "7", true
	case '⅛':
		return "1", "8", true
	case '⅜':
		return "3", "8", true
	case '⅝':
		return "5", "8", true
	case '⅞':
		return "7", "8", true
	case '⅑':
		return "1", "9", true
	case '⅒':
		return "1", "10", true
	case '↉':
		return "0", "3", true
	}
	return "", "", false
}

// bindGroups marks the spaces that can only separate groups of digits (no-break,
// figure and thin spaces) before they become plain ones.
func bindGroups(s string) string {
	if !strings.ContainsAny(s, "\u00A0\u2007\u2009\u202F") {
		return s
	}
	runes := []rune(s)
	for i := 1; i+1 < len(runes); i++ {
		switch runes[i] {
		case 0x00A0, 0x2007, 0x2009, 0x202F:
			if unicode.Is(unicode.Nd, runes[i-1]) && unicode.Is(unicode.Nd, runes[i+1]) {
				runes[i] = '_'
			}
		}
	}
	return string(runes)
}
