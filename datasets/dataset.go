package datasets

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/datasets/checks"
	"github.com/seed-5817661a/concur/datasets/premise"
	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/trace"
)

// Query is one item of a dataset. Hashes are computed from its JSON, so the order of the fields must not
// change. A new field must be omitted from the JSON when it has its default value, so that old hashes do not
// change.
type Query struct {
	ID       string `json:"id"` // unique; at most 100 of A-Z a-z 0-9 . _ -
	Category string `json:"category"`
	Text     string `json:"query"` // the question to the agent
	// Gold is given unless the query has only checks; see [Query.HasGold].
	Gold     Gold           `json:"gold"`
	Checks   []checks.Check `json:"checks,omitempty"`  // what must hold beside the gold, or without one
	Expects  *Expects       `json:"expects,omitempty"` // expected tool calls; nil if all calls are allowed
	MaxSteps int            `json:"max_steps"`         // limit of the agent's steps; 0 if the query sets none
	Cluster  string         `json:"cluster"`           // queries of one cluster depend on each other; may be empty
	Source   string         `json:"source"`            // where the answer can be checked; may be empty
	Tags     []string       `json:"tags,omitempty"`    // words for selecting queries; may be empty
	Context
	Meta map[string]string `json:"meta,omitempty"` // other fields of the query's record, by name
	// Turns are the messages of a scripted person, who waits for a reply to each message. If a query has turns,
	// it is a conversation. Text then has the messages with their numbers, and Gold and Expects are not used.
	Turns []ScriptedTurn `json:"turns,omitempty"`
}

// HasGold reports whether the query has a gold in addition to its checks, or has no checks.
func (q Query) HasGold() bool { return len(q.Checks) == 0 || q.Gold.Outcome != "" }

// Expected returns a short description of what the query expects: its gold (see [Gold.Expected]) and its
// checks. For a conversation it has those of each turn, with the number of the turn.
func (q Query) Expected() string {
	var parts []string
	for i := range q.Turns {
		parts = append(parts, fmt.Sprintf("%d. %s", i+1, q.Turn(i, nil).Expected()))
	}
	if len(q.Turns) > 0 {
		return strings.Join(parts, " ")
	}
	if q.HasGold() {
		parts = append(parts, q.Gold.Expected())
	}
	for _, c := range q.Checks {
		parts = append(parts, c.String())
	}
	return strings.Join(parts, "; ")
}

// VotesByChecks reports whether the votes on the query compare the results of its checks. This is so if the
// query has checks, and its gold has no typed answer by which answers could be compared.
func (q Query) VotesByChecks() bool {
	g := q.Gold
	return len(q.Checks) > 0 && g.Answer == "" && g.FalsePremise == "" && g.SQL == "" &&
		(g.Type == answer.Text || g.Type == "")
}

// Gold specifies the right answers. An answer is right if it meets all fields that are set.
type Gold struct {
	// Type is the type of Answer; Text if Answer is empty and the file gives no type.
	Type answer.Type `json:"type"`
	// Answer is the answer as written in the file; "" if only keywords, a condition or the outcome count.
	Answer    string           `json:"answer"`
	Aliases   []string         `json:"aliases"` // other right answers
	Tolerance answer.Tolerance `json:"tolerance"`
	AllOf     [][]string       `json:"all_of"`    // the final message must contain a keyword of each group
	NoneOf    []string         `json:"none_of"`   // keywords that the final message must not contain
	Condition string           `json:"condition"` // a sentence that the correctness judge must find true of the answer
	// Outcome is the right outcome; "" only if the query has checks and no gold.
	Outcome trace.Outcome `json:"outcome"`
	// Options control how the answer and all votes are normalised. Currency is never set, because the answer
	// contains it.
	answer.Options
	// At is the time for which the gold holds: a date (2026-11-27), a time (RFC 3339), or "" if the gold does not depend
	// on a time. A file in a form of tables cannot set it.
	At string `json:"at,omitempty"`
	// SQL is a statement whose rows are the answer: those of the agent's last statement must equal them. Answer is then
	// "" until a run has executed the statement. Tool is the tool with the database; "" for the only one.
	SQL  string `json:"sql,omitempty"`
	Tool string `json:"tool,omitempty"`
	// None is true if the query has no gold. An answer is then neither right nor wrong. A file cannot set None.
	None bool `json:"-"`
}

// Read finds the short answer in the final message to a question, as [Gold.ReadMessage] does.
func (g Gold) Read(message, question string) answer.Final {
	return g.ReadMessage(answer.Message{Text: message, Question: question})
}

// ReadMessage finds the short answer in a final message, as [answer.Message.Extract] does. If the gold has no
// answer and no type except text, the whole message is the answer.
func (g Gold) ReadMessage(message answer.Message) answer.Final {
	message.Read = g.Locale
	final := message.Extract(g.Type)
	if g.FalsePremise != "" {
		final = g.withDenial(message, final)
	}
	if final.Outcome != trace.NoAnswer || g.Type != answer.Text || g.Answer != "" ||
		!strings.ContainsFunc(message.Text, saysSomething) {
		return final
	}
	return answer.Final{Outcome: trace.Answered, Short: strings.TrimSpace(message.Text), Extract: answer.FromFallback}
}

// withDenial reads a final message to a question with a false premise. If the message denies the premise, the
// answer is the sentence with the denial. There are exceptions: the message marks another answer, refuses, or
// abstains with [ABSTAIN]. A marked answer such as "none" or "unknown" does not count as another answer.
func (g Gold) withDenial(message answer.Message, final answer.Final) answer.Final {
	if final.Outcome == trace.Refused || final.Extract == answer.FromLine && final.Outcome == trace.Abstained {
		return final
	}
	from := message.Text
	if final.Extract == answer.FromLine {
		from = final.Short
	}
	if denial := premise.Denial(from, g.FalsePremise); denial != "" {
		return answer.Final{Outcome: trace.Answered, Short: denial, Extract: cmp.Or(final.Extract, answer.FromFallback)}
	}
	return final
}

