package inject

import (
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

const (
	decodeDepth      = 2
	decodeBudget     = 16 << 10 // bytes of decoded text kept in one scan
	printablePortion = 0.85
)

// encodedRuns finds what may be base64 or base64url (over several lines too)
// and hexadecimal, of at least 20 characters.
var encodedRuns = sync.OnceValue(func() [2]*regexp.Regexp {
	return [2]*regexp.Regexp{
		regexp.MustCompile(`[A-Za-z0-9+/_-]{20,}(?:\r?\n[A-Za-z0-9+/_-]{4,})*={0,2}`),
		regexp.MustCompile(`(?:(?:0x|\\x)?[0-9A-Fa-f]{2}[ :,]?){10,}`),
	}
})

// decoded returns the norm form of every text found in an encoding, and of
// those found in an encoding within it.
func decoded(s source) []string {
	d := decoder{budget: decodeBudget}
	d.scan(s.raw, 1)
	return d.readings
}

type decoder struct {
	readings []string
	budget   int
}

func (d *decoder) scan(text string, depth int) {
	runs := encodedRuns()
	for kind, decode := range []func(string) string{decodeBase64, decodeHex} {
		for _, run := range runs[kind].FindAllString(text, -1) {
			inner := decode(run)
			if !isText(inner) {
				continue
			}
			if d.budget -= len(inner); d.budget < 0 {
				return
			}
			d.readings = append(d.readings, fold(inner))
			if depth < decodeDepth {
				d.scan(inner, depth+1)
			}
		}
	}
}

// decodeBase64 reads either alphabet, with or without padding; a last character
// that completes no byte is dropped.
func decodeBase64(run string) string {
	run = strings.NewReplacer("-", "+", "_", "/", "=", "", "\r", "", "\n", "").Replace(run)
	if len(run)%4 == 1 {
		run = run[:len(run)-1]
	}
	text, err := base64.RawStdEncoding.DecodeString(run)
	if err != nil {
		return ""
	}
	return string(text)
}

// decodeHex reads pairs of digits, with the usual prefixes and separators.
func decodeHex(run string) string {
	run = strings.NewReplacer("0x", "", `\x`, "", " ", "", ":", "", ",", "").Replace(run)
	text, err := hex.DecodeString(run[:len(run)/2*2])
	if err != nil {
		return ""
	}
	return string(text)
}

// isText reports whether enough of s is printable to be a text.
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
