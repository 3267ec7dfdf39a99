package usefulness

import (
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/datasets/queries"
)

// Reason says why the gain of a call is undefined; "" means that it is defined.
type Reason string

// The reasons, in the order of reports.
const (
	NoGold   Reason = "no_gold"          // the query has no right answer, or its gold is only keywords or a condition
	GoldType Reason = "gold_type"        // the right answer is a table or the rows of a statement
	SubAgent Reason = "sub_agent"        // a sub-agent made the call, and the gold does not answer its task
	NoResult Reason = "no_result"        // the call did not run
	Overflow Reason = "context_overflow" // the conversation is longer than the scorer's context
	Refused  Reason = "refused"          // the scorer refused the text, or its reply could not be used
	NoToken  Reason = "no_token"         // no token of the answer begins at the same place in all readings
)

// Reasons lists the reasons in the order of reports.
func Reasons() []Reason {
	return []Reason{NoGold, GoldType, SubAgent, NoResult, Overflow, Refused, NoToken}
}

// Words describes the reason for people.
func (r Reason) Words() string {
	return map[Reason]string{
		NoGold: "no gold answer", GoldType: "a gold that is a table", SubAgent: "calls of sub-agents",
		NoResult: "the call did not run", Overflow: "longer than the scorer's context", Refused: "refused by the scorer",
		NoToken: "no common token",
	}[r]
}

// MaxAnswers is the maximum number of right answers of a query that are scored: the answer and its first aliases.
const MaxAnswers = 8

// Gold has the right answers of a query or of one of its turns.
type Gold struct {
	Answers []string // as written in the dataset; at most MaxAnswers
	Why     Reason   // why there are no Answers; "" if there are some
}

// GoldOf returns the right answers of a gold.
func GoldOf(g datasets.Gold) Gold {
	if g.SQL != "" || g.Type == answer.Table {
		return Gold{Why: GoldType}
	}
	var out Gold
	for _, text := range append([]string{g.Answer}, g.Aliases...) {
		text = strings.TrimSpace(text)
		if text != "" && !slices.Contains(out.Answers, text) && len(out.Answers) < MaxAnswers {
			out.Answers = append(out.Answers, text)
		}
	}
	if g.None || len(out.Answers) == 0 {
		return Gold{Why: NoGold}
	}
	return out
}

// Golds has the golds of each query by its id: one, or one for each turn of a conversation.
type Golds map[string][]Gold

// ReadGolds returns the golds of queries.
func ReadGolds(set *queries.Set) (Golds, error) {
	out := Golds{}
	for q, err := range set.Queries() {
		if err != nil {
			return nil, err
		}
		if len(q.Turns) == 0 {
			out[q.ID] = []Gold{GoldOf(q.Gold)}
		}
		for n := range q.Turns {
			out[q.ID] = append(out[q.ID], GoldOf(q.Turn(n, nil).Gold))
		}
	}
	return out, nil
}

// of returns the gold of a turn; for a query without turns, turn is 0.
func (g Golds) of(query string, turn int) Gold {
	if all := g[query]; turn < len(all) {
		return all[turn]
	}
	return Gold{Why: NoGold}
}
