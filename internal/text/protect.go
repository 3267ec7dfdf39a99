package text

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// protect rewrites characters whose meaning NFKC would change: NFKC turns 10⁵ into 105, 10₂ into 102 and 2½
// into 21/2. NFKC also turns other signs into digits, such as circled digits. protect separates these from the
// digits next to them.
func protect(pieces []piece) []piece {
	if !slices.ContainsFunc(pieces, func(p piece) bool { return p.r >= 0x80 && unicode.Is(unicode.No, p.r) }) {
		return pieces
	}
	out := make([]piece, 0, len(pieces)+16)
	write := func(s string, p piece) {
		for _, r := range s {
			out = append(out, piece{r, p.from, p.to})
		}
	}
	for i := 0; i < len(pieces); i++ {
		p := pieces[i]
		afterDigit := i > 0 && unicode.Is(unicode.Nd, pieces[i-1].r)
		if fraction := vulgarFraction(p.r); fraction != "" {
			if afterDigit {
				write("+", p)
			}
			write("("+fraction+")", p)
			continue
		}
		if afterDigit {
			if open, run := script(pieces[i:]); len(run) > 0 {
				write(open, p)
				for j, c := range run {
					write(string(c), pieces[i+j])
				}
				i += len(run) - 1
				write(")", pieces[i])
				continue
			}
		}
		if !unicode.Is(unicode.No, p.r) || norm.NFKC.IsNormalString(string(p.r)) {
			out = append(out, p)
			continue
		}
		if i > 0 && unicode.IsNumber(pieces[i-1].r) && !strings.ContainsRune(superscripts+subscripts, p.r) {
			write(" ", p)
		}
		out = append(out, p)
		if i+1 < len(pieces) && unicode.Is(unicode.Nd, pieces[i+1].r) {
			write(" ", p)
		}
	}
	return out
}

// The scripts, in the order of their plain forms.
const (
	superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"
	subscripts   = "₀₁₂₃₄₅₆₇₈₉₊₋"
	plainScript  = "0123456789+-"
)

// script reads the run of superscripts or subscripts at the beginning of pieces. run is empty if the characters
// have no digit.
func script(pieces []piece) (open, run string) {
	for _, s := range [][2]string{{"^(", superscripts}, {"_(", subscripts}} {
		var run []byte
		for _, p := range pieces {
			at := strings.IndexRune(s[1], p.r)
			if at < 0 {
				break
			}
			run = append(run, plainScript[utf8.RuneCountInString(s[1][:at])])
		}
		if bytes.ContainsAny(run, "0123456789") {
			return s[0], string(run)
		}
	}
	return "", ""
}

// vulgarFraction returns p/q for characters such as ½; "" for any other rune. NFKC writes them with the
// fraction slash.
func vulgarFraction(r rune) string {
	if r != '½' && r != '¼' && r != '¾' && (r < 0x2150 || r > 0x215E) && r != '↉' {
		return ""
	}
	var b []rune
	for _, c := range norm.NFKC.String(string(r)) {
		if c == '⁄' {
			c = '/'
		}
		b = append(b, c)
	}
	return string(b)
}
