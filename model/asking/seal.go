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

// seal distinguishes a verdict of the model from a verdict that is quoted from the data.
type seal struct {
	how      Token
	token    string   // "" if no token is demanded
	shown    string   // the data of the request
	fields   []string // the requested fields
	repeated bool     // a reply has repeated the token
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

// open checks a reply, and returns its object without the token, as JSON.
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
		return "", errors.New("the reply is an object from the data")
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

// agrees returns an error if another object of the reply contradicts the verdict. Without the token, another
// object is a quotation if the verdict has the token, or if the object is in the data and lacks some of the
// fields; a quotation may differ.
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

// quotes reports whether an object is in the data: word for word, or with equal fields in another notation.
func (s *seal) quotes(c candidate) bool {
	shown := strings.ReplaceAll(s.shown, "\n| ", "\n")
	for _, data := range []string{shown, unescaped.Replace(shown)} {
		objects, _ := loose.Objects(data) // after an error (too many braces), compare the first objects
		for _, o := range objects {
			if s.equal(o.Fields, c.fields) {
				return true
			}
		}
	}
	return strings.Contains(withoutBlanks(s.shown), withoutBlanks(c.written))
}

// equal reports whether an object of the data has all requested fields of a reply, with equal values.
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

// sameValue reports whether two values are equal. A text is equal to the number or boolean that it means.
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
