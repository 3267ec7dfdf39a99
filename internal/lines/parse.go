package lines

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// parser reads JSON without spaces between tokens. Its methods return the index after what they read; -1 for text that
// is left to encoding/json.
type parser struct {
	text  []byte
	depth int
	known [sharedTexts]string // by their hash
}

// Texts of up to mostShared bytes are shared, if they are among the last of sharedTexts.
const (
	mostShared  = 32
	sharedTexts = 1024
)

// mostDepth bounds the nesting of values; encoding/json allows more.
const mostDepth = 200

// at returns the byte at an index; 0 at the end of the text.
func (p *parser) at(i int) byte {
	if i < len(p.text) {
		return p.text[i]
	}
	return 0
}

// follows reports whether a word begins at an index.
func (p *parser) follows(i int, word string) bool {
	return len(p.text)-i >= len(word) && string(p.text[i:i+len(word)]) == word
}

// plain has the bytes that are copied unchanged from a string: ASCII without control characters, quotation mark
// and backslash.
var plain = func() (is [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		is[c] = c != '"' && c != '\\'
	}
	return is
}()

// quoted finds the end of a string. inner is the text between its quotation marks. escaped reports whether this
// text has escapes.
func (p *parser) quoted(i int) (inner []byte, escaped bool, end int) {
	if p.at(i) != '"' {
		return nil, false, -1
	}
	from, ascii := i+1, true
	for i = from; i < len(p.text); i++ {
		c := p.text[i]
		switch {
		case plain[c]:
		case c == '"':
			inner = p.text[from:i]
			if !ascii && !utf8.Valid(inner) { // encoding/json replaces what is not UTF-8
				return nil, false, -1
			}
			return inner, escaped, i + 1
		case c == '\\':
			escaped = true
			i++
		case c < ' ':
			return nil, false, -1
		default:
			ascii = false
		}
	}
	return nil, false, -1
}

// string reads a string.
func (p *parser) string(i int) (string, int) {
	inner, escaped, end := p.quoted(i)
	switch {
	case end < 0:
		return "", -1
	case escaped:
		out, ok := unescaped(inner)
		if !ok {
			return "", -1
		}
		return string(out), end
	case len(inner) == 0:
		return "", end
	case len(inner) > mostShared:
		return string(inner), end
	}
	hash := uint32(2166136261) // FNV-1a
	for _, c := range inner {
		hash = (hash ^ uint32(c)) * 16777619
	}
	of := &p.known[(hash^hash>>16)%sharedTexts]
	if *of != string(inner) {
		*of = string(inner)
	}
	return *of, end
}

// unescaped replaces the escapes of a string. If two escapes form one character, ok is false, and encoding/json
// must decode the string.
func unescaped(inner []byte) (out []byte, ok bool) {
	out = make([]byte, 0, len(inner))
	for i := 0; i < len(inner); i++ {
		c := inner[i]
		if c != '\\' {
			out = append(out, c)
			continue
		}
		i++ // quoted makes sure that a byte follows
		switch c = inner[i]; c {
		case '"', '\\', '/':
			out = append(out, c)
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			if i+4 >= len(inner) {
				return nil, false
			}
			code, err := strconv.ParseUint(string(inner[i+1:i+5]), 16, 32)
			if err != nil || code >= 0xD800 && code < 0xE000 {
				return nil, false
			}
			out = utf8.AppendRune(out, rune(code))
			i += 4
		default:
			return nil, false
		}
	}
	return out, true
}

// validEscapes reports whether the escapes of a string are those of JSON.
func validEscapes(inner []byte) bool {
	for i := bytes.IndexByte(inner, '\\'); i >= 0; i = bytes.IndexByte(inner, '\\') {
		if inner = inner[i+1:]; inner[0] != 'u' { // quoted makes sure that a byte follows
			if !bytes.Contains([]byte(`"\/bfnrt`), inner[:1]) {
				return false
			}
			inner = inner[1:]
			continue
		}
		if len(inner) < 5 {
			return false
		}
		if _, err := strconv.ParseUint(string(inner[1:5]), 16, 32); err != nil {
			return false
		}
		inner = inner[5:]
	}
	return true
}

// key reads a key without escapes, in ASCII, and its colon.
func (p *parser) key(i int) (key []byte, end int) {
	if p.at(i) != '"' {
		return nil, -1
	}
	from := i + 1
	for i = from; plain[p.at(i)]; i++ {
	}
	if p.at(i) != '"' || p.at(i+1) != ':' {
		return nil, -1
	}
	return p.text[from:i], i + 2
}

// number finds the end of a number; whole is false for one with a fraction or an exponent.
func (p *parser) number(i int) (end int, whole bool) {
	if p.at(i) == '-' {
		i++
	}
	first := i
	if i = p.digits(i); i == first || p.text[first] == '0' && i > first+1 {
		return -1, false
	}
	whole = true
	if p.at(i) == '.' {
		whole = false
		from := i + 1
		if i = p.digits(from); i == from {
			return -1, false
		}
	}
	if c := p.at(i); c == 'e' || c == 'E' {
		whole = false
		if i++; p.at(i) == '+' || p.at(i) == '-' {
			i++
		}
		from := i
		if i = p.digits(from); i == from {
			return -1, false
		}
	}
	return i, whole
}

// digits returns the index after the digits at an index.
func (p *parser) digits(i int) int {
	for c := p.at(i); c >= '0' && c <= '9'; c = p.at(i) {
		i++
	}
	return i
}

// mostDigits is the number of digits that every int64 can have.
const mostDigits = 18

// int reads a whole number of at most mostDigits digits.
func (p *parser) int(i int) (n int64, end int) {
	end, whole := p.number(i)
	if end < 0 || !whole || end-i > mostDigits {
		return 0, -1
	}
	negative := p.text[i] == '-'
	if negative {
		i++
	}
	for _, c := range p.text[i:end] {
		n = 10*n + int64(c-'0')
	}
	if negative {
		n = -n
	}
	return n, end
}

// skip finds the end of a value.
func (p *parser) skip(i int) int {
	switch c := p.at(i); c {
	case '"':
		inner, escaped, end := p.quoted(i)
		if escaped && !validEscapes(inner) {
			return -1
		}
		return end
	case '{':
		return p.members(i, '}', func(i int) int {
			_, escaped, end := p.quoted(i)
			if end < 0 || escaped || p.at(end) != ':' {
				return -1
			}
			return p.skip(end + 1)
		})
	case '[':
		return p.members(i, ']', p.skip)
	case 't', 'f', 'n':
		for _, word := range []string{"true", "false", "null"} {
			if p.follows(i, word) {
				return i + len(word)
			}
		}
		return -1
	default:
		end, _ := p.number(i)
		return end
	}
}

// members reads the members of an object or an array, whose opening bracket is at an index.
func (p *parser) members(i int, closing byte, each func(i int) int) int {
	if p.depth++; p.depth > mostDepth {
		return -1
	}
	if i++; p.at(i) == closing {
		p.depth--
		return i + 1
	}
	for {
		if i = each(i); i < 0 {
			return -1
		}
		switch p.at(i) {
		case ',':
			i++
		case closing:
			p.depth--
			return i + 1
		default:
			return -1
		}
	}
}
