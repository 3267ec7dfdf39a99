package secret

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
)

// form is one encoding of a secret: for each of its characters the ways to write it. In
// ways of several characters, which are escapes and hex digits, case does not matter.
type form [][]string

// formsOf lists the encodings: the secret itself, any character of it percent-encoded (up to three times over),
// escaped as in JSON (twice over) or quoted; hex; and base64 in both alphabets.
func formsOf(secret string) []form {
	var spelled, hex form
	for i := range len(secret) {
		spelled = append(spelled, spellings(secret[i]))
		hex = append(hex, []string{fmt.Sprintf("%02x", secret[i])})
	}
	forms := []form{spelled, hex}
	for before := range 3 {
		forms = append(forms, inBase64(secret, before))
	}
	return forms
}

func spellings(c byte) []string {
	out := []string{string([]byte{c})}
	digits := []string{fmt.Sprintf("%02x", c)}
	if c == ' ' {
		out = append(out, "+")
		digits = append(digits, "2b")
	}
	if strings.IndexByte(`"\/'`, c) >= 0 {
		out = append(out, `\`+string(c))
	}
	for _, d := range digits {
		out = append(out, "%"+d, "%25"+d, "%2525"+d, `\u00`+d, `\\u00`+d)
	}
	return out
}

// inBase64 are the characters of the encoding that depend only on the secret, if it follows
// that many bytes, modulo 3, such as those of "Bearer ".
func inBase64(secret string, before int) form {
	text := base64.RawStdEncoding.EncodeToString([]byte("xx"[:before] + secret))
	first, last := (8*before+5)/6, 8*(before+len(secret))/6
	var out form
	for i := first; i < last; i++ {
		switch c := text[i]; c {
		case '+':
			out = append(out, append(spellings(c), "-"))
		case '/':
			out = append(out, append(spellings(c), "_"))
		default:
			out = append(out, []string{string(c)})
		}
	}
	return out
}

func (f form) longest() int {
	n := 0
	for _, ways := range f {
		n += len(slices.MaxFunc(ways, func(a, b string) int { return len(a) - len(b) }))
	}
	return n
}

// match gives the length of the longest spelling at the beginning of a text, or 0, and whether the text ends amid
// one. A % may be itself or begin an escape, so several readings are followed at once.
func (f form) match(text string) (n int, cut bool) {
	var these, others [8]int // of more readings there are only those of odd secrets
	ends, next := these[:1], others[:0]
	for _, ways := range f {
		next = next[:0]
		for _, at := range ends {
			for _, way := range ways {
				rest := text[at:]
				if len(rest) < len(way) {
					cut = cut || same(rest, way[:len(rest)], len(way))
				} else if end := at + len(way); same(rest[:len(way)], way, len(way)) && !slices.Contains(next, end) {
					next = append(next, end)
				}
			}
		}
		if ends, next = next, ends; len(ends) == 0 {
			return 0, cut
		}
	}
	return slices.Max(ends), cut
}

// same compares with a way, or its beginning, of so many characters.
func same(text, way string, length int) bool {
	return text == way || length > 1 && strings.EqualFold(text, way)
}
