package datasets

import (
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// record is a query in the form of a file.
type record struct {
	ID       string          `yaml:"id"`
	Category string          `yaml:"category"`
	Query    string          `yaml:"query"`
	Gold     goldRecord      `yaml:"gold"`
	Expects  expectsRecord   `yaml:"expects"`
	MaxSteps int             `yaml:"max_steps"`
	Cluster  string          `yaml:"cluster"`
	Source   string          `yaml:"source"`
	Tags     []word          `yaml:"tags"`
	History  []turnRecord    `yaml:"history"`
	Owner    string          `yaml:"owner"`
	Now      string          `yaml:"now"`
	At       strictyaml.Pos  `yaml:",pos"`
	Given    strictyaml.Keys `yaml:",keys"`
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
	At             strictyaml.Pos  `yaml:",pos"`
	Given          strictyaml.Keys `yaml:",keys"`
}

// word is an alias, a keyword or a tag with its place.
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

// tidy gives the words of a record the form that they have whatever file they come
// from: lines end in \n, and outer white space, which means nothing, is gone.
func (r *record) tidy() {
	g := &r.Gold
	for _, s := range []*string{&r.Category, &r.Query, &r.Cluster, &r.Source, &r.Owner, &r.Now, &g.Answer, &g.Condition} {
		*s = tidy(*s)
	}
	for i := range r.History {
		r.History[i].Content = tidy(r.History[i].Content)
	}
	lists := [][]word{g.Aliases, g.NoneOf, r.Tags}
	for _, alternatives := range g.AllOf {
		lists = append(lists, alternatives.words)
	}
	for _, words := range lists {
		for i := range words {
			words[i].text = tidy(words[i].text)
		}
	}
}

func tidy(s string) string {
	if strings.Contains(s, "\r") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	return strings.TrimSpace(s)
}

// texts returns the words without their places; nil for none.
func texts(words []word) []string {
	var list []string
	for _, w := range words {
		list = append(list, w.text)
	}
	return list
}
