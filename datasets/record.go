package datasets

import (
	"cmp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/datasets/checks"
	"github.com/seed-5817661a/concur/datasets/jsonnode"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// record is a query as written in a file.
type record struct {
	ID       string         `yaml:"id"`
	Category string         `yaml:"category"`
	Query    string         `yaml:"query"`
	Gold     goldRecord     `yaml:"gold"`
	Checks   []checks.Check `yaml:"checks"`
	// Threshold is the minimum of the weighted mean of the scores of Checks. It has the same effect as one
	// entry of the kind all with a threshold.
	Threshold float64           `yaml:"threshold"`
	Expects   expectsRecord     `yaml:"expects"`
	MaxSteps  int               `yaml:"max_steps"`
	Cluster   string            `yaml:"cluster"`
	Source    string            `yaml:"source"`
	Tags      []word            `yaml:"tags"`
	History   []turnRecord      `yaml:"history"`
	Owner     string            `yaml:"owner"`
	Now       string            `yaml:"now"`
	Locale    string            `yaml:"locale"` // used if the gold gives no locale
	Meta      map[string]string `yaml:"meta"`
	Turns     []scriptedRecord  `yaml:"turns"`
	At        strictyaml.Pos    `yaml:",pos"`
	Given     strictyaml.Keys   `yaml:",keys"`

	idByPlace bool // the id was derived from the position of the record
}

// tidy gives texts the same form for all kinds of files: lines end in \n, and outer white space is removed.
func (r *record) tidy() {
	for _, s := range []*string{&r.Category, &r.Query, &r.Cluster, &r.Source, &r.Owner, &r.Now} {
		*s = trimText(*s)
	}
	r.Gold.tidy()
	for i := range r.History {
		r.History[i].Content = trimText(r.History[i].Content)
	}
	for name, value := range r.Meta {
		r.Meta[name] = trimText(value)
	}
	for i := range r.Turns {
		r.Turns[i].tidy()
	}
	tidyWords(r.Tags)
}

func tidyWords(lists ...[]word) {
	for _, words := range lists {
		for i := range words {
			words[i].text = trimText(words[i].text)
		}
	}
}

// assembly builds a record field by field.
type assembly struct {
	record, gold *yaml.Node
	goldKey      *yaml.Node // the key of the file's gold; nil if it has none
}

func newAssembly(at strictyaml.Pos) *assembly {
	return &assembly{record: mappingNode(at), gold: mappingNode(at)}
}

func mappingNode(at strictyaml.Pos) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: at.Line, Column: at.Column}
}

// add sets a field of the query or of the gold.
func (a *assembly) add(field string, value *yaml.Node) {
	into := a.record
	if isGoldField(field) {
		into = a.gold
	}
	into.Content = append(into.Content, textNode(field, strictyaml.Pos{Line: value.Line, Column: value.Column}), value)
}

// nested moves the gold's fields of a flat record into an object.
func nested(n *yaml.Node) *yaml.Node {
	out := newAssembly(strictyaml.Pos{Line: n.Line, Column: n.Column})
	for i := 0; i+1 < len(n.Content); i += 2 {
		out.add(n.Content[i].Value, n.Content[i+1])
	}
	return out.node(true)
}

