package lines

import (
	"encoding/json"
	"strings"
)

// syntaxes gives the errors of encoding/json, by a part of their text, in words that name the way out. The first
// that fits counts; {} is replaced with the character that the error names, in quotation marks.
var syntaxes = [][2]string{
	{"unexpected end of JSON input", "it ends too early: close what is open, such as a bracket or a quotation mark"},
	{"after top-level value", "{} follows the end of the value: remove it, or a line end is missing"},
	{"after object key:value pair", "{} follows a value: a comma or } is missing before it"},
	{"after object key", "{} follows a key: a colon is missing before it"},
	{"after array element", "{} follows an element of a list: a comma or ] is missing before it"},
	{"in string literal", "a text has a line end or a control character: close its quotation mark, or write \\n"},
	{"in string escape code", "{} follows a backslash in a text: write \\\\ for a backslash"},
	{"hexadecimal character escape", "\\u in a text needs four hexadecimal digits: add them, or write \\\\u"},
	{"looking for beginning of object key string",
		"{} is in the place of a key: write keys in double quotes, and no comma before }"},
	{"looking for beginning of value",
		"{} is in the place of a value: write text in double quotes, and no comma before ] or }"},
	{"in literal", "a word is not true, false or null: write text in double quotes"},
	{"numeric literal", "a number is not in the form of JSON: write text in double quotes, and numbers as 12 or 0.5"},
}

// Syntax explains in plain words why a text is not JSON.
func Syntax(err *json.SyntaxError) string {
	text := err.Error()
	for _, s := range syntaxes {
		if strings.Contains(text, s[0]) {
			return strings.Replace(s[1], "{}", character(text), 1)
		}
	}
	return "it does not follow the rules of JSON"
}

// character returns the character that an error of encoding/json names, in double quotation marks.
func character(text string) string {
	_, rest, found := strings.Cut(text, "invalid character '")
	if end := strings.Index(rest, "' "); found && end > 0 {
		switch c := rest[:end]; c {
		case `\n`, `\r`:
			return "a line end"
		case `"`, `\'`:
			return "a quotation mark"
		default:
			return `"` + c + `"`
		}
	}
	return "another character"
}
