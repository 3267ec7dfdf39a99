package jsonnode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Parse parses a JSON value into a YAML node with the same value, so that the same rules decode both. It
// keeps the spelling of numbers. start is the position of the value.
func Parse(text []byte, start strictyaml.Pos) (*yaml.Node, *strictyaml.Error) {
	return ParseInto(&Nodes{}, text, start)
}

// ParseInto does the same as Parse, with nodes from m.
func ParseInto(m *Nodes, text []byte, start strictyaml.Pos) (*yaml.Node, *strictyaml.Error) {
	b, wrong := NewReader(m, text, start)
	if wrong != nil {
		return nil, wrong
	}
	return b.Value(), nil
}

// Nodes holds the nodes of one record; the next record uses the same memory. The zero value is ready to use.
type Nodes struct {
	block []yaml.Node
	used  int
}

// Reset makes all nodes available again.
func (m *Nodes) Reset() { m.used = 0 }

// next returns an empty node.
func (m *Nodes) next() *yaml.Node {
	if m.used == len(m.block) { // nodes in use stay in the old block
		m.block, m.used = make([]yaml.Node, max(16, 2*len(m.block))), 0
	}
	n := &m.block[m.used]
	m.used++
	*n = yaml.Node{Content: n.Content[:0]}
	return n
}

// Reader reads text that is known to be valid JSON, value by value, so that a long list need not be in memory.
type Reader struct {
	nodes  *Nodes
	text   []byte
	offset int            // in the text
	At     strictyaml.Pos // position of the offset
}

// NewReader returns a reader of a JSON text. It checks the syntax and the depth of the text first, so
// that no errors occur later, when the text is read.
func NewReader(m *Nodes, text []byte, start strictyaml.Pos) (*Reader, *strictyaml.Error) {
	b := &Reader{nodes: m, text: text, At: start}
	if !utf8.Valid(text) {
		return nil, b.fail(0, "this is not UTF-8; save the file as UTF-8")
	}
	if json.Valid(text) {
		return b, nil
	}
	var value any
	err := json.Unmarshal(text, &value)
	offset, why := len(text), fmt.Sprint(err)
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		offset, why = max(0, int(syntax.Offset)-1), lines.Syntax(syntax)
	}
	return nil, b.fail(offset, "not JSON: "+why)
}

func (b *Reader) fail(offset int, message string) *strictyaml.Error {
	for offset > 0 && offset < len(b.text) && !utf8.RuneStart(b.text[offset]) {
		offset-- // the parser counts bytes
	}
	b.advance(min(offset, len(b.text)))
	return &strictyaml.Error{Line: b.At.Line, Column: b.At.Column, Message: message}
}

// advance moves forward to an offset.
func (b *Reader) advance(offset int) {
	if offset <= b.offset {
		return
	}
	passed := b.text[b.offset:offset]
	if ends := bytes.Count(passed, []byte("\n")); ends > 0 {
		b.At.Line, b.At.Column = b.At.Line+ends, 1
		passed = passed[bytes.LastIndexByte(passed, '\n')+1:]
	}
	b.At.Column += utf8.RuneCount(passed)
	b.offset = offset
}

// skip moves to the next byte that is not in blanks.
func (b *Reader) skip(blanks string) {
	end := b.offset
	for end < len(b.text) && strings.IndexByte(blanks, b.text[end]) >= 0 {
		end++
	}
	b.advance(end)
}

// Next moves to the next value and returns its first byte.
func (b *Reader) Next() byte {
	b.skip(" \t\r\n,:")
	return b.text[b.offset]
}

// Value reads the next value and moves past it.
func (b *Reader) Value() *yaml.Node {
	first := b.Next()
	n := b.nodes.next()
	n.Kind, n.Line, n.Column = yaml.ScalarNode, b.At.Line, b.At.Column
	add := func() { n.Content = append(n.Content, b.Value()) }
	switch first {
	case '{':
		n.Kind, n.Tag = yaml.MappingNode, "!!map"
		b.Each(add)
	case '[':
		n.Kind, n.Tag = yaml.SequenceNode, "!!seq"
		b.Each(add)
	case '"':
		n.Tag, n.Style = "!!str", yaml.DoubleQuotedStyle
		n.Value = b.string()
	default: // a number, true, false or null: as in YAML, the decoder finds the type by the form
		start := b.offset
		end := start
		for end < len(b.text) && strings.IndexByte(" \t\r\n,]}", b.text[end]) < 0 {
			end++
		}
		b.advance(end)
		n.Value = string(b.text[start:end])
	}
	return n
}

// Each goes through the list or object that begins at the present place, and moves past its end. It calls visit
// for each element; for an object, the key is before its value. visit must read the element.
func (b *Reader) Each(visit func()) {
	closing := b.text[b.offset] + 2 // in ASCII, a closing bracket is 2 after its opening one
	b.advance(b.offset + 1)
	for b.Next() != closing {
		visit()
	}
	b.advance(b.offset + 1)
}

func (b *Reader) string() string {
	start, end := b.offset, b.offset+1
	for ; b.text[end] != '"'; end++ {
		if b.text[end] == '\\' {
			end++
		}
	}
	b.advance(end + 1)
	if plain := b.text[start+1 : end]; bytes.IndexByte(plain, '\\') < 0 {
		return string(plain)
	}
	var s string
	_ = json.Unmarshal(b.text[start:end+1], &s) // part of valid JSON
	return s
}
