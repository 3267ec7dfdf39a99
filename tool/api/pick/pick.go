package pick

import (
	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Pick makes a JSON value of a page: of one XPath, an object of several, or a list of objects.
type Pick struct {
	path   *path
	each   *path // the nodes of a list; nil for an object
	fields []field
}

type field struct {
	name string
	pick Pick
}

// UnmarshalNode reads an XPath, {key: PICK, …} or {each: XPATH, key: PICK, …}.
func (p *Pick) UnmarshalNode(n *yaml.Node) error {
	switch n.Kind {
	case yaml.ScalarNode:
		path, err := compilePath(n.Value)
		if err != nil {
			return strictyaml.Errorf(n, "%v", err)
		}
		p.path = path
		return nil
	case yaml.MappingNode:
		return p.object(n)
	}
	return strictyaml.Errorf(n, "expected an XPath or a mapping of them, found %s", strictyaml.Describe(n))
}

func (p *Pick) object(n *yaml.Node) error {
	parts := map[string]Pick{}
	if err := strictyaml.DecodeNode(n, &parts); err != nil {
		return err
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i].Value
		part := parts[name]
		if name != "each" {
			p.fields = append(p.fields, field{name, part})
			continue
		}
		if p.each = part.path; p.each == nil {
			return strictyaml.Errorf(n.Content[i+1], "each is one XPath")
		}
	}
	if len(p.fields) == 0 {
		return strictyaml.Errorf(n, "there is nothing to pick: name a key and its XPath")
	}
	return nil
}

// MaxRows is the maximum number of nodes of an each.
const MaxRows = 1000

// of returns the picked value of a page.
func (p *Pick) of(at node, hide func(string) string) any {
	if p.path != nil {
		return p.path.value(at, hide)
	}
	if p.each == nil {
		return p.fieldsOf(at, hide)
	}
	rows := []any{}
	p.each.nodes(at, func(row node) bool {
		rows = append(rows, p.fieldsOf(row, hide))
		return len(rows) < MaxRows
	})
	return rows
}

func (p *Pick) fieldsOf(at node, hide func(string) string) map[string]any {
	out := make(map[string]any, len(p.fields))
	for _, f := range p.fields {
		out[f.name] = f.pick.of(at, hide)
	}
	return out
}
