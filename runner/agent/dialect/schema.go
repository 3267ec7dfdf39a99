package dialect

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/model"
)

// param is a parameter of a tool.
type param struct {
	name  string
	types []string // of JSON Schema; empty if the schema has none
}

// signature has the parameters of a tool, in the order of positional arguments. This is first the order of
// "required", and then the order of the other parameters in the schema.
type signature struct {
	tool     string
	params   []param
	required int
	known    bool // the tool was offered
	open     bool // its schema explicitly allows further parameters
	finishes bool // an action of this name gives the final message
}

func signatureOf(name string, tools []model.ToolSpec) signature {
	t, known := Resolve(name, tools)
	if !known {
		return signature{tool: name, finishes: isAlias(strings.ToLower(name), finishing)}
	}
	sig := signature{tool: t.Name, known: true}
	schema, _ := fieldsOf(string(t.Parameters))
	properties := inOrder(schema["properties"])
	further := strings.TrimSpace(string(schema["additionalProperties"]))
	sig.open = further != "" && further != "false"
	var required []string
	_ = json.Unmarshal(schema["required"], &required) // if missing, no parameter is required
	for _, name := range required {
		if sig.has(name) {
			continue
		}
		p := param{name: name}
		if i := slices.IndexFunc(properties, func(p param) bool { return p.name == name }); i >= 0 {
			p = properties[i]
		}
		sig.params = append(sig.params, p)
	}
	sig.required = len(sig.params)
	for _, p := range properties {
		if !sig.has(p.name) {
			sig.params = append(sig.params, p)
		}
	}
	return sig
}

// inOrder returns the properties of a schema in the order in which they are written. The schema must be valid
// JSON.
func inOrder(raw json.RawMessage) []param {
	var out []param
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	for dec.More() {
		key, _ := dec.Token()
		name, _ := key.(string)
		var schema json.RawMessage
		if dec.Decode(&schema) != nil {
			return out // after an error, a decoder reports More forever
		}
		out = append(out, param{name: name, types: typesOf(schema)})
	}
	return out
}

func typesOf(schema json.RawMessage) []string {
	fields, _ := fieldsOf(string(schema))
	if one, ok := unquote(string(fields["type"])); ok {
		return []string{one}
	}
	var several []string
	_ = json.Unmarshal(fields["type"], &several) // if missing, the parameter has no type
	return several
}

func (s signature) has(name string) bool {
	return slices.ContainsFunc(s.params, func(p param) bool { return p.name == name })
}

// takesText reports whether the first parameter accepts any text.
func (s signature) takesText() bool {
	return len(s.params) > 0 && (len(s.params[0].types) == 0 || slices.Contains(s.params[0].types, "string"))
}

// countError returns an error that lists the parameters of the tool.
func (s signature) countError(given int) error {
	parts := make([]string, len(s.params))
	for i, p := range s.params {
		parts[i] = p.name
		if len(p.types) > 0 {
			parts[i] += " (" + strings.Join(p.types, " or ") + ")"
		}
		if i >= s.required {
			parts[i] = "optionally " + parts[i]
		}
	}
	return fmt.Errorf("%s takes %s; the action gives %d", s.tool,
		cmp.Or(strings.Join(parts, ", "), "no arguments"), given)
}

// fit converts arguments to the tool's types if possible: "5" or 5.0 for an integer.
func (s signature) fit(arguments string) (fitted string, changed bool) {
	fields, _ := fieldsOf(arguments)
	for _, p := range s.params {
		raw, given := fields[p.name]
		if !given || len(p.types) == 0 || strings.IndexByte("n{[", raw[0]) >= 0 ||
			slices.ContainsFunc(p.types, func(t string) bool { return isType(raw, t) }) {
			continue
		}
		v := value{text: plain(string(raw))}
		if as, fits, _ := v.as(p.types); fits {
			fields[p.name], changed = json.RawMessage(as), true
		}
	}
	if !changed {
		return arguments, false
	}
	var out object
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		out.putRaw(name, string(fields[name]))
	}
	return out.json(), true
}

// isType reports whether a JSON value has a type of JSON Schema.
func isType(raw json.RawMessage, t string) bool {
	switch raw[0] {
	case '"':
		return t == "string"
	case '{':
		return t == "object"
	case '[':
		return t == "array"
	case 't', 'f':
		return t == "boolean"
	case 'n':
		return t == "null"
	default:
		return t == "number" || t == "integer" && !bytes.ContainsAny(raw, ".eE")
	}
}

// finishing marks a finishing action in aliases.tsv. If a tool of the same name is offered, the name means the
// tool.
const finishing = "(finish)"

// Resolve finds the tool for a name that a model wrote. It tries, in this order: the tool with exactly this
// name; the first tool whose name differs only in case, in a namespace (functions.), in tokens of a chat
// template after the name, or in being written twice; the first tool that aliases.tsv lists for the name. For
// example, "search" is the first tool whose name ends in _search.
func Resolve(name string, tools []model.ToolSpec) (model.ToolSpec, bool) {
	bare := bareName(name)
	last := bare[strings.LastIndexAny(bare, "./")+1:]
	for _, means := range []func(tool string) bool{
		func(tool string) bool { return tool == name },
		func(tool string) bool { return strings.ToLower(tool) == bare },
		func(tool string) bool { return strings.ToLower(tool) == last },
		func(tool string) bool { return strings.ToLower(tool+tool) == bare },
		func(tool string) bool { return isAlias(bare, strings.ToLower(tool)) },
	} {
		if i := slices.IndexFunc(tools, func(t model.ToolSpec) bool { return means(t.Name) }); i >= 0 {
			return tools[i], true
		}
	}
	return model.ToolSpec{}, false
}

// afterName matches text that a template or a model adds after a name: a token, brackets, a number.
var afterName = lazy.Compile(`(?s)[<(\[{].*$|:\d+$`)

// bareName returns a name in lower case, without namespace and additions.
func bareName(name string) string {
	bare := strings.ToLower(strings.TrimSpace(name))
	if cut := afterName.ReplaceAllString(bare, ""); cut != "" {
		bare = cut
	}
	bare = afterName.ReplaceAllString(bare, "") // functions.calc:0<|…|>
	return strings.TrimSuffix(strings.TrimPrefix(bare, "functions."), ".call")
}

func isAlias(name, tool string) bool {
	return slices.ContainsFunc(tableRows(aliasTable), func(row []string) bool {
		return row[0] == name && strings.HasSuffix(tool, row[1])
	})
}

// call turns the parsed turn into an action, with the name of the offered tool and arguments of the tool's
// types.
func (p *parser) call(name, arguments string, sig signature) {
	if name != sig.tool {
		p.turn.Alias = name
	}
	if sig.known {
		var fitted bool
		arguments, fitted = sig.fit(arguments)
		p.turn.Repaired = p.turn.Repaired || fitted
	}
	p.turn.Name, p.turn.Arguments = sig.tool, arguments
}

// ReadCall reads a native call: it finds the tool for the name and repairs the arguments. The Turn that it
// returns is a call, is a final message, or has a Problem.
func ReadCall(name, arguments string, tools []model.ToolSpec) Turn {
	p := parser{tools: tools}
	if text, ok := unquote(strings.TrimSpace(arguments)); ok { // the arguments are encoded twice
		arguments, p.turn.Repaired = text, true
	}
	p.takeObject(name, arguments, "the value of arguments of "+name)
	if p.turn.Problem != nil || p.turn.Final != "" {
		p.turn.Repaired = false
	}
	return p.turn
}
