package inject

import (
	"encoding/base64"
	"encoding/hex"
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

// decoded returns the norm form of every text found in an encoding, and of
// those found in an encoding within it.
func decoded(s *source) []reading {
	d := decoder{budget: decodeBudget}
	d.scan(s.raw, 1)
	return d.readings
}

type decoder struct {
	readings []reading
	budget   int
}

func (d *decoder) scan(text string, depth int) {
	for _, encoding := range [...]struct {
		next   func(text string, from int) (start, end int)
		decode func(string) string
	}{{nextBase64, decodeBase64}, {nextHex, decodeHex}} {
		for start, end := encoding.next(text, 0); start < end; start, end = encoding.next(text, end) {
			inner := encoding.decode(text[start:end])
			if !isText(inner) {
				continue
			}
			if d.budget -= len(inner); d.budget < 0 {
				return
			}
			d.readings = append(d.readings, newReading(inner))
			if depth < decodeDepth {
				d.scan(inner, depth+1)
			}
		}
	}
}

// base64Letters brings both alphabets and several lines to one.
var base64Letters = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("-", "+", "_", "/", "=", "", "\r", "", "\n", "")
})

// decodeBase64 reads either alphabet, with or without padding; a last character
// that completes no byte is dropped.
func decodeBase64(run string) string {
	run = base64Letters().Replace(run)
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