func saysSomething(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Dataset is a named list of queries in the order of its file.
type Dataset struct {
	Name    string
	Queries []Query
	Tools   []Tool // tools of the dataset for its agents; usually none
	Hash    string // "sha256:…" of the content, see Load
	// Notes are sentences for people. They say what the loader guessed if the file is not in concur's own form:
	// the form of the file, the meaning of its fields, the proposed types.
	Notes []string
}

// New returns a dataset of queries that come from no file. The caller must give unique ids.
func New(name string, queries []Query) *Dataset {
	return &Dataset{Name: name, Queries: queries, Hash: hashQueries(queries)}
}

// Categories returns the categories in the order in which they first occur.
func (d *Dataset) Categories() []string {
	return distinct(d.each, func(q *Query) []string { return []string{q.Category} })
}

// distinct returns the words that the function words gives for the queries, each once, in the order in which
// they first occur. It leaves out queries that cannot be read.
func distinct(all iter.Seq2[Query, error], words func(*Query) []string) []string {
	var list []string
	seen := map[string]bool{}
	for q, err := range all {
		if err != nil {
			continue
		}
		for _, word := range words(&q) {
			if !seen[word] {
				seen[word] = true
				list = append(list, word)
			}
		}
	}
	return list
}

// Expected returns a short description of the gold: the answer as written, with the number of its aliases. For
// a gold without an answer it has the outcome in brackets, the statement, the keywords or the condition. The time for
// which the gold holds follows. It is "" if there is no gold.
func (g Gold) Expected() string {
	if g.None {
		return ""
	}
	if g.At != "" {
		at := g.At
		g.At = ""
		return g.Expected() + " at " + at
	}
	switch {
	case g.Outcome != "" && g.Outcome != trace.Answered:
		return "[" + string(g.Outcome) + "]"
	case g.SQL != "":
		return strings.Join(strings.Fields(g.SQL), " ")
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
	case g.FalsePremise != "":
		return "[premise denied]"
	}
	return "[answered]"
}

// hashQueries hashes all fields of the queries. It sorts the queries by id, because their order in a file has
// no effect on results.
func hashQueries(queries []Query) string {
	var form Query // the query to be hashed
	return lines.Hash(datasetSchema, queries, func(q *Query) string { return q.ID },
		func(q *Query) any {
			form = q.canonical()
			return &form
		})
}

// HashLines returns the hash of a dataset. tools are its tools, and sorted are the lines of its queries (see
// [LineEncoder]), sorted by id. If the sequence yields an error, HashLines returns it.
func HashLines(tools []Tool, sorted iter.Seq2[[]byte, error]) (string, error) {
	hash, err := lines.HashLines(datasetSchema, sorted)
	return hashWithTools(hash, tools), err
}

// LineEncoder writes queries as lines of JSON, and uses the same memory for all. The zero value is ready to use.
type LineEncoder struct {
	form Query
	line bytes.Buffer
}

// Line returns the line from which a query is hashed, with its line end. [ReadLine] reads it. The line is valid until
// the next call. The error says that an argument of an expected call cannot be written as JSON. Queries from a file
// have no such arguments.
func (e *LineEncoder) Line(q *Query) ([]byte, error) {
	e.form = q.canonical()
	e.line.Reset()
	err := json.NewEncoder(&e.line).Encode(&e.form)
	return e.line.Bytes(), err
}

// ReadLine returns the query of a line of a [LineEncoder]. It equals the original query, except that numbers in
// the arguments of expected calls have the type json.Number.
func ReadLine(line []byte) (q Query, err error) {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.UseNumber()
	if err := decoder.Decode(&q); err != nil {
		return q, fmt.Errorf("read stored query: %w", err)
	}
	q.Gold.withoutEmpty()
	for i := range q.Turns {
		q.Turns[i].Gold.withoutEmpty()
	}
	return q, nil
}

// withoutEmpty replaces empty lists by nil.
func (g *Gold) withoutEmpty() {
	g.Aliases, g.NoneOf, g.AllOf = unlessEmpty(g.Aliases), unlessEmpty(g.NoneOf), unlessEmpty(g.AllOf)
}

// unlessEmpty returns a list; nil if it is empty.
func unlessEmpty[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}

// Hash returns a hash of the question, its step limit and its gold, as 16 hexadecimal digits. If a query has
// the same hash in two runs, its question and gold were the same.
func (q Query) Hash() string {
	q.Category, q.Cluster, q.Source, q.Tags, q.Meta = "", "", "", nil, nil
	of := func(q *Query) any { return q.canonical() }
	return strings.TrimPrefix(lines.Hash("concur/query/v1", []Query{q}, func(*Query) string { return "" }, of),
		"sha256:")[:16]
}

// canonical returns the form of the query that is hashed, with an empty list for each nil list.
func (q Query) canonical() Query {
	q.Gold = q.Gold.canonical()
	q.Turns = slices.Clone(q.Turns)
	for i := range q.Turns {
		q.Turns[i].Gold = q.Turns[i].Gold.canonical()
	}
	return q
}

func (g Gold) canonical() Gold {
	g.Aliases, g.NoneOf = append([]string{}, g.Aliases...), append([]string{}, g.NoneOf...)
	g.AllOf = append([][]string{}, g.AllOf...)
	return g
}
