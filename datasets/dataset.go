package datasets

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/lines"
)

// Query is one item of a dataset. Hashes are over its JSON: the order of the fields counts, and a field that is added
// later is left out at its default, so that the hashes from before it stay.
type Query struct {
	ID       string   `json:"id"` // unique; at most 100 of A-Z a-z 0-9 . _ -
	Category string   `json:"category"`
	Text     string   `json:"query"` // what the agent is asked
	Gold     Gold     `json:"gold"`
	Expects  *Expects `json:"expects,omitempty"` // tool calls; nil where any are right
	MaxSteps int      `json:"max_steps"`         // steps that the agent may take; 0 where the query does not say
	Cluster  string   `json:"cluster"`           // queries of one cluster depend on each other; may be empty
	Source   string   `json:"source"`            // where the answer can be checked; may be empty
	Tags     []string `json:"tags,omitempty"`    // words to choose queries by; may be empty
	Context
	Meta map[string]string `json:"meta,omitempty"` // what else the file says of the query, by name
}

// Gold says what a right answer must hold. Everything that is given must hold.
type Gold struct {
	// Type is that of Answer; Text where there is no Answer and the file names none.
	Type answer.Type `json:"type"`
	// Answer is as written in the file; empty where only keywords, a condition or the outcome count.
	Answer    string           `json:"answer"`
	Aliases   []string         `json:"aliases"` // other answers that are as right
	Tolerance answer.Tolerance `json:"tolerance"`
	AllOf     [][]string       `json:"all_of"`    // of each group, one keyword must stand in the final message
	NoneOf    []string         `json:"none_of"`   // keywords that must not stand in the final message
	Condition string           `json:"condition"` // in words, for the correctness judge
	Outcome   answer.Kind      `json:"outcome"`   // what the right behaviour is; never empty
	// Options say how the answer, and with it every vote, is read. Currency is never set: the answer itself has one.
	answer.Options
	// None says that there is no gold: the query is asked, and nothing is right or wrong. No file can say so.
	None bool `json:"-"`
}

// Read finds the answer in the final message that answers a question, as [Gold.ReadMessage] does.
func (g Gold) Read(message, question string) answer.Final {
	return g.ReadMessage(answer.Message{Text: message, Question: question})
}

// ReadMessage finds the answer in a final message, as [answer.Message.Extract] does. If the gold has neither an
// answer nor a type other than text, there is no short answer to find: then a message that says something is the
// answer.
func (g Gold) ReadMessage(message answer.Message) answer.Final {
	message.Read = g.Locale
	final := message.Extract(g.Type)
	if final.Kind != answer.None || g.Type != answer.Text || g.Answer != "" ||
		!strings.ContainsFunc(message.Text, saysSomething) {
		return final
	}
	return answer.Final{Kind: answer.Answered, Short: strings.TrimSpace(message.Text), Extract: answer.FromFallback}
}

func saysSomething(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Dataset is a named list of queries, not empty, in the order of its file.
type Dataset struct {
	Name    string
	Queries []Query
	Tools   []Tool // that the dataset brings for its agents; usually none
	Hash    string // "sha256:…" of the content, see Load
	// Notes say how the file was read where it does not say all itself: its form, which of its fields is which, the
	// types that were proposed. Each is a line for a person.
	Notes []string
}

// New returns a dataset of queries that come from no file. The caller makes sure that their ids are unique.
func New(name string, queries []Query) *Dataset {
	return &Dataset{Name: name, Queries: queries, Hash: hashQueries(queries)}
}

// Categories returns the categories in the order in which they first occur.
func (d *Dataset) Categories() []string {
	return d.distinct(func(q Query) []string { return []string{q.Category} })
}

// distinct gives the different words of the queries in the order in which they first occur.
func (d *Dataset) distinct(words func(Query) []string) []string {
	var list []string
	for _, q := range d.Queries {
		for _, word := range words(q) {
			if !slices.Contains(list, word) {
				list = append(list, word)
			}
		}
	}
	return list
}

// Expected is the gold in a few words: the answer as written with the number of its aliases, else the outcome in
// brackets, the keywords or the condition. It is "" where there is no gold.
func (g Gold) Expected() string {
	switch {
	case g.None:
		return ""
	case g.Outcome != "" && g.Outcome != answer.Answered:
		return "[" + string(g.Outcome) + "]"
	case len(g.Aliases) == 1:
		return g.Answer + " (or one alias)"
	case len(g.Aliases) > 0:
		return fmt.Sprintf("%s (or one of %d aliases)", g.Answer, len(g.Aliases))
	case g.Answer != "":
		return g.Answer
	case len(g.AllOf) > 0:
		groups := make([]string, len(g.AllOf))
		for i, group := range g.AllOf {
			groups[i] = strings.Join(group, " or ")
		}
		return "the keywords " + strings.Join(groups, ", ")
	case g.Condition != "":
		return g.Condition
	}
	return "[answered]"
}

// hashQueries hashes all fields of the queries. The order of a file reaches no result, so it does not reach the hash.
func hashQueries(queries []Query) string {
	return lines.Hash("concur/dataset/v1", queries, func(q *Query) string { return q.ID },
		func(q *Query) any { return q.canonical() })
}

// Hash is of the question, its step limit and its gold, as 16 hexadecimal digits: two runs
// with the same hash under an id asked the same and held it against the same.
func (q Query) Hash() string {
	q.Category, q.Cluster, q.Source, q.Tags, q.Meta = "", "", "", nil, nil
	of := func(q *Query) any { return q.canonical() }
	return strings.TrimPrefix(lines.Hash("concur/query/v1", []Query{q}, func(*Query) string { return "" }, of),
		"sha256:")[:16]
}

// canonical is the query as it is hashed: a nil list becomes an empty one.
func (q Query) canonical() Query {
	g := &q.Gold
	g.Aliases, g.NoneOf = append([]string{}, g.Aliases...), append([]string{}, g.NoneOf...)
	g.AllOf = append([][]string{}, g.AllOf...)
	return q
}
