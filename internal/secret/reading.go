package secret

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lazy"
)

const (
	// longestUnit is the maximum number of bytes of one character in any spelling.
	longestUnit = 40
	// longestGap is the maximum number of bytes between two characters of a secret.
	longestGap = 32
)

// reading is one possible meaning of a character in a text.
type reading struct {
	char rune
	size int  // bytes of the text
	raw  bool // char is a byte, possibly only a part of a character
}

// readings are the possible meanings of the beginning of a text.
type readings struct {
	found [24]reading
	n     int
	cut   bool // the text ends inside an escape
}

func (r *readings) add(char rune, size int) {
	if r.n < len(r.found) {
		r.found[r.n] = reading{char: char, size: size}
		r.n++
	}
}

// addByte adds a byte as the meaning of an escape.
func (r *readings) addByte(b byte, size int) {
	r.add(rune(b), size)
	if b >= utf8.RuneSelf && r.n < len(r.found) {
		r.found[r.n] = reading{char: rune(b), size: size, raw: true}
		r.n++
	}
}

// plainOnly marks the bytes that mean only themselves and do not begin an escape: letters, except u and U as in
// U+0041.
var plainOnly = func() (out [256]bool) {
	for b := range out {
		out[b] = isLetter(rune(b)) && b < utf8.RuneSelf && b|0x20 != 'u'
	}
	return out
}()

// unfinished matches the possible beginning of an escape at the end of a text.
var unfinished = lazy.Compile(`^(?:%(?:25)*2?[0-9A-Fa-f]?|\\+(?:[xuU]\{?[0-9A-Fa-f]{0,8}|[0-7]{1,2})?|` +
	`&(?:amp;)*(?:#[xX]?[0-9A-Fa-f]{0,10}|[A-Za-z]{0,24})|=[0-9A-Fa-f]?|` +
	`0[xXbBoO]?[0-9A-Fa-f]{0,8}|[01]{1,7}|[0-9A-Fa-f]{1,3}|` +
	`[uU]\+?[0-9A-Fa-f]{0,3}|<[^<>]*)$`)

// of sets the readings of the beginning of a non-empty text. bare allows numbers without the sign of an escape.
func (r *readings) of(text string, bare bool) {
	r.n, r.cut = 0, len(text) < longestUnit && (!utf8.FullRuneInString(text) || unfinished.MatchString(text))
	c := text[0]
	if c >= utf8.RuneSelf {
		r.wide(text)
		return
	}
	r.add(rune(c), 1)
	switch c {
	case '%':
		r.percent(text)
	case '\\':
		r.backslash(text)
	case '&':
		r.entity(text)
	case '=': // quoted-printable, RFC 2045
		if b, ok := hexByte(text[1:]); bare && ok {
			r.addByte(b, 3)
		}
	case 'u', 'U':
		if rest := strings.TrimPrefix(text[1:], "+"); bare {
			r.number(rest, 16, 4, 4, len(text)-len(rest))
		}
	}
	if bare && isHex(c) {
		r.bareNumber(text)
	}
}

// wide reads a character beyond ASCII, including those that look like an ASCII character.
func (r *readings) wide(text string) {
	char, size := utf8.DecodeRuneInString(text)
	switch {
	case char == utf8.RuneError && size == 1:
		r.addByte(text[0], 1)
	case 0xFF01 <= char && char <= 0xFF5E: // full width
		r.add(char-0xFEE0, size)
	case 0x2010 <= char && char <= 0x2015, char == 0x2212: // hyphens and dashes
		r.add('-', size)
	}
	if char != utf8.RuneError || size > 1 {
		r.add(char, size)
		r.found[r.n] = reading{char: rune(text[0]), size: 1, raw: true} // a part of it
		r.n++
	}
}

// percent reads %2D, also if it was encoded twice.
func (r *readings) percent(text string) {
	for i := 1; i < longestUnit; i += 2 {
		b, ok := hexByte(text[min(i, len(text)):])
		if !ok {
			return
		}
		if r.addByte(b, i+2); b != '%' {
			return
		}
	}
}

// backslash reads \-, \x2d, \u002d, \u{2d}, \U0000002d and \055, after any number of backslashes.
func (r *readings) backslash(text string) {
	n := 1
	for n < len(text) && n < 8 && text[n] == '\\' {
		r.add('\\', n+1)
		n++
	}
	if n == len(text) {
		return
	}
	c, rest := text[n], text[n+1:]
	switch {
	case c == 'x' || c == 'u' || c == 'U':
		if inner, ok := strings.CutPrefix(rest, "{"); ok {
			if digits, _, closed := strings.Cut(inner[:min(9, len(inner))], "}"); closed {
				r.number(digits, 16, len(digits), len(digits), n+2)
				if r.n > 0 && r.found[r.n-1].size == n+2+len(digits) {
					r.found[r.n-1].size++
				}
			}
			return
		}
		digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
		if b, ok := hexByte(rest); ok && c == 'x' {
			r.addByte(b, n+3)
		} else {
			r.number(rest, 16, digits, digits, n+1)
		}
	case '0' <= c && c <= '7':
		r.number(text[n:], 8, 1, 3, n)
	case strings.IndexByte("abefnrtv", c) >= 0: // a line break or another control
		r.add('\n', n+1)
	case !isLetter(rune(c)) && c < utf8.RuneSelf:
		r.add(rune(c), n+1)
	}
}

