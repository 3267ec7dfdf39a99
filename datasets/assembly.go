package datasets

import (
	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// assembly is a record of ours that is put together field by field.
type assembly struct {
	record, gold *yaml.Node
	goldKey      *yaml.Node
	has          map[string]bool // the fields that were added
	decided      map[string]bool // the fields that a mapping answers for
}

func newAssembly(at strictyaml.Pos) *assembly {
	mapping := func() *yaml.Node {
		return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: at.Line, Column: at.Column}
	}
	return &assembly{
		record: mapping(), gold: mapping(), goldKey: text("gold", at),
		has: map[string]bool{}, decided: map[string]bool{},
	}
}

// add gives a field of ours its value, at the top or in the gold.
func (a *assembly) add(field string, value *yaml.Node) {
	into := a.record
	if isGoldField(field) {
		into = a.gold
	}
	key := text(field, strictyaml.Pos{Line: value.Line, Column: value.Column})
	into.Content = append(into.Content, key, value)
	a.has[field] = true
}

// take adds a field of the file unchanged.
func (a *assembly) take(name string, key, value *yaml.Node) {
	a.record.Content = append(a.record.Content, key, value)
	a.has[name] = true
}

// takeGold adds what a gold of the file holds and no mapping answers for.
func (a *assembly) takeGold(key, value *yaml.Node) {
	if a.has["gold"] {
		a.take("gold", key, value) // for the decoder to refuse
		return
	}
	a.has["gold"] = true
	a.goldKey = key
	if value.Kind != yaml.MappingNode {
		a.gold = value // likewise
		return
	}
	a.gold.Line, a.gold.Column = value.Line, value.Column
	for i := 0; i+1 < len(value.Content); i += 2 {
		if !a.decided[value.Content[i].Value] {
			a.gold.Content = append(a.gold.Content, value.Content[i], value.Content[i+1])
		}
	}
}

// node is the whole. A gold stands in it where the file or the mapping says
// anything of one, and in a flat file, where every record has one.
func (a *assembly) node(flat bool) *yaml.Node {
	if flat || a.has["gold"] || len(a.gold.Content) > 0 {
		a.record.Content = append(a.record.Content, a.goldKey, a.gold)
	}
	return a.record
}
