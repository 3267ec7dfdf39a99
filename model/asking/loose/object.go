package loose

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode"
)

// Object is an object in a text.
type Object struct {
	// Fields has the values, as JSON, by their names (see Name).
	Fields map[string]json.RawMessage
	// Start and End are the object's position in the text, in bytes.
	Start, End int
	// Open is set if the text ends before the object's closing brace.
	Open bool
	// Twice is a name that occurs twice in the object; "" if all names differ.
	Twice string
}

// Name returns the name of a field in lower case and without punctuation, so that contradictsReference and
// contradicts_reference are equal.
func Name(field string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, field)
}

// Limits of reading: the depth of nested objects, and the number of bytes read for each byte of a text. The
// second is needed because an object may begin at every brace.
const (
	maxDepth = 16
	maxReads = 16
)

// ErrTooMany means that a text has too many braces and was not read to its end.
var ErrTooMany = errors.New("the text has too many braces")

// Objects returns the objects of a text in the order of their beginnings. It tries every opening brace, so
// nested objects are included.
func Objects(text string) ([]Object, error) {
	var out []Object
	left, doc := maxReads*len(text)+1<<12, document{text, endOfText(text), strings.LastIndex(text, "*/"), map[int]Object{}}
	for at := 0; ; at++ {
		next := strings.IndexByte(text[at:], '{')
		if next < 0 {
			return out, nil
		}
		at += next
		p := parser{document: doc, at: at}
		object, ok := p.object(0)
		if ok {
			out = append(out, object)
		}
		if left -= p.at - at + 1; left < 0 {
			return out, ErrTooMany
		}
	}
}

// Outermost returns the objects that are not inside another object.
func Outermost(objects []Object) (out []Object) {
	for _, o := range objects {
		if len(out) == 0 || o.Start >= out[len(out)-1].End {
			out = append(out, o)
		}
	}
	return out
}
