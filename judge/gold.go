package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/trace"
)

// Subject is the answer to judge: the consensus over a query's traces, or a single trace.
type Subject struct {
	Outcome  trace.Outcome
	Answer   string // the short answer; "" unless answered
	Message  string // the whole final message of the representative trace
	Unscored bool   // infrastructure failures left too few votes to judge
}

// Gold compares a subject with the deterministic part of a gold: the expected outcome, the typed answer with
// its aliases and tolerance, and the keywords. Keywords are compared as sequences of words with the whole final
// message; if an agent gives only a short answer, with that. Gold ignores the gold's condition.
func Gold(g datasets.Gold, s Subject) Verdict {
	if s.Unscored {
		return Verdict{Unscored, ByInfra, "infrastructure failures left fewer valid traces than the quorum"}
	}
	if g.None {
		return Verdict{Unscored, ByGold, "the query has no gold"}
	}
	if g.SQL != "" && g.Answer == "" {
		return Verdict{Unscored, ByGold, "the gold is a statement, which only a run with its database executes"}
	}
	if s.Outcome != expected(g) {
		return Verdict{Incorrect, ByGold, outcomeInWords(s.Outcome) + "; expected " + g.Expected()}
	}
	reasons := []string{string(s.Outcome) + ", as expected"}
	if s.Outcome == trace.Answered && g.FalsePremise != "" {
		if !g.Denied(s.Answer) {
			return Verdict{Incorrect, ByGold, "the premise of the question is false, and no sentence was found that denies it"}
		}
		reasons = []string{"denies the premise of the question, which is false"}
	}
	if s.Outcome == trace.Answered && g.Answer != "" {
		ok, reason := answer.Match(s.Answer, g.Answer, g.Type, g.Aliases, g.Tolerance, g.Options)
		if !ok {
			return Verdict{Incorrect, ByGold, reason}
		}
		reasons = []string{reason}
	}
	holds := func(keyword string) bool {
		return answer.ContainsTokens(s.Message, keyword) || answer.ContainsTokens(s.Answer, keyword)
	}
	for _, group := range g.AllOf {
		if !slices.ContainsFunc(group, holds) {
			return Verdict{Incorrect, ByGold, "missing: " + strings.Join(group, " or ")}
		}
	}
	for _, keyword := range g.NoneOf {
		if holds(keyword) {
			return Verdict{Incorrect, ByGold, fmt.Sprintf("contains %q, which it must not", keyword)}
		}
	}
	if len(g.AllOf) > 0 {
		reasons = append(reasons, "all keywords present")
	}
	if len(g.NoneOf) > 0 {
		reasons = append(reasons, "no forbidden keyword")
	}
	return Verdict{Correct, ByGold, strings.Join(reasons, "; ")}
}

func expected(g datasets.Gold) trace.Outcome { return cmp.Or(g.Outcome, trace.Answered) }

func outcomeInWords(o trace.Outcome) string { return strings.ReplaceAll(string(o), "_", " ") }
