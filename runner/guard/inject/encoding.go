package inject

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Views that undo an encoding of the whole text or of a part of it.

const (
	decodeDepth      = 2
	decodeBudget     = 16 << 10 // bytes of decoded text kept in one scan
	printablePortion = 0.85
	minEncoded       = 20 // characters of base64, or hexadecimal digits, that are worth decoding
	minWrapped       = 4  // characters on a further line of base64
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

func isBase64(b byte) bool {
	return b|0x20 >= 'a' && b|0x20 <= 'z' || b >= '0' && b <= '9' || b == '+' || b == '/' || b == '-' || b == '_'
}

// nextBase64 returns the first run at or after from that may be base64 or base64url,
// over several lines too; start == end if there is none. It is written out, because every
// text is searched for one and hardly any holds it.
func nextBase64(text string, from int) (start, end int) {
	for start = from; start < len(text); start = end + 1 {
		if end = endBase64(text, start); end-start < minEncoded {
			continue
		}
		for next := end; ; end = next {
			line := next + len(text[next:]) - len(strings.TrimPrefix(strings.TrimPrefix(text[next:], "\r"), "\n"))
			if next = endBase64(text, line); line == end || next-line < minWrapped {
				return start, end
			}
		}
	}
	return len(text), len(text)
}

func endBase64(text string, at int) int {
	for at < len(text) && isBase64(text[at]) {
		at++
	}
	return at
}

// nextHex returns the first run at or after from of enough pairs of hexadecimal digits,
// each with an optional prefix 0x or \x and an optional separator after it.
func nextHex(text string, from int) (start, end int) {
	for start = from; start < len(text); start++ {
		if text[start] != '\\' && hexValue(text[start]) < 0 {
			continue
		}
		pairs := 0
		end = start
		for next := hexPairEnd(text, end); next > end; next = hexPairEnd(text, end) {
			end = next
			pairs++
		}
		if pairs >= minEncoded/2 {
			return start, end
		}
	}
	return len(text), len(text)
}

// hexPairEnd returns the end of the pair of digits at at, or at if there is none.
func hexPairEnd(text string, at int) int {
	digits := at
	if rest := text[at:]; strings.HasPrefix(rest, "0x") || strings.HasPrefix(rest, `\x`) {
		digits += 2
	}
	if digits+1 >= len(text) || hexValue(text[digits]) < 0 || hexValue(text[digits+1]) < 0 {
		return at
	}
	end := digits + 2
	if end < len(text) && (text[end] == ' ' || text[end] == ':' || text[end] == ',') {
		end++
	}
	return end
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

// decodeBase64 reads either alphabet on any number of lines; a last character that
// completes no byte is dropped.
func decodeBase64(run string) string {
	run = strings.NewReplacer("-", "+", "_", "/", "\r", "", "\n", "").Replace(run)
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

// unescapeBackslash resolves the escapes of JSON and of most languages' strings, \n
// \t \" \\ \/ \uXXXX \xXX, as a tool's output shows them that is JSON or source code.
// Half a surrogate pair becomes U+FFFD.
func unescapeBackslash(s string) string {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(s, `\`)
		if !found && out.Len() == 0 {
			return s
		}
		out.WriteString(before)
		if !found {
			return out.String()
		}
		text, size := `\`, 0
		if after != "" {
			switch after[0] {
			case 'n', 'r':
				text, size = "\n", 1
			case 't':
				text, size = "\t", 1
			case '"', '\'', '\\', '/':
				text, size = after[:1], 1
			case 'u', 'x':
				digits := map[byte]int{'u': 4, 'x': 2}[after[0]]
				code, err := strconv.ParseUint(after[1:min(len(after), 1+digits)], 16, 32)
				if err == nil && len(after) > digits {
					text, size = string(rune(code)), 1+digits
				}
			}
		}
		out.WriteString(text)
		s = after[size:]
	}
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

// reverse returns s backwards, byte by byte: what it is searched for is ASCII.
func reverse(s string) string {
	out := []byte(s)
	slices.Reverse(out)
	return string(out)
}
