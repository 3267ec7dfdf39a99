package datasets

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// yamlWriter writes what a person would: one field a line, names plain where that is safe,
// other texts in quotes, lists in brackets.
func yamlWriter(w io.Writer) func(*Query) error {
	first := true
	return func(q *Query) error {
		raw, err := json.Marshal(toWrite(q))
		if err != nil {
			return err
		}
		query, wrong := parseJSON(raw, strictyaml.Pos{})
		if wrong != nil {
			return wrong
		}
		restyle(query, "")
		var item bytes.Buffer
		if !first {
			item.WriteByte('\n')
		}
		first = false
		out := yaml.NewEncoder(&item)
		out.SetIndent(2)
		if err := out.Encode([]*yaml.Node{query}); err != nil {
			return err
		}
		_, err = item.WriteTo(w)
		return err
	}
}

var name = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

// restyle chooses how the value of a field is written; the strings of JSON are in quotes.
func restyle(n *yaml.Node, field string) {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			n.Content[i].Style = 0
			restyle(n.Content[i+1], n.Content[i].Value)
		}
	case yaml.SequenceNode:
		n.Style = yaml.FlowStyle
	case yaml.ScalarNode:
		if slices.Contains([]string{"id", "category", "type", "outcome", "cluster", "source"}, field) && name.MatchString(n.Value) {
			n.Style = 0
		}
	}
}
