package datasets

import (
	"cmp"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// record is a query in the form of a file.
type record struct {
	ID       string            `yaml:"id"`
	Category string            `yaml:"category"`
	Query    string            `yaml:"query"`
	Gold     goldRecord        `yaml:"gold"`
	Expects  expectsRecord     `yaml:"expects"`
	MaxSteps int               `yaml:"max_steps"`
	Cluster  string            `yaml:"cluster"`
	Source   string            `yaml:"source"`
	Tags     []word            `yaml:"tags"`
	History  []turnRecord      `yaml:"history"`
	Owner    string            `yaml:"owner"`
	Now      string            `yaml:"now"`
	Locale   string            `yaml:"locale"` // used if the gold has none
	Meta     map[string]string `yaml:"meta"`
	At       strictyaml.Pos    `yaml:",pos"`
	Given    strictyaml.Keys   `yaml:",keys"`

	idByPlace bool // the id is given by the place of the record
}

type goldRecord struct {
	Type           string `yaml:"type"`
	Answer         string `yaml:"answer"`
	Aliases        []word `yaml:"aliases"`
	Tolerance      string `yaml:"tolerance"`
	answer.Options `yaml:",inline"`
	AllOf          []group         `yaml:"all_of"`
	NoneOf         []word          `yaml:"none_of"`
	Condition      string          `yaml:"condition"`
	Outcome        string          `yaml:"outcome"`
	proposed       bool            // the type was proposed from the answer and its aliases
	At             strictyaml.Pos  `yaml:",pos"`
	Given          strictyaml.Keys `yaml:",keys"`
}

// word is an alias, a keyword or a tag with its place.
type word struct {
	text string
	at   strictyaml.Pos
}

// UnmarshalNode reads text.
func (w *word) UnmarshalNode(n *yaml.Node) error {
	w.at = strictyaml.Pos{Line: n.Line, Column: n.Column}
	return strictyaml.DecodeNode(n, &w.text)
}

// group is a keyword, or a list of keywords of which one is enough.
type group struct {
	words []word
	at    strictyaml.Pos
}

// UnmarshalNode reads text or a list of text.
func (g *group) UnmarshalNode(n *yaml.Node) error {
	g.at = strictyaml.Pos{Line: n.Line, Column: n.Column}
	if n.Kind == yaml.SequenceNode {
		return strictyaml.DecodeNode(n, &g.words)
	}
	g.words = make([]word, 1)
	return strictyaml.DecodeNode(n, &g.words[0])
}

// tidy gives the texts of a record the same form for all kinds of files: lines end in \n, and outer white
// space is removed.
func (r *record) tidy() {
	g := &r.Gold
	for _, s := range []*string{&r.Category, &r.Query, &r.Cluster, &r.Source, &r.Owner, &r.Now, &g.Answer,
		&g.Condition} {
		*s = trimText(*s)
	}
	for i := range r.History {
		r.History[i].Content = trimText(r.History[i].Content)
	}
	for name, value := range r.Meta {
		r.Meta[name] = trimText(value)
	}
	lists := [][]word{g.Aliases, g.NoneOf, r.Tags}
	for _, alternatives := range g.AllOf {
		lists = append(lists, alternatives.words)
	}
	for _, words := range lists {
		for i := range words {
			words[i].text = trimText(words[i].text)
		}
	}
}

func trimText(s string) string {
	if strings.Contains(s, "\r") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	return strings.TrimSpace(s)
}

// texts returns the words without their places; nil if words is empty.
func texts(words []word) []string {
	var list []string
	for _, w := range words {
		list = append(list, w.text)
	}
	return list
}

// assembly is a record that is built field by field.
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

// add gives a field its value, in the query or in the gold.
func (a *assembly) add(field string, value *yaml.Node) {
	into := a.record
	if isGoldField(field) {
		into = a.gold
	}
	into.Content = append(into.Content, textNode(field, strictyaml.Pos{Line: value.Line, Column: value.Column}), value)
}

// nested returns a flat record with its gold in an object of its own.
func nested(n *yaml.Node) *yaml.Node {
	out := newAssembly(strictyaml.Pos{Line: n.Line, Column: n.Column})
	for i := 0; i+1 < len(n.Content); i += 2 {
		out.add(n.Content[i].Value, n.Content[i+1])
	}
	return out.node(true)
}

// takeGold adds the fields of the file's gold, except those left out.
func (a *assembly) takeGold(key, value *yaml.Node, leftOut func(field string) bool) {
	switch {
	case a.goldKey != nil: // the decoder refuses it
		a.record.Content = append(a.record.Content, key, value)
		return
	case value.Kind != yaml.MappingNode: // the decoder refuses it
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

// node returns the complete record. It has a gold if the file or the mapping gives any part of one, and
// always in a flat file.
func (a *assembly) node(flat bool) *yaml.Node {
	if flat || a.goldKey != nil || len(a.gold.Content) > 0 {
		key := cmp.Or(a.goldKey, textNode("gold", strictyaml.Pos{Line: a.record.Line, Column: a.record.Column}))
		a.record.Content = append(a.record.Content, key, a.gold)
	}
	return a.record
}
