package datasets

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// fieldNames are the fields of a query and of its gold in one list. The columns of a CSV file and a Mapping use these
// names.
var fieldNames = slices.Concat([]string{"id", "category", "query"}, goldFields,
	[]string{"max_steps", "cluster", "source", "tags", "expects", "history", "owner", "now", "meta", "locale"})

var goldFields = []string{
	"type", "answer", "aliases", "tolerance", "ordered", "unit_optional", "prefix_date", "bare_percent",
	"all_of", "none_of", "condition", "outcome",
}

func isGoldField(name string) bool { return name == "locale" || slices.Contains(goldFields, name) }

// Separators in a cell, between keywords and between the groups of all_of. A
// backslash escapes a separator or a backslash.
const (
	betweenWords  = '|'
	betweenGroups = ';'
)

// cellNode reads the text of a cell as the value of a field: a list, a number, true or
// false. A node that is not a scalar is returned unchanged.
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
	case "expects", "history", "meta":
		if value, wrong := parseJSON([]byte(n.Value), at); wrong == nil {
			return value
		}
	case "max_steps", "ordered", "unit_optional", "prefix_date", "bare_percent":
		// the decoder finds the type from the form
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

// splitCell splits at separators without a backslash, and keeps the backslashes.
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

// escape puts a backslash before separators and backslashes; it inverts unescape.
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
