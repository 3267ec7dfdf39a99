package asking

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking/loose"
)

// seal tells a verdict from one that stands in the data.
type seal struct {
	how      Token
	token    string   // "" where none is asked for
	shown    string   // the data
	fields   []string // that were asked for
	repeated bool     // by any reply so far
}

// fieldsOf returns the names of a schema's fields.
func fieldsOf(s *model.ResponseSchema) (names []string) {
	var object struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if s != nil && json.Unmarshal(s.Schema, &object) == nil {
		for name := range object.Properties {
			names = append(names, loose.Name(name))
		}
	}
	slices.Sort(names)
	return names
}

// open returns the object of a reply without its token, as JSON.
func (s *seal) open(text string) (string, error) {
	verdict, err := find(text, s.fields, s.signed)
	repeated := s.signed(verdict)
	s.repeated = s.repeated || repeated
	switch {
	case err != nil:
		return "", err
	case s.how == TokenRequired && !repeated:
		return "", errors.New("the reply does not repeat the token that it was given")
	case !repeated && s.quotes(verdict):
		return "", errors.New("the reply is an object that stands in the data")
	}
	if err := s.agrees(verdict, repeated, text); err != nil {
		return "", err
	}
	delete(verdict.fields, tokenField)
	for _, name := range s.fields {
		if verdict.Open && verdict.fields[name] == nil {
			return "", fmt.Errorf("the reply ends before its field %q", name)
		}
	}
	plain, err := json.Marshal(verdict.fields)
	return string(plain), err
}

// agrees refuses a verdict beside another object of the reply, wherever it is, that says something else. Without
// the token, that is a quotation where the verdict has it, or where the data has it and it lacks fields.
func (s *seal) agrees(verdict candidate, repeated bool, text string) error {
	text, objects, err := objectsOf(text)
	if err != nil {
		return err
	}
	for _, o := range objects {
		other := candidateOf(text, o, s.fields)
		if repeated && !s.signed(other) {
			continue
		}
		asked, differs := 0, ""
		for _, name := range s.fields {
			a, has := verdict.fields[name]
			b, also := other.fields[name]
			if has && also {
				asked++
				if !sameValue(a, b) {
					differs = name
				}
			}
		}
		switch {
		case differs != "" && (asked == len(s.fields) || !s.quotes(other)):
			return fmt.Errorf("the reply has two objects, which disagree on the field %q", differs)
		case asked > 0 && o.Twice != "":
			return fmt.Errorf("the reply has an object with the field %q twice", o.Twice)
		}
	}
	return nil
}

// signed reports whether an object repeats the token.
func (s *seal) signed(c candidate) bool {
	return s.token != "" && c.fields[tokenField] != nil && wordOf(c.fields[tokenField]) == s.token
}

// quotes reports whether an object stands in the data: word for word, or with the same fields in another notation.
func (s *seal) quotes(c candidate) bool {
	shown := strings.ReplaceAll(s.shown, "\n| ", "\n")
	for _, data := range []string{shown, unescaped.Replace(shown)} {
		objects, _ := loose.Objects(data) // of data with too many braces, the first are compared
		for _, o := range objects {
			if s.equal(o.Fields, c.fields) {
				return true
			}
		}
	}
	return strings.Contains(withoutBlanks(s.shown), withoutBlanks(c.written))
}

// equal reports whether an object of the data has all fields of a reply that were asked for, with equal values.
func (s *seal) equal(data, reply map[string]json.RawMessage) bool {
	compared := 0
	for _, name := range s.fields {
		value, has := reply[name]
		other, also := data[name]
		if has && (!also || !sameValue(other, value)) {
			return false
		}
		if has {
			compared++
		}
	}
	return compared > 0
}

// sameValue reports whether two values are equal; a text is equal to the number or boolean that it names.
func sameValue(a, b json.RawMessage) bool {
	x, y := wordOf(a), wordOf(b)
	if named, is := booleans[x]; is {
		x = named
	}
	if named, is := booleans[y]; is {
		y = named
	}
	return x == y
}
