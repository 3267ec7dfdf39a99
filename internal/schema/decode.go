package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// Decode reads one JSON value in the form that [Compile] and [Schema.Check] need: numbers keep their written
// form.
func Decode(raw []byte) (any, error) {
	if !json.Valid(raw) {
		return nil, invalid(raw)
	}
	p := parser{text: string(raw)}
	return p.value(), nil
}

// Valid returns nil if raw is one JSON value, and otherwise the error of [Decode].
func Valid(raw []byte) error {
	if json.Valid(raw) {
		return nil
	}
	return invalid(raw)
}

// invalid returns why raw is not one JSON value.
func invalid(raw []byte) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("invalid character after top-level value")
	}
	return errors.New("is not JSON")
}

// parser reads a text that is known to be valid JSON, so it needs no errors and is faster than
// encoding/json.
type parser struct {
	text string
	at   int
}

// next skips white space, and returns the next byte.
func (p *parser) next() byte {
	for {
		switch c := p.text[p.at]; c {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return c
		}
	}
}

func (p *parser) value() any {
	switch p.next() {
	case '{':
		return p.object()
	case '[':
		return p.array()
	case '"':
		return p.string()
	case 't':
		p.at += len("true")
		return true
	case 'f':
		p.at += len("false")
		return false
	case 'n':
		p.at += len("null")
		return nil
	}
	start := p.at
	for p.at < len(p.text) && strings.IndexByte("+-.0123456789Ee", p.text[p.at]) >= 0 {
		p.at++
	}
	return json.Number(p.text[start:p.at])
}

func (p *parser) object() map[string]any {
	out := map[string]any{}
	for p.at++; p.next() != '}'; {
		name := p.string()
		p.next()
		p.at++ // the colon
		out[name] = p.value()
		if p.next() == ',' {
			p.at++
		}
	}
	p.at++
	return out
}

func (p *parser) array() []any {
	out := []any{}
	for p.at++; p.next() != ']'; {
		out = append(out, p.value())
		if p.next() == ',' {
			p.at++
		}
	}
	p.at++
	return out
}

func (p *parser) string() string {
	p.next()
	start := p.at
	plain := true
	for p.at++; p.text[p.at] != '"'; p.at++ {
		if p.text[p.at] == '\\' {
			plain = false
			p.at++
		}
	}
	p.at++
	if inner := p.text[start+1 : p.at-1]; plain && utf8.ValidString(inner) {
		return inner
	}
	var out string
	if err := json.Unmarshal([]byte(p.text[start:p.at]), &out); err != nil { // the text is valid JSON
		return p.text[start+1 : p.at-1]
	}
	return out
}