// takeGold adds the fields of the gold in the file. It leaves out the fields for which leftOut returns true.
func (a *assembly) takeGold(key, value *yaml.Node, leftOut func(field string) bool) {
	switch {
	case a.goldKey != nil: // an error in the decoder
		a.record.Content = append(a.record.Content, key, value)
		return
	case value.Kind != yaml.MappingNode: // an error in the decoder
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

// node returns the complete record. The record has a gold if the file or the mapping gives a part of it, or if
// flat is set.
func (a *assembly) node(flat bool) *yaml.Node {
	if flat || a.goldKey != nil || len(a.gold.Content) > 0 {
		key := cmp.Or(a.goldKey, textNode("gold", strictyaml.Pos{Line: a.record.Line, Column: a.record.Column}))
		a.record.Content = append(a.record.Content, key, a.gold)
	}
	return a.record
}

// checksField is the column of a table that has the checks as JSON. In JSON and YAML, checks are read only if
// the file is in concur's own form. So a field with this name in a file of another program stays metadata.
const checksField = "checks"

// fieldNames are the fields of a query and of its gold. The columns of a CSV file and a Mapping use these names.
var fieldNames = slices.Concat([]string{"id", "category", "query"}, goldFields,
	[]string{"max_steps", "cluster", "source", "tags", "expects", "history", "owner", "now", "meta", "locale"})

var goldFields = []string{
	"type", "answer", "aliases", "tolerance", "ordered", "unit_optional", "prefix_date", "bare_percent",
	"all_of", "none_of", "condition", "outcome",
}

// isGoldField reports whether a field is one of the gold. Some of these fields cannot be columns of a table.
func isGoldField(name string) bool {
	return slices.Contains([]string{"locale", "rows", "columns", "sql", "tool"}, name) ||
		slices.Contains(goldFields, name) || slices.Contains(testFields, name)
}

// The separators in a cell: between keywords, and between groups of all_of. A backslash escapes separators and
// backslashes.
const (
	betweenWords  = '|'
	betweenGroups = ';'
)

// cellNode reads the text of a cell as the value of a field: a list, a number, true or false. Nodes that are
// not scalars are returned unchanged.
func cellNode(field string, n *yaml.Node) *yaml.Node {
	if n.Kind != yaml.ScalarNode {
		return n
	}
	at := strictyaml.Pos{Line: n.Line, Column: n.Column}
	switch field {
	case "aliases", "none_of", "tags":
		return wordsNode(n.Value, at)
	case "all_of":
		groups := sequence(at)
		for _, group := range splitCell(n.Value, betweenGroups) {
			groups.Content = append(groups.Content, wordsNode(group, at))
		}
		return groups
	case "expects", "history", "meta", checksField:
		if value, wrong := jsonnode.Parse([]byte(n.Value), at); wrong == nil {
			return value
		}
	case "max_steps", "ordered", "unit_optional", "prefix_date", "bare_percent", "beside":
		// The decoder finds the type by the form.
		return &yaml.Node{Kind: yaml.ScalarNode, Value: n.Value, Line: n.Line, Column: n.Column}
	}
	return n
}

func wordsNode(s string, at strictyaml.Pos) *yaml.Node {
	words := sequence(at)
	for _, word := range splitCell(s, betweenWords) {
		words.Content = append(words.Content, textNode(unescape(word), at))
	}
	return words
}

func sequence(at strictyaml.Pos) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Line: at.Line, Column: at.Column}
}

// splitCell splits a cell at the separators that have no backslash before them. It keeps the backslashes.
func splitCell(s string, separator byte) []string {
	var parts []string
	start := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case separator:
			parts = append(parts, s[start:i])
			start = i + 1
		}
	}
	return append(parts, s[start:])
}

// unescape removes a backslash before a separator or another backslash. It keeps other backslashes.
func unescape(s string) string {
	return strings.NewReplacer(`\\`, `\`, `\|`, `|`, `\;`, `;`).Replace(s)
}

// escape puts a backslash before separators and backslashes. unescape reverses it.
func escape(s string) string { return strings.NewReplacer(`\`, `\\`, `|`, `\|`, `;`, `\;`).Replace(s) }

// joinWords writes keywords in the form that cellNode reads.
func joinWords(words []string) string {
	parts := make([]string, len(words))
	for i, word := range words {
		parts[i] = escape(word)
	}
	return strings.Join(parts, string(betweenWords))
}

// joinGroups writes groups of keywords in the form that cellNode reads.
func joinGroups(groups [][]string) string {
	parts := make([]string, len(groups))
	for i, group := range groups {
		parts[i] = joinWords(group)
	}
	return strings.Join(parts, string(betweenGroups))
}

// trimText removes outer white space, and ends lines with \n.
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
