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
		`{"name": "x"`:                `not JSON: unexpected end of JSON input`,
		`{"name" "x"}`:                `not JSON: invalid character '"' after object key`,
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
