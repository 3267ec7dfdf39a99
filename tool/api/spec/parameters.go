package spec

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/schema"
	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/tool/api/pick"
)

// Parameters are the arguments of a tool, in the order of the file.
type Parameters []Parameter

// Parameter is one argument.
type Parameter struct {
	Name       string
	Schema     json.RawMessage // on one line, in the order of the file, without a default of null
	Default    any             // for a call without it
	HasDefault bool            // without it the argument must be given

	at strictyaml.Pos
}

// UnmarshalNode reads the JSON Schema of each argument.
func (p *Parameters) UnmarshalNode(n *yaml.Node) error {
	nodes := map[string]*yaml.Node{}
	if err := strictyaml.DecodeNode(n, &nodes); err != nil {
		return err
	}
	var all strictyaml.Errors
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		one := Parameter{Name: key.Value, at: strictyaml.Pos{Line: key.Line, Column: key.Column}}
		all = append(all, errorsOf(one.read(nodes[key.Value]), key.Value)...)
		*p = append(*p, one)
	}
	return all.Err()
}

func (p *Parameter) read(n *yaml.Node) error {
	given := map[string]any{}
	if err := strictyaml.DecodeNode(n, &given); err != nil {
		return err
	}
	if !identifier.MatchString(p.Name) {
		return strictyaml.Errorf(n, "%q is no name of an argument: use letters, digits and _", p.Name)
	}
	if about, _ := given["description"].(string); about == "" {
		return strictyaml.Errorf(n, "description is missing: say in a few words what the argument is")
	}
	p.Default, p.HasDefault = given["default"]
	var line bytes.Buffer
	if err := writeJSON(&line, n, func(key string) bool { return key != "default" || p.Default != nil }); err != nil {
		return strictyaml.Errorf(n, "%v", err)
	}
	p.Schema = line.Bytes()
	decoded, err := schema.Decode(p.Schema)
	if err != nil {
		return strictyaml.Errorf(n, "is not a JSON Schema: %v", err)
	}
	compiled, err := schema.Compile(decoded)
	if err != nil {
		return strictyaml.Errorf(n, "is not a JSON Schema: %v", err)
	}
	if p.Default == nil {
		return nil
	}
	raw, err := json.Marshal(p.Default)
	if err != nil {
		return strictyaml.Errorf(n, "default: %v", err)
	}
	value, err := schema.Decode(raw)
	if err != nil {
		return strictyaml.Errorf(n, "default: %v", err)
	}
	if problems := compiled.Check(value); len(problems) > 0 {
		return strictyaml.Errorf(n, "the default is not what the schema allows: %s", problems[0])
	}
	return nil
}

// writeJSON writes a node as JSON on one line, with the keys in their order. keep says which keys of the top are
// written.
func writeJSON(out *bytes.Buffer, n *yaml.Node, keep func(key string) bool) error {
	switch n.Kind {
	case yaml.MappingNode:
		out.WriteByte('{')
		first := true
		for i := 0; i+1 < len(n.Content); i += 2 {
			if keep != nil && !keep(n.Content[i].Value) {
				continue
			}
			if !first {
				out.WriteByte(',')
			}
			first = false
			name, err := json.Marshal(n.Content[i].Value)
			if err != nil {
				return err
			}
			out.Write(name)
			out.WriteByte(':')
			if err := writeJSON(out, n.Content[i+1], nil); err != nil {
				return err
			}
		}
		out.WriteByte('}')
		return nil
	case yaml.SequenceNode:
		out.WriteByte('[')
		for i, item := range n.Content {
			if i > 0 {
				out.WriteByte(',')
			}
			if err := writeJSON(out, item, nil); err != nil {
				return err
			}
		}
		out.WriteByte(']')
		return nil
	}
	var v any
	if err := strictyaml.DecodeNode(n, &v); err != nil {
		return err
	}
	raw, err := json.Marshal(v)
	out.Write(raw)
	return err
}

// Schema returns the JSON Schema of all arguments, on one line.
func (p Parameters) Schema() json.RawMessage {
	out, required := bytes.NewBufferString(`{"type":"object","properties":{`), []string{}
	for i, one := range p {
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(out, "%q:%s", one.Name, one.Schema)
		if !one.HasDefault {
			required = append(required, one.Name)
		}
	}
	names, _ := json.Marshal(required) // texts can always be encoded
	if len(required) > 0 {
		fmt.Fprintf(out, `},"required":%s,"additionalProperties":false}`, names)
	} else {
		out.WriteString(`},"additionalProperties":false}`)
	}
	return out.Bytes()
}

// Decode reads arguments that Schema accepts, and fills in the defaults.
func (p Parameters) Decode(raw json.RawMessage) (map[string]any, error) {
	body := new(pick.Format).Read(context.Background(), raw, "", func(s string) string { return s })
	given, ok := body.Value.(map[string]any)
	if body.Err != nil || !ok {
		return nil, fmt.Errorf("the arguments are no JSON object")
	}
	out := make(map[string]any, len(p))
	for _, one := range p {
		v, is := given[one.Name]
		if !is {
			v = one.Default
		}
		out[one.Name] = v
	}
	return out, nil
}
