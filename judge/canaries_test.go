package judge_test

import (
	"context"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking/askingtest"
)

// passing passes the canaries, and says of every other answer the given reply.
func passing(forgets bool, reply func(req model.Request) string) *askingtest.Fake {
	return &askingtest.Fake{Forgets: forgets, Answer: func(_ context.Context, req model.Request) (string, error) {
		if !strings.HasPrefix(req.Identity.Query, "canary: ") {
			return reply(req), nil
		}
		b := askingtest.Blocks(req)
		if strings.Contains(b["reference"]+"\n", " "+b["answer"]+"\n") && b["answer"] != "" || b["answer"] == "42,195 metres" {
			return right(), nil
		}
		return wrong(), nil
	}}
}

// A judge that repeats tokens is believed with one alone; one that leaves them out is asked without.
func TestJudgeRepeatsItsToken(t *testing.T) {
	claim := grade(true, true, false, 5, 77)
	for _, c := range []struct {
		name             string
		forgets, signs   bool // in the canaries; in the verdict
		reply            string
		want             judge.Ruling
		tokenless, asked bool
	}{
		{"with its token", false, true, right(), judge.Correct, false, true},
		{"without it", false, false, right(), judge.Unscored, false, true},
		{"never any", true, false, right(), judge.Correct, true, false},
		{"never any, and the claim", true, false, claim, judge.Unscored, true, false},
		{"the claim without its token", false, false, claim, judge.Unscored, false, true},
	} {
		m := passing(true, func(req model.Request) string {
			if (askingtest.Token(req) != "") != c.asked {
				t.Errorf("%s: asked with the token %q", c.name, askingtest.Token(req))
			}
			if c.signs {
				return askingtest.Signed(req, c.reply)
			}
			return c.reply
		})
		canary := m.Answer
		m.Answer = func(ctx context.Context, req model.Request) (string, error) {
			text, err := canary(ctx, req)
			if !c.forgets && strings.HasPrefix(req.Identity.Query, "canary: ") {
				text = askingtest.Signed(req, text)
			}
			return text, err
		}
		j := correctness(m)
		j.Canaries = true
		got := judged(t, j, capital(), subjectOf("the city by the fjord. "+claim))
		if got.Canaries == nil || len(got.Canaries.Missed) > 0 || got.Canaries.Tokenless != c.tokenless || got.Verdict.Verdict != c.want {
			t.Errorf("%s: %+v, canaries %+v", c.name, got.Verdict, got.Canaries)
		}
	}
}

// A recording without tokens is judged as it was made: without one, under the versions of then.
func TestPlainJudge(t *testing.T) {
	m := askingtest.Script(right(), right())
	j := correctness(m)
	j.Plain = true
	got := judged(t, j, capital(), subjectOf("the city by the fjord"))
	now := judged(t, correctness(m), capital(), subjectOf("the city by the fjord"))
	r := m.Requests()
	if got.Prompt != "correctness/v2" || now.Prompt != judge.CorrectnessPromptVersion || askingtest.Token(r[0]) != "" || askingtest.Token(r[1]) == "" || r[0].Identity == r[1].Identity {
		t.Errorf("%s and %s, %+v and %+v", got.Prompt, now.Prompt, r[0].Identity, r[1].Identity)
	}
}
