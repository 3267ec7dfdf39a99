package consensus_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/trace"
)

func TestNewBallot(t *testing.T) {
	long := strings.Repeat("x", answer.MaxBytes+1)
	for _, c := range []struct {
		name      string
		outcome   trace.Outcome
		short     string
		t         answer.Type
		key       string
		ambiguous bool
	}{
		{"typed key", trace.Answered, "1,234", answer.Integer, "int:1234", false},
		{"one key for two surfaces", trace.Answered, "**1 234.0**", answer.Integer, "int:1234", false},
		{"two readings", trace.Answered, "5k", answer.Decimal, "ambiguous:5k", true},
		{"not of the type", trace.Answered, "About a Boy.", answer.Integer, "unparsed:text:about a boy", false},
		{"no type that is known", trace.Answered, "Oslo", answer.Type("planet"), "unparsed:text:oslo", false},
		{"refused", trace.Refused, "", answer.Integer, "refused", false},
		{"abstained", trace.Abstained, "", answer.Integer, "abstained", false},
		{"no answer", trace.NoAnswer, "", answer.Integer, "", false},
		{"infra", trace.Infra, "", answer.Integer, "", false},
		// The text of a trace that does not vote must not find its way into a class.
		{"no answer, yet text", trace.NoAnswer, "42", answer.Integer, "", false},
	} {
		tr := trace.Trace{ID: trace.ID{Trace: 2}, Outcome: c.outcome, Answer: c.short, Supporting: []string{"corpus:nile"}}
		want := consensus.Ballot{Trace: 2, Outcome: c.outcome, Key: c.key, Ambiguous: c.ambiguous, Supporting: tr.Supporting}
		if c.outcome == trace.Answered {
			want.Answer = c.short
		}
		if diff := cmp.Diff(want, consensus.NewBallot(tr, c.t, answer.Options{}), cmpopts.IgnoreUnexported(consensus.Ballot{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}

	// Too long to normalise: the key stays short, and still tells answers apart.
	one := consensus.NewBallot(trace.Trace{Outcome: trace.Answered, Answer: long}, answer.Text, answer.Options{})
	same := consensus.NewBallot(trace.Trace{Outcome: trace.Answered, Answer: long}, answer.Text, answer.Options{})
	other := consensus.NewBallot(trace.Trace{Outcome: trace.Answered, Answer: long + "y"}, answer.Text, answer.Options{})
	if one.Key != same.Key || one.Key == other.Key || len(one.Key) > 100 {
		t.Errorf("keys of long answers: %q, %q, %q", one.Key, same.Key, other.Key)
	}
}

// Votes are read with the options of the gold: what they let pass is one class.
func TestBallotsTakeOptions(t *testing.T) {
	for _, c := range []struct {
		a, b string
		t    answer.Type
		o    answer.Options
		same bool
	}{
		{"[1, 6]", "6.0 and 1", answer.List, answer.Options{}, true},
		{"[1, 6]", "6.0 and 1", answer.List, answer.Options{Ordered: true}, false},
		{"[1, 6]", "1,6", answer.List, answer.Options{Ordered: true}, true},
		{"27.3%", "27.3", answer.Percent, answer.Options{}, false},
		{"27.3%", "27.3", answer.Percent, answer.Options{BarePercent: true}, true},
		{".NET", "NET", answer.Code, answer.Options{}, false},
		{".NET", "`.NET`", answer.Code, answer.Options{}, true},
	} {
		ballot := func(short string) consensus.Ballot {
			return consensus.NewBallot(trace.Trace{Outcome: trace.Answered, Answer: short}, c.t, c.o)
		}
		if a, b := ballot(c.a), ballot(c.b); (a.Key == b.Key) != c.same {
			t.Errorf("%s %+v: %q votes %s, %q votes %s", c.t, c.o, c.a, a.Key, c.b, b.Key)
		}
	}
}

// An answer that happens to read like a decision or like another key is still an answer.
func TestAnswersDoNotJoinOtherClasses(t *testing.T) {
	ballots := []consensus.Ballot{
		decision(0, trace.Refused),
		consensus.NewBallot(trace.Trace{ID: trace.ID{Trace: 1}, Outcome: trace.Answered, Answer: "refused"}, answer.Text, answer.Options{}),
		consensus.NewBallot(trace.Trace{ID: trace.ID{Trace: 2}, Outcome: trace.Answered, Answer: "text:refused"}, answer.Text, answer.Options{}),
		consensus.NewBallot(trace.Trace{ID: trace.ID{Trace: 3}, Outcome: trace.Answered, Answer: "refused"}, answer.Integer, answer.Options{}),
	}
	if d := countVotes(ballots, stages()); len(d.Votes) != len(ballots) {
		t.Errorf("classes %v, want %d of one vote each", d.Votes, len(ballots))
	}
}
