package datasets

import (
	"cmp"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// assembly is a record of ours that is put together field by field.
type assembly struct {
	record, gold *yaml.Node
	goldKey      *yaml.Node // where the file has a gold; else nil
}

func newAssembly(at strictyaml.Pos) *assembly {
	return &assembly{record: mappingNode(at), gold: mappingNode(at)}
}

func mappingNode(at strictyaml.Pos) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: at.Line, Column: at.Column}
}

// add gives a field of ours its value, at the top or in the gold.
func (a *assembly) add(field string, value *yaml.Node) {
	into := a.record
	if isGoldField(field) {
		into = a.gold
	}
	into.Content = append(into.Content, textNode(field, strictyaml.Pos{Line: value.Line, Column: value.Column}), value)
}

// takeGold adds what a gold of the file holds and is not left out.
func (a *assembly) takeGold(key, value *yaml.Node, leftOut func(field string) bool) {
	switch {
	case a.goldKey != nil: // for the decoder to refuse
		a.record.Content = append(a.record.Content, key, value)
		return
	case value.Kind != yaml.MappingNode: // likewise
		a.goldKey, a.gold = key, value
		return
	}
	a.goldKey = key
	a.gold.Line, a.gold.Column = value.Line, value.Column
	for i := 0; i+1 < len(value.Content); i += 2 {
		if !leftOut(value.Content[i].Value) {
			a.gold.Content = append(a.gold.Content, value.Content[i], value.Content[i+1])
		}
	}
}

// node is the whole. A gold stands in it where the file or the mapping says
// anything of one, and in a flat file, where every record has one.
func (a *assembly) node(flat bool) *yaml.Node {
	if flat || a.goldKey != nil || len(a.gold.Content) > 0 {
		key := cmp.Or(a.goldKey, textNode("gold", strictyaml.Pos{Line: a.record.Line, Column: a.record.Column}))
		a.record.Content = append(a.record.Content, key, a.gold)
	}
	return a.record
}