// entity reads &#45;, &#x2d; and &hyphen;, also if & was encoded again, and without the semicolon after digits.
func (r *readings) entity(text string) {
	n := 1
	for n < longestUnit && strings.HasPrefix(text[n:], "amp;") {
		n += len("amp;")
		r.add('&', n)
	}
	rest := text[n:min(len(text), n+28)]
	if digits, numeric := strings.CutPrefix(rest, "#"); numeric {
		base, before := 10, n+1
		if digits != "" && digits[0]|0x20 == 'x' {
			base, before, digits = 16, n+2, digits[1:]
		}
		zeros := len(digits) - len(strings.TrimLeft(digits, "0"))
		found := r.n
		r.number(digits[zeros:], base, 1, 7, before+zeros)
		for i := found; i < r.n; i++ { // each number of digits is a reading, and ; is part of it
			if at := r.found[i].size; at < len(text) && text[at] == ';' {
				r.found[i].size++
			}
		}
		return
	}
	name, _, closed := strings.Cut(rest, ";")
	if !closed || name == "" {
		return
	}
	if char := html.UnescapeString("&" + name + ";"); utf8.RuneCountInString(char) == 1 {
		var inner readings
		inner.of(char, false) // includes &hyphen;, which is not the ASCII hyphen
		for _, one := range inner.found[:inner.n] {
			if !one.raw {
				r.add(one.char, n+len(name)+1)
			}
		}
	}
}

// bareNumber reads 2d, 0x2d, 45, 055 and 00101101.
func (r *readings) bareNumber(text string) {
	if b, ok := hexByte(text); ok {
		r.addByte(b, 2)
	}
	if text[0] == '0' && len(text) > 1 {
		switch text[1] | 0x20 {
		case 'x':
			r.number(text[2:], 16, 2, 2, 2)
		case 'o':
			r.number(text[2:], 8, 2, 3, 2)
		case 'b':
			r.number(text[2:], 2, 7, 8, 2)
		}
	}
	r.number(text, 10, 2, 3, 0)
	r.number(text, 8, 3, 4, 0)
	r.number(text, 2, 8, 8, 0)
}

// number reads a character by its number in a base, with least to most digits, after a prefix of before bytes.
func (r *readings) number(text string, base, least, most, before int) {
	value := 0
	for n := 1; n <= most && n <= len(text); n++ {
		digit := digitOf(text[n-1])
		if value = value*base + digit; digit >= base || value > unicode.MaxRune {
			return
		}
		if n < least || before == 0 && base == 10 && n < len(text) && isDigit(text[n]) {
			continue // the number would be part of a longer one
		}
		if before == 0 && value >= utf8.RuneSelf {
			continue
		}
		r.add(rune(value), before+n)
		if value >= utf8.RuneSelf && value < 256 && r.n < len(r.found) {
			r.found[r.n] = reading{char: rune(value), size: before + n, raw: true}
			r.n++
		}
	}
}

// digitOf returns the value of a digit, up to 15; 16 for another byte.
func digitOf(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case isHex(c):
		return int(c|0x20) - 'a' + 10
	}
	return 16
}

// separates reports whether a reading may be between two characters of a secret: any sign except letters and
// digits, and, written as a number or an escape, also a blank or a line break.
func separates(r reading, first byte) bool {
	if r.size > 1 && (r.char < ' ' || isHex(first) || first|0x20 == 'u') {
		return strings.ContainsRune(" \t\n\r", r.char)
	}
	return !r.raw && !unicode.IsLetter(r.char) && !unicode.IsDigit(r.char)
}

// tagLength returns the length of an HTML tag at the beginning of a text; 0 without one.
func tagLength(text string) int {
	if text[0] != '<' {
		return 0
	}
	end := strings.IndexByte(text[:min(len(text), longestGap)], '>')
	return end + 1
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// hexByte returns the byte that the first two hex digits of a text mean.
func hexByte(text string) (byte, bool) {
	if len(text) < 2 || !isHex(text[0]) || !isHex(text[1]) {
		return 0, false
	}
	return byte(digitOf(text[0])<<4 | digitOf(text[1])), true
}
