package lines_test

import (
	"encoding/json"
	"errors"
	"io"
	"testing"

	"github.com/seed-5817661a/concur/internal/lines"
)

func TestFault(t *testing.T) {
	type item struct {
		Name  string `json:"name"`
		Count *int   `json:"count"`
		Parts []struct {
			Right bool `json:"right"`
		} `json:"parts"`
		Gold json.Number
	}
	for text, want := range map[string]string{
		`{"name": 5}`:                 `the field "name" is a number, not text`,
		`{"name": [1]}`:               `the field "name" is a list, not text`,
		`{"count": "x"}`:              `the field "count" is text, not a whole number`,
		`{"count": 1.5}`:              `the field "count" is the number 1.5, not a whole number`,
		`{"parts": {}}`:               `the field "parts" is an object, not a list`,
		`{"parts": [{"right": "x"}]}`: `the field "parts.right" is text, not true or false`,
		`{"Gold": {}}`:                `the field "gold" is an object, not a number or text`,
		`[1, 2]`:                      `it is a list, not an object`,
		`- {name: x}`:                 `it is not JSON: it begins with "- {name: x}"`,
		`question,answer,type,more`:   `it is not JSON: it begins with "question,answer,type…"`,
		"PK\x03\x04\xff":              `it is not UTF-8; save the file as UTF-8`,
		`{"name": "x"`:                `not JSON: it ends too early: close what is open, such as a bracket or a quotation mark`,
		`{"name" "x"}`:                `not JSON: a quotation mark follows a key: a colon is missing before it`,
		`{"name": tru}`:               `not JSON: a word is not true, false or null: write text in double quotes`,
		`{"name": x}`:                 `not JSON: "x" is in the place of a value: write text in double quotes, and no comma before ] or }`,
		`{"name": "x",}`:              `not JSON: "}" is in the place of a key: write keys in double quotes, and no comma before }`,
		`{"name": "x" "count": 1}`:    `not JSON: a quotation mark follows a value: a comma or } is missing before it`,
		`{"parts": [{} {}]}`:          `not JSON: "{" follows an element of a list: a comma or ] is missing before it`,
		"{\"name\": \"x\n\"}":         `not JSON: a text has a line end or a control character: close its quotation mark, or write \n`,
		`{"name": "\q"}`:              `not JSON: "q" follows a backslash in a text: write \\ for a backslash`,
		`{"name": "\u00x"}`:           `not JSON: \u in a text needs four hexadecimal digits: add them, or write \\u`,
		`{"count": 01}`:               `not JSON: "1" follows a value: a comma or } is missing before it`,
		`{"count": 1.}`:               `not JSON: a number is not in the form of JSON: write text in double quotes, and numbers as 12 or 0.5`,
		`{"name": "x"} y`:             `not JSON: "y" follows the end of the value: remove it, or a line end is missing`,
	} {
		err := json.Unmarshal([]byte(text), new(item))
		if got := lines.Fault(err, []byte(text)); got == nil || got.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", text, got, want)
		}
	}
	if got := lines.Fault(io.EOF, nil); !errors.Is(got, io.EOF) {
		t.Errorf("another error becomes %v", got)
	}
}
