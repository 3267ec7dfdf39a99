package datasets

import (
	"strings"

	"github.com/seed-5817661a/concur/internal/lines"
)

// canonicalQuery fixes names and order of the fields that are hashed. A field that is
// added later is left out at its default, so that the hashes from before it stay.
type canonicalQuery struct {
	ID       string        `json:"id"`
	Category string        `json:"category"`
	Query    string        `json:"query"`
	Gold     canonicalGold `json:"gold"`
	Expects  *Expects      `json:"expects,omitempty"`
	MaxSteps int           `json:"max_steps"`
	Cluster  string        `json:"cluster"`
	Source   string        `json:"source"`
	Tags     []string      `json:"tags,omitempty"`
	Context
}

type canonicalGold struct {
	Type      string     `json:"type"`
	Answer    string     `json:"answer"`
	Aliases   []string   `json:"aliases"`
	Tolerance string     `json:"tolerance"`
	AllOf     [][]string `json:"all_of"`
	NoneOf    []string   `json:"none_of"`
	Condition string     `json:"condition"`
	Outcome   string     `json:"outcome"`
	goldOptions
}

// goldOptions are the options of a gold that its file can give.
type goldOptions struct {
	Ordered      bool `json:"ordered,omitempty"`
	UnitOptional bool `json:"unit_optional,omitempty"`
	PrefixDate   bool `json:"prefix_date,omitempty"`
	BarePercent  bool `json:"bare_percent,omitempty"`
}

func optionsOf(g *Gold) goldOptions {
	return goldOptions{g.Options.Ordered, g.Options.UnitOptional, g.Options.PrefixDate, g.Options.BarePercent}
}

// hashQueries hashes all fields of the queries. The order of a file reaches no result, so
// it does not reach the hash.
func hashQueries(queries []Query) string {
	return lines.Hash("concur/dataset/v1", queries, func(q *Query) string { return q.ID }, func(q *Query) any { return q.canonical() })
}

// Hash is of the question, its step limit and its gold, as 16 hexadecimal digits: two runs
// with the same hash under an id asked the same and held it against the same.
func (q Query) Hash() string {
	q.Category, q.Cluster, q.Source, q.Tags = "", "", "", nil
	of := func(q *Query) any { return q.canonical() }
	return strings.TrimPrefix(lines.Hash("concur/query/v1", []Query{q}, func(*Query) string { return "" }, of), "sha256:")[:16]
}

func (q Query) canonical() canonicalQuery {
	g := &q.Gold
	return canonicalQuery{
		ID: q.ID, Category: q.Category, Query: q.Text,
		Gold: canonicalGold{
			Type: string(g.Type), Answer: g.Answer, Aliases: append([]string{}, g.Aliases...),
			Tolerance: g.Tolerance.String(), AllOf: append([][]string{}, g.AllOf...), NoneOf: append([]string{}, g.NoneOf...),
			Condition: g.Condition, Outcome: string(g.Outcome), goldOptions: optionsOf(g),
		},
		Expects: q.Expects, MaxSteps: q.MaxSteps, Cluster: q.Cluster, Source: q.Source, Tags: q.Tags, Context: q.Context,
	}
}
