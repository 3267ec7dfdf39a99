package loose

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// document is a text that is read.
type document struct {
	text      string
	end       int            // of what is more than tokens of a template and fences
	lastBlock int            // where the last comment of the form /* … */ ends, or -1
	known     map[int]Object // objects that have been read, by their beginnings
}

// parser reads a value at a place of a text. Of a text that is no value it reads no more than up to the first
// character that does not fit.
type parser struct {
	document
	at   int
	open bool // the text ended before the value
}

func (p *parser) rest() string { return p.text[p.at:] }

// object reads an object from its opening brace.
func (p *parser) object(depth int) (o Object, ok bool) {
	if o, known := p.known[p.at]; known {
		p.at, p.open = o.End, o.Open
		return o, true
	}
	if depth > maxDepth {
		return o, false
	}
	o.Start = p.at
	p.at++
	for {
		name, end, ok := p.name()
		switch {
		case !ok:
			return o, false
		case end:
			o.End, o.Open = p.at, p.open
			p.known[o.Start] = o
			return o, true
		}
		value, ok := p.value(depth + 1)
		if !ok {
			return o, false
		}
		if o.Fields == nil {
			o.Fields = map[string]json.RawMessage{}
		}
		if _, again := o.Fields[name]; again {
			o.Twice = name
		}
		o.Fields[name] = value
		if !p.separated('}') {
			return o, false
		}
	}
}

// name reads the name of a field and its colon, or the end of the object.
func (p *parser) name() (name string, end, ok bool) {
	p.skip()
	if p.take('}') || p.ended() {
		return "", true, true
	}
	name, quoted := p.quoted()
	if !quoted {
		name = identifier.FindString(p.rest())
		p.at += len(name)
	}
	p.skip()
	if !quoted && name == "" || !p.take(':') && !p.take('：') {
		return "", false, false
	}
	return Name(name), false, true
}

// separated reads what is behind a value: a comma, a line break in its place, or the end of the list or object, which
// it leaves.
func (p *parser) separated(end rune) bool {
	from := p.at
	p.skip()
	switch {
	case p.take(',') || p.take('，'):
		return true
	case strings.HasPrefix(p.rest(), string(end)):
		return true
	case strings.Contains(p.text[from:p.at], "\n") && p.at < p.end:
		return true
	}
	return !digit(p.text[from-1]) && p.ended() // a number may have been cut
}

func digit(b byte) bool { return b >= '0' && b <= '9' }

// ended reports whether nothing but tokens of a template and fences follows.
func (p *parser) ended() bool {
	if p.open || p.at >= p.end {
		p.open, p.at = true, len(p.text)
	}
	return p.open
}

// value reads a value and gives it as JSON.
func (p *parser) value(depth int) (json.RawMessage, bool) {
	p.skip()
	if text, quoted := p.quoted(); quoted {
		raw, err := encode(text)
		return raw, err == nil
	}
	switch {
	case strings.HasPrefix(p.rest(), "{"):
		o, ok := p.object(depth)
		if !ok || o.Twice != "" {
			return nil, false
		}
		raw, err := encode(o.Fields)
		return raw, err == nil
	case p.take('['):
		return p.list(depth)
	}
	word := bare.FindString(p.rest())
	p.at += len(word)
	if word == "" {
		return nil, false
	}
	if literal, known := literals[strings.ToLower(word)]; known {
		return json.RawMessage(literal), true
	}
	if number := strings.TrimPrefix(word, "+"); json.Valid([]byte(number)) {
		return json.RawMessage(number), true
	}
	raw, err := encode(word)
	return raw, err == nil
}

func (p *parser) list(depth int) (json.RawMessage, bool) {
	if depth > maxDepth {
		return nil, false
	}
	values := []json.RawMessage{}
	for {
		p.skip()
		if p.take(']') || p.ended() {
			raw, err := encode(values)
			return raw, err == nil
		}
		v, ok := p.value(depth + 1)
		if !ok || !p.separated(']') {
			return nil, false
		}
		values = append(values, v)
	}
}

var (
	// identifier is a name without quotes, bare a value without them.
	identifier = lazy.Compile(`^[A-Za-z_][\w\-]*`)
	bare       = lazy.Compile(`^[\w+\-.]+`)
	// literals are words without quotes by what they are in JSON.
	literals = map[string]string{"true": "true", "false": "false", "null": "null", "none": "null", "yes": "true",
		"no": "false"}
)

// quotes are what begins a text, and what ends it.
var quotes = map[rune]string{
	'"': `"`, '\'': `'`, '“': `”“"`, '”': `”"`, '„': `”“"`, '‘': `’‘'`, '’': `’'`, '«': `»`, '「': `」`,
}

// quoted reads a text between quotes. quoted is false for another value, and p stays; and for a text without an end.
func (p *parser) quoted() (text string, quoted bool) {
	open, size := utf8.DecodeRuneInString(p.rest())
	ends := quotes[open]
	if ends == "" {
		return "", false
	}
	var out strings.Builder
	for i := p.at + size; i < len(p.text); {
		r, n := utf8.DecodeRuneInString(p.text[i:])
		switch {
		case r == '\\':
			read, text := escape(p.text[i:])
			if read == 0 {
				return "", false
			}
			out.WriteString(text)
			i += read
			continue
		case strings.ContainsRune(ends, r):
			p.at = i + n
			return out.String(), true
		}
		out.WriteRune(r)
		i += n
	}
	p.at = len(p.text)
	return "", false
}

// escape reads an escape of JSON, or of Python where JSON has none. read is 0 if it is neither.
func escape(text string) (read int, meant string) {
	if len(text) < 2 {
		return 0, ""
	}
	read = 2
	switch text[1] {
	case '\'', '\n':
		return read, strings.TrimSuffix(text[1:2], "\n")
	case 'u':
		read = 6
		if strings.HasPrefix(text[min(len(text), 6):], `\u`) {
			read = 12 // of a character in two halves
		}
	}
	for ; read >= 2; read -= 6 {
		if read <= len(text) && json.Unmarshal([]byte(`"`+text[:read]+`"`), &meant) == nil {
			return read, meant
		}
	}
	return 0, ""
}

// take reads a character if it is the next.
func (p *parser) take(r rune) bool {
	if !strings.HasPrefix(p.rest(), string(r)) {
		return false
	}
	p.at += utf8.RuneLen(r)
	return true
}

// skip reads white space and comments.
func (p *parser) skip() {
	for p.at < len(p.text) {
		r, n := utf8.DecodeRuneInString(p.rest())
		if unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) {
			p.at += n
			continue
		}
		n = comment(p.rest(), p.at < p.lastBlock)
		if n == 0 {
			return
		}
		p.at += n
	}
}

// comment returns the length of the comment that a text begins with; 0 without one. block says that the text may have
// the end of one of the form /* … */.
func comment(text string, block bool) int {
	switch {
	case strings.HasPrefix(text, "//"), strings.HasPrefix(text, "#"):
		if at := strings.IndexByte(text, '\n'); at >= 0 {
			return at
		}
		return len(text)
	case block && strings.HasPrefix(text, "/*"):
		return strings.Index(text, "*/") + 2
	}
	return 0
}

// encode writes JSON without escapes that it does not need.
func encode(v any) (json.RawMessage, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(out.Bytes()), err
}
