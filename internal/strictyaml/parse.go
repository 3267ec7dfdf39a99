package strictyaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// MaxBytes is the maximum size of a file: 64 MiB.
const MaxBytes = 64 << 20

// parse returns the root node of the only document, with aliases resolved.
func parse(file string, data []byte) (*yaml.Node, error) {
	fail := func(at Pos, format string, args ...any) (*yaml.Node, error) {
		return nil, Errors{{File: file, Line: at.Line, Column: at.Column, Message: fmt.Sprintf(format, args...)}}
	}
	if len(data) > MaxBytes {
		return fail(Pos{}, "the file is larger than %d MiB; split it", MaxBytes>>20)
	}
	data, err := decodeText(data)
	if err != nil {
		return nil, adopt(err, file, "", &yaml.Node{})
	}
	documents := yaml.NewDecoder(bytes.NewReader(data))
	first, err := nextDocument(documents)
	switch {
	case errors.Is(err, io.EOF) || err == nil && isNull(first.Content[0]):
		return fail(Pos{}, "the file is empty")
	case err != nil:
		return nil, Errors{syntaxError(file, data, err)}
	}
	second, err := nextDocument(documents)
	switch {
	case err == nil:
		return fail(Pos{second.Line, second.Column},
			`a second document begins here; only one is read (remove the line "---")`)
	case !errors.Is(err, io.EOF):
		return nil, Errors{syntaxError(file, data, err)}
	}
	root := first.Content[0]
	if err := resolve(root, 1, new(int)); err != nil {
		return nil, adopt(err, file, "", root)
	}
	return root, nil
}

// nextDocument returns the next document, a node with the root as its content. The library panics on some
// internal errors, which nextDocument returns as errors: no file may end the program.
func nextDocument(documents *yaml.Decoder) (document *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("parse yaml: %v", r)
		}
	}()
	document = &yaml.Node{}
	if err := documents.Decode(document); err != nil {
		return nil, err
	}
	if len(document.Content) == 0 {
		return nil, io.EOF
	}
	return document, nil
}

// decodeText removes a byte order mark and refuses text that is not UTF-8.
func decodeText(data []byte) ([]byte, error) {
	if bytes.HasPrefix(data, []byte{0xFF, 0xFE}) || bytes.HasPrefix(data, []byte{0xFE, 0xFF}) {
		return nil, &Error{Message: "the file is UTF-16; save it as UTF-8"}
	}
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	line, column := 1, 1
	for i := 0; i < len(data); {
		r, size := rune(data[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(data[i:])
		}
		switch {
		case r == utf8.RuneError && size == 1:
			return nil, &Error{Line: line, Column: column, Message: "this byte is not UTF-8; save the file as UTF-8"}
		case isForbidden(r):
			return nil, &Error{Line: line, Column: column,
				Message: fmt.Sprintf("the character %U is not allowed in YAML", r)}
		case r == '\n':
			line, column = line+1, 0
		}
		i += size
		column++
	}
	return data, nil
}

// isForbidden reports whether YAML 1.2 §5.1 does not allow a character.
func isForbidden(r rune) bool {
	switch {
	case r == '\t' || r == '\n' || r == '\r' || r == 0x85:
		return false
	}
	return r < 0x20 || r >= 0x7F && r < 0xA0 || r == 0xFEFF || r == 0xFFFE || r == 0xFFFF
}

// Limits for a document with expanded aliases. A file within MaxBytes and without repetitions is far below
// them.
const (
	maxNodes = 10_000_000
	maxDepth = 1_000
)

// resolve replaces each alias in n by its node. level is the depth of n, and nodes counts the nodes that a walk
// over the result visits. The nodes are shared, not copied.
func resolve(n *yaml.Node, level int, nodes *int) error {
	if level > maxDepth {
		return Errorf(n, "nested deeper than %d levels, aliases expanded; an alias must not contain itself",
			maxDepth)
	}
	if *nodes++; *nodes > maxNodes {
		return Errorf(n, "more than %d values, aliases expanded", maxNodes)
	}
	for i, child := range n.Content {
		if child.Kind == yaml.AliasNode {
			n.Content[i] = child.Alias
		}
		if err := resolve(n.Content[i], level+1, nodes); err != nil {
			return err
		}
	}
	return nil
}
