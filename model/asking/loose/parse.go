package loose

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// document is the text that is parsed.
type document struct {
	text      string
	end       int            // end of the text without trailing tokens of a template and fences
	lastBlock int            // end of the last comment of the form /* … */; -1 without one
	known     map[int]Object // objects that have been read, by their start
}

// parser reads a value at a position of a text. It stops at the first character that cannot belong to a
// value.
type parser struct {
	document
	at   int
	open bool // the text ended inside the value
}

func (p *parser) rest() string { return p.text[p.at:] }

// object reads an object; it must be at the opening brace.
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

// name reads the name of a field and its colon. end reports that the object ends instead.
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

// separated reads the separator after a value: a comma or, instead of it, a line break. It also accepts,
// without reading it, the end of the list or object.
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
	return !digit(p.text[from-1]) && p.ended() // a number at the end may have been cut
}

func digit(b byte) bool { return b >= '0' && b <= '9' }

// ended reports whether only tokens of a template and fences follow.
func (p *parser) ended() bool {
	if p.open || p.at >= p.end {
		p.open, p.at = true, len(p.text)
	}
	return p.open
}

// value reads a value and returns it as JSON.
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
	// identifier matches an unquoted name, bare an unquoted value.
	identifier = lazy.Compile(`^[A-Za-z_][\w\-]*`)
	bare       = lazy.Compile(`^[\w+\-.]+`)
	// literals maps unquoted words to JSON.
	literals = map[string]string{"true": "true", "false": "false", "null": "null", "none": "null", "yes": "true",
		"no": "false"}
)

// quotes maps each opening quote to its closing quotes.
var quotes = map[rune]string{
	'"': `"`, '\'': `'`, '“': `”“"`, '”': `”"`, '„': `”“"`, '‘': `’‘'`, '’': `’'`, '«': `»`, '「': `」`,
}

// quoted reads a text between quotes. If there is no such text, or it has no end, quoted is false and the
// position is unchanged.
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

// escape decodes an escape of JSON. If the text is not an escape of JSON, it tries an escape of Python. read is
// the length of the escape; 0 if the text is neither.
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
			read = 12 // a character written as two surrogates
		}
	}
	for ; read >= 2; read -= 6 {
		if read <= len(text) && json.Unmarshal([]byte(`"`+text[:read]+`"`), &meant) == nil {
			return read, meant
		}
	}
	return 0, ""
}

// take reads one character if the next character is r, and reports whether it was.
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

// comment returns the length of the comment at the beginning of a text; 0 without one. block reports whether
// the text can contain the end of a comment of the form /* … */.
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

// encode writes JSON without unnecessary escapes.
func encode(v any) (json.RawMessage, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(out.Bytes()), err
}
