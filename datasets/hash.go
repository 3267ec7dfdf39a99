package datasets

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"slices"
	"strings"
)

// canonicalQuery fixes names and order of the fields that are hashed. A field that is
// added later is left out at its default, so that the hashes from before it stay.
type canonicalQuery struct {
	ID       string        `json:"id"`
	Category string        `json:"category"`
	Query    string        `json:"query"`
	Gold     canonicalGold `json:"gold"`
	MaxSteps int           `json:"max_steps"`
	Cluster  string        `json:"cluster"`
	Source   string        `json:"source"`
	Tags     []string      `json:"tags,omitempty"`
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

// hashQueries returns the SHA-256 of a line naming the form and then one line
// of JSON per query, all fields present, sorted by id. The order of a file
// reaches no result, so it does not reach the hash.
func hashQueries(queries []Query) string {
	lines := newLineHash("concur/dataset/v1")
	for _, i := range order(queries, func(q *Query) string { return q.ID }) {
		lines.add(queries[i].canonical())
	}
	return lines.sum()
}

// Hash is of the question, its step limit and its gold, as 16 hexadecimal digits: two runs
// with the same hash under an id asked the same and held it against the same.
func (q Query) Hash() string {
	q.Category, q.Cluster, q.Source, q.Tags = "", "", "", nil
	line := newLineHash("concur/query/v1")
	line.add(q.canonical())
	return strings.TrimPrefix(line.sum(), "sha256:")[:16]
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
		MaxSteps: q.MaxSteps, Cluster: q.Cluster, Source: q.Source, Tags: q.Tags,
	}
}

// hashDocuments does the same for a corpus.
func hashDocuments(documents []Document) string {
	lines := newLineHash("concur/corpus/v1")
	for _, i := range order(documents, func(d *Document) string { return d.ID }) {
		lines.add(&documents[i])
	}
	return lines.sum()
}

// order returns the indexes of a list in order of a key.
func order[T any](list []T, key func(*T) string) []int {
	indexes := make([]int, len(list))
	for i := range indexes {
		indexes[i] = i
	}
	slices.SortFunc(indexes, func(a, b int) int { return cmp.Compare(key(&list[a]), key(&list[b])) })
	return indexes
}

// lineHash hashes values as lines of JSON without holding them all.
type lineHash struct {
	digest hash.Hash
	lines  *json.Encoder
}

func newLineHash(schema string) lineHash {
	digest := sha256.New()
	h := lineHash{digest: digest, lines: json.NewEncoder(digest)}
	h.add(struct {
		Schema string `json:"schema"`
	}{schema})
	return h
}

// add cannot fail: strings and integers have a JSON form, and a hash takes all
// that is written.
func (h lineHash) add(v any) { _ = h.lines.Encode(v) }

func (h lineHash) sum() string { return "sha256:" + hex.EncodeToString(h.digest.Sum(nil)) }
