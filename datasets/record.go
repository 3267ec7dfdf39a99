package datasets

import (
	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// entry is a query as it stands in a file.
type entry struct {
	record
	// broken: some of it could not be decoded, so what is absent is not
	// reported as missing.
	broken bool
}

type record struct {
	ID       string          `yaml:"id"`
	Category string          `yaml:"category"`
	Query    string          `yaml:"query"`
	Gold     goldRecord      `yaml:"gold"`
	MaxSteps int             `yaml:"max_steps"`
	Cluster  string          `yaml:"cluster"`
	Source   string          `yaml:"source"`
	At       strictyaml.Pos  `yaml:",pos"`
	Given    strictyaml.Keys `yaml:",keys"`
}

type goldRecord struct {
	Type      string          `yaml:"type"`
	Answer    string          `yaml:"answer"`
	Aliases   []word          `yaml:"aliases"`
	Tolerance string          `yaml:"tolerance"`
	AllOf     []group         `yaml:"all_of"`
	NoneOf    []word          `yaml:"none_of"`
	Condition string          `yaml:"condition"`
	Outcome   string          `yaml:"outcome"`
	At        strictyaml.Pos  `yaml:",pos"`
	Given     strictyaml.Keys `yaml:",keys"`
}

// UnmarshalNode notes whether the record could be decoded.
func (e *entry) UnmarshalNode(n *yaml.Node) error {
	err := strictyaml.DecodeNode(n, &e.record)
	e.broken = err != nil
	return err
}

// word is an alias or a keyword with its place.
type word struct {
	text string
	at   strictyaml.Pos
}

// UnmarshalNode takes text.
func (w *word) UnmarshalNode(n *yaml.Node) error {
	w.at = strictyaml.Pos{Line: n.Line, Column: n.Column}
	return strictyaml.DecodeNode(n, &w.text)
}

// group is a keyword, or a list of keywords of which one is enough.
type group struct {
	words []word
	at    strictyaml.Pos
}

// UnmarshalNode takes text or a list of text.
func (g *group) UnmarshalNode(n *yaml.Node) error {
	g.at = strictyaml.Pos{Line: n.Line, Column: n.Column}
	if n.Kind == yaml.SequenceNode {
		return strictyaml.DecodeNode(n, &g.words)
	}
	g.words = make([]word, 1)
	return strictyaml.DecodeNode(n, &g.words[0])
}

// texts returns the words without their places; nil for none.
func texts(words []word) []string {
	var list []string
	for _, w := range words {
		list = append(list, w.text)
	}
	return list
}
