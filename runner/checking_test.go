package runner_test

import (
	"context"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/datasets/checks"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/trace"
)

// TestChecksDecide checks the votes and the verdict of queries with checks beside a gold and without one.
func TestChecksDecide(t *testing.T) {
	contains := func(text string) checks.Check { return checks.Check{Kind: checks.Contains, Text: text} }
	price := checks.Check{Kind: checks.MaxUSD, Limit: 1} // the price of the test's model is unknown
	lacks := func(text string) checks.Check { return checks.Check{Kind: checks.Contains, Not: true, Text: text} }
	number := datasets.Gold{Type: answer.Integer, Answer: "4", Outcome: trace.Answered}
	for _, c := range []struct {
		name     string
		gold     datasets.Gold
		checks   []checks.Check
		said     []string // each message is an answer; "" is none
		method   consensus.Method
		votes    string // the classes
		decided  string
		verdict  judge.Ruling
		by       string
		reason   string
		rulings  string // of the traces: c, i, u
		agreeing float64
	}{
		{"different messages of one class", datasets.Gold{}, []checks.Check{contains("Paris")},
			[]string{"Paris.", "It is Paris", "In Paris"}, consensus.Checks, "checks:correct:1", "Paris.", judge.Correct, "checks", "the check holds", "ccc", 1},
		{"the majority passes", datasets.Gold{}, []checks.Check{contains("Paris"), lacks("Rome")},
			[]string{"Rome", "Paris", "In Paris"}, consensus.Checks, "checks:correct:1,2 checks:incorrect", "Paris", judge.Correct, "checks", "all 2 checks hold", "icc", 2. / 3},
		{"the majority fails in one way", datasets.Gold{}, []checks.Check{contains("Paris"), lacks("Rome")},
			[]string{"Paris", "Rome!", "Rome?"}, consensus.Checks, "checks:incorrect checks:correct:1,2", "[fails the checks]", judge.Incorrect, "checks", `check 1, contains "Paris": the message does not contain "Paris"`, "cii", 2. / 3},
		{"messages that are no answer vote", datasets.Gold{}, []checks.Check{contains("cannot")},
			[]string{"REFUSED I cannot", "REFUSED we cannot", "yes"}, consensus.Checks, "checks:correct:1 checks:incorrect", "[refused]", judge.Correct, "checks", "", "cci", 2. / 3},
		{"an empty message never passes", datasets.Gold{}, []checks.Check{lacks("Rome")},
			[]string{"", "", ""}, consensus.None, "", "[no_answer]", judge.Incorrect, "checks", "there is no message to check", "iii", 0},
		{"a check that cannot be decided", datasets.Gold{}, []checks.Check{contains("Paris"), price},
			[]string{"Paris", "Paris", "Paris"}, consensus.None, "", "[unchecked]", judge.Unscored, "checks", "check 2, max_usd 1: the trace's US dollars are not known", "uuu", 0},
		{"a check that fails decides beside one that cannot be decided", datasets.Gold{}, []checks.Check{contains("Paris"), price},
			[]string{"Rome", "Rome", "Rome"}, consensus.Checks, "checks:incorrect:2?", "[fails the checks]", judge.Incorrect, "checks", "check 1", "iii", 1},
		{"a typed gold votes, and the checks of the winner count", number, []checks.Check{contains("so")},
			[]string{"4", "so 4", "4"}, consensus.Exact, "int:4", "4", judge.Incorrect, "checks", `check 1, contains "so"`, "ici", 1},
		{"gold and checks hold", number, []checks.Check{contains("so")},
			[]string{"so 4", "so 4", "5"}, consensus.Majority, "int:4 int:5", "4", judge.Correct, "checks", "the check holds", "cci", 2. / 3},
		{"the gold fails", number, []checks.Check{contains("so")},
			[]string{"so 5", "so 5", "so 5"}, consensus.Exact, "int:5", "5", judge.Incorrect, "gold", "", "iii", 1},
		{"keywords of a gold count as well", datasets.Gold{Type: answer.Text, AllOf: [][]string{{"Seine"}}, Outcome: trace.Answered},
			[]checks.Check{contains("Paris")}, []string{"Paris", "Paris", "Paris on the Seine"}, consensus.Checks,
			"checks:incorrect:1 checks:correct:1", "[fails the checks]", judge.Incorrect, "gold", "missing: Seine", "iic", 2. / 3},
	} {
		p := newPlan(1, len(c.said), 1, agentFunc(func(_ context.Context, task agent.Task) trace.Trace {
			message := c.said[task.ID.Trace]
			tr := trace.Trace{ID: task.ID, Outcome: trace.Answered, StopReason: trace.Final, Message: message, Answer: strings.TrimPrefix(message, "so "), Extract: "line", Steps: 1}
			switch {
			case message == "":
				tr.Outcome, tr.StopReason = trace.NoAnswer, trace.MaxSteps
			case strings.HasPrefix(message, "REFUSED"):
				tr.Outcome, tr.Answer = trace.Refused, ""
			}
			return tr
		}))
		change(&p, 0, func(q *datasets.Query) { q.Gold, q.Checks = c.gold, c.checks })
		ran := execute(t, t.Context(), p, runner.Control{})
		if ran.err != nil || len(ran.records) != 1 {
			t.Fatalf("%s: %d records, %v", c.name, len(ran.records), ran.err)
		}
		r := ran.records[0]
		var votes []string
		for _, v := range r.Consensus.Votes {
			votes = append(votes, v.Key)
		}
		rulings := ""
		for _, a := range r.Answers {
			rulings += string(a.Verdict)[:1]
		}
		if r.Consensus.Method != c.method || strings.Join(votes, " ") != c.votes || r.Decided() != c.decided {
			t.Errorf("%s: %s %v, decided %q; want %s %s, %q", c.name, r.Consensus.Method, votes, r.Decided(), c.method, c.votes, c.decided)
		}
		if r.Verdict.Verdict != c.verdict || r.Verdict.By != c.by || !strings.Contains(r.Verdict.Reason, c.reason) || rulings != c.rulings {
			t.Errorf("%s: %+v, traces %s; want %s by %s because of %q, %s", c.name, r.Verdict, rulings, c.verdict, c.by, c.reason, c.rulings)
		}
		if got := r.Consensus.Agreement; got == nil || *got != c.agreeing {
			t.Errorf("%s: agreement %v, want %v", c.name, got, c.agreeing)
		}
	}
}
