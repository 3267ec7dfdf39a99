package dialect

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// argumentTags matches the forms in which templates write arguments as tags. The first group is the name, and
// the second the value. If a text has several forms, the first one in this list is used.
var argumentTags = []*lazy.Regexp{
	lazy.Compile(`(?s)<parameter=([\w.\-]+)>\n?(.*?)\n?(?:</parameter>|\z)`),
	lazy.Compile(`(?s)<[|｜]?(?:DSML[|｜])?(?:\w+:)?` +
		`parameter\s+name="([^"\n]+)"[^>\n]*>\n?(.*?)\n?(?:</[^>\n]*parameter>|\z)`),
	lazy.Compile(`(?s)<arg_key>\s*([\w.\-]+)\s*</arg_key>\s*<arg_value>\n?(.*?)\n?(?:</arg_value>|\z)`),
	lazy.Compile(`(?s)<([A-Za-z_][\w.\-]*)>\n?(.*?)\n?</[A-Za-z_][\w.\-]*>`),
}

// taggedValues reads arguments that are written as tags. It returns nil for other text.
func taggedValues(text string) []value {
	for _, form := range argumentTags {
		var out []value
		for _, m := range form.FindAllStringSubmatch(text, maxTagged) {
			out = append(out, value{key: m[1], text: m[2]})
		}
		if out != nil {
			return out
		}
	}
	return nil
}

// maxTagged is the maximum number of arguments of a call that are read from tags.
const maxTagged = 100

// stringTokens are the tokens that Gemma writes before and after a text, instead of quotes.
var stringTokens = []string{`<|"|>`, "<escape>"}

// quoteTokens writes the texts between stringTokens as JSON strings.
func quoteTokens(text string) string {
	for _, token := range stringTokens {
		parts := strings.Split(text, token)
		if len(parts) < 3 {
			continue
		}
		for i := 1; i < len(parts); i += 2 {
			if i+1 < len(parts) {
				parts[i] = quote(parts[i])
			}
		}
		text = strings.Join(parts, "")
	}
	return text
}

// namedBody matches a call in which the name comes before the arguments: tags, an object, or nothing.
var namedBody = lazy.Compile(`^([A-Za-z_][\w.\-]*(?::\d+)?)\s*(<arg_key>|\{|\z)`)

// wrappers are keys in which models wrap all arguments a second time.
var wrappers = []string{"arguments", "args", "kwargs", "parameters", "params", "input", "properties"}

// unwrap returns the arguments that an object has under a single key, with or without the name of the tool:
// {"kwargs": {…}}, or {"name": "calc", "arguments": {…}}. If the tool itself has a parameter with this name,
// the object is returned unchanged.
func (s signature) unwrap(arguments string) (string, bool) {
	fields, ok := fieldsOf(arguments)
	if !ok || !s.known {
		return arguments, false
	}
	inner := ""
	for key, raw := range fields {
		switch {
		case s.has(key):
			return arguments, false
		case containsKey(wrappers, key) && inner == "" && isObject(plain(string(raw))):
			inner = plain(string(raw))
		case containsKey(nameKeys, key):
		default:
			return arguments, false
		}
	}
	if inner == "" {
		return arguments, false
	}
	return inner, true
}

func containsKey(keys []string, key string) bool {
	for _, k := range keys {
		if k == key {
			return true
		}
	}
	return false
}

// oneOf reduces a sequence of objects to one object: the only one that is not empty, or one that is repeated.
// It is needed because models write {} before the arguments, or write the arguments twice.
func oneOf(text string) (string, bool) {
	dec := json.NewDecoder(strings.NewReader(text))
	found := ""
	for n := 0; ; n++ {
		var raw json.RawMessage
		err := dec.Decode(&raw)
		if err == io.EOF {
			return found, n > 1 && found != ""
		}
		fields, isObject := fieldsOf(string(raw))
		switch {
		case err != nil || !isObject:
			return "", false
		case len(fields) == 0:
		case found == "" || equalJSON(found, string(raw)):
			found = string(raw)
		default:
			return "", false
		}
	}
}

// equalJSON reports whether two texts are the same JSON, regardless of white space and order of keys.
func equalJSON(a, b string) bool {
	canonical := func(raw string) string {
		var v any
		if json.Unmarshal([]byte(raw), &v) != nil {
			return raw
		}
		out, err := json.Marshal(v)
		if err != nil {
			return raw
		}
		return string(out)
	}
	return canonical(a) == canonical(b)
}

// noArguments are the texts that models write for a tool without arguments.
var noArguments = []string{"", "null", "none", "{}", "[]", "undefined", "n/a", "-"}

// takesNothing reports whether the tool accepts no arguments.
func (s signature) takesNothing() bool { return s.known && len(s.params) == 0 && !s.open }
