package inject

import (
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// This file has the views that undo an encoding of the whole text or of a part of it.

const (
	decodeDepth      = 2
	decodeBudget     = 16 << 10 // maximum bytes of decoded text in one scan
	printablePortion = 0.85
	minEncoded       = 20 // minimum characters of an encoded text
)

// encoding is a way to write any bytes as letters and digits.
type encoding struct {
	in    func(rune) bool // reports whether a character belongs to the encoding, or may be between its characters
	rule  *regexp.Regexp
	plain *strings.Replacer
	bytes func(string) ([]byte, error)
}

// encodings has the encodings that are looked for. They are base64 and base64url, also over several lines, and
// pairs of hexadecimal digits. A pair may have the prefix 0x or \x, and a separator after it.
var encodings = sync.OnceValue(func() []encoding {
	return []encoding{
		{func(r rune) bool { return r < utf8.RuneSelf && isAlnum(r) || strings.ContainsRune("+/-_\r\n", r) },
			regexp.MustCompile(`[\w+/-]{20,}(?:\r?\n[\w+/-]{4,})*`),
			strings.NewReplacer("-", "+", "_", "/", "\r", "", "\n", ""),
			func(run string) ([]byte, error) {
				if len(run)%4 == 1 {
					run = run[:len(run)-1] // the last character does not complete a byte
				}
				return base64.RawStdEncoding.DecodeString(run)
			}},
		{func(r rune) bool {
			return r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'f' || strings.ContainsRune(`x\ :,`, r)
		},
			regexp.MustCompile(`(?:(?:0x|\\x)?[0-9a-fA-F]{2}[ :,]?){10,}`),
			strings.NewReplacer("0x", "", `\x`, "", " ", "", ":", "", ",", ""),
			func(run string) ([]byte, error) { return hex.DecodeString(run[:len(run)/2*2]) }},
	}
})

// decoded returns the normal form of every encoded text in s. If a decoded text contains another encoded text,
// it returns that too.
func decoded(s *source) []reading {
	budget := decodeBudget
	return decode(s.raw, 1, &budget)
}

func decode(text string, depth int, budget *int) (readings []reading) {
	for _, e := range encodings() {
		for stretch := range strings.FieldsFuncSeq(text, func(r rune) bool { return !e.in(r) }) {
			if len(stretch) < minEncoded {
				continue
			}
			for _, run := range e.rule.FindAllString(stretch, -1) {
				inner, err := e.bytes(e.plain.Replace(run))
				if err != nil || !isText(string(inner)) {
					continue
				}
				if *budget -= len(inner); *budget < 0 {
					return readings
				}
				readings = append(readings, newReading(string(inner)))
				if depth < decodeDepth {
					readings = append(readings, decode(string(inner), depth+1, budget)...)
				}
			}
		}
	}
	return readings
}

// isText reports whether so many characters of s are printable that s is probably a text.
func isText(s string) bool {
	total, printable := 0, 0
	for _, r := range s {
		total++
		if r != utf8.RuneError && (unicode.IsPrint(r) || unicode.IsSpace(r) || isInvisible(r)) {
			printable++
		}
	}
	return total > 0 && float64(printable) >= printablePortion*float64(total)
}

var backslashes = compiled(`\\(?:["'/abfnrtv\\]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{3})`)

// unescapeBackslash resolves the escapes of JSON and of strings in most languages (\n \t \" \\ \/ \uXXXX \xXX).
// A tool's output contains such escapes if it is JSON or source code.
func unescapeBackslash(s string) string {
	return backslashes().ReplaceAllStringFunc(s, func(escape string) string {
		r, _, _, err := strconv.UnquoteChar(escape, 0)
		switch {
		case strings.ContainsRune(`"'/`, rune(escape[1])):
			return escape[1:]
		case err != nil:
			return escape
		case r == '\r':
			return "\n"
		}
		return string(r)
	})
}

var percents = compiled(`(?:%[0-9a-fA-F]{2})+`)

// unescapeURL decodes %XX and keeps all other text. If the text has such an escape, it also replaces + by a
// space. It decodes the text twice, because an escape may itself be escaped.
func unescapeURL(s string) string {
	clear := s
	for range 2 {
		if strings.Contains(clear, "%") {
			clear = percents().ReplaceAllStringFunc(clear, func(escapes string) string {
				text, _ := hex.DecodeString(strings.ReplaceAll(escapes, "%", "")) // cannot fail, because the form was checked
				return string(text)
			})
		}
	}
	if clear == s {
		return s
	}
	return strings.ReplaceAll(clear, "+", " ")
}

// rot13 rotates the Latin letters of lower-case text by half the alphabet.
func rot13(s string) string {
	out := []byte(s)
	for i, b := range out {
		if b >= 'a' && b <= 'z' {
			out[i] = 'a' + (b-'a'+13)%26
		}
	}
	return string(out)
}

// reverse returns s backwards, byte by byte, which is sufficient to search for ASCII phrases.
func reverse(s string) string {
	out := []byte(s)
	slices.Reverse(out)
	return string(out)
}
