package scoring_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/scoring"
)

// scorerFunc is a scorer that is a function.
type scorerFunc func(model.ScoreRequest) (model.Scores, error)

func (f scorerFunc) Score(_ context.Context, req model.ScoreRequest) (model.Scores, error) {
	return f(req)
}

// byBytes gives each byte of the text a token. The first one begins in the prefix if there is one.
func byBytes(req model.ScoreRequest) (model.Scores, error) {
	s := model.Scores{Model: "bytes", Usage: model.Usage{InputTokens: len(req.Text)}}
	for i := range len(req.Text) {
		t := model.TokenScore{Token: req.Text[i : i+1], Offset: i, LogProb: -float64(i+1) / 4}
		if i == 0 && req.Prefix != "" {
			t = model.TokenScore{Token: req.Prefix[len(req.Prefix)-1:] + t.Token, Offset: -1, LogProb: -1e-300}
		}
		s.Tokens = append(s.Tokens, t)
	}
	return s, nil
}

func TestScoresSurviveTheExchange(t *testing.T) {
	for _, req := range []model.ScoreRequest{
		{Text: "a"}, {Prefix: "é", Text: "日\xff\x00"}, {Prefix: "\xff", Text: strings.Repeat("x", 1000)},
	} {
		want, _ := byBytes(req)
		s := scoring.Scorer(scoring.Model(scorerFunc(byBytes), "test:bytes"), "test:bytes")
		got, err := s.Score(t.Context(), req)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%+v: %v\n%s", req, err, diff)
		}
	}
}

func TestWrongScores(t *testing.T) {
	token := func(text string, at int, p float64) model.TokenScore {
		return model.TokenScore{Token: text, Offset: at, LogProb: p}
	}
	for _, c := range []struct {
		name   string
		tokens []model.TokenScore
		want   string
	}{
		{"no tokens", nil, "there are no tokens"},
		{"a gap", []model.TokenScore{token("a", 0, -1), token("c", 2, -1)}, "do not join"},
		{"too short", []model.TokenScore{token("a", 0, -1), token("b", 1, -1)}, "end at byte 2 of a text of 3"},
		{"too long", []model.TokenScore{token("abcd", 0, -1)}, "do not join"},
		{"another text", []model.TokenScore{token("abd", 0, -1)}, `token 0 is "abd" at byte 0, the text has "abc"`},
		{"an empty token", []model.TokenScore{token("ab", 0, -1), token("", 2, -1), token("c", 2, -1)}, "do not join"},
		{"starts late", []model.TokenScore{token("bc", 1, -1)}, "must have the first byte"},
		{"is in the prefix", []model.TokenScore{token("y", -1, -1), token("abc", 0, -1)}, "must have the first byte"},
		{"before the prefix", []model.TokenScore{token("zzxyabc", -4, -1)}, "do not join"},
		{"another prefix", []model.TokenScore{token("zabc", -1, -1)}, `the text has "yabc"`},
		{"positive", []model.TokenScore{token("ab", 0, -1), token("c", 2, 0.5)}, `token 1, "c": the log-probability is 0.5, above 0`},
		{"infinite", []model.TokenScore{token("abc", 0, math.Inf(-1))}, "-∞"},
		{"not a number", []model.TokenScore{token("abc", 0, math.NaN())}, "not a number"},
	} {
		wrong := scorerFunc(func(model.ScoreRequest) (model.Scores, error) { return model.Scores{Tokens: c.tokens}, nil })
		_, err := scoring.Model(wrong, "test:wrong").Complete(t.Context(), scoring.Request(model.ScoreRequest{Prefix: "xy", Text: "abc"}))
		if err == nil || !strings.Contains(err.Error(), c.want) || model.KindOf(err) != model.ErrMalformed {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// replyFunc is a model that replies with a text.
type replyFunc string

func (r replyFunc) Complete(context.Context, model.Request) (model.Response, error) {
	return model.Response{Message: model.Message{Content: string(r)}}, nil
}

func TestWrongReplies(t *testing.T) {
	for reply, want := range map[string]string{
		"":                                       "read log-probabilities",
		"Hello":                                  "read log-probabilities",
		`{"offsets":[0,1],"logprobs":[-1]}`:      "1 of them for 2 tokens",
		`{"offsets":[0,9],"logprobs":[-1,-1]}`:   "token 0 is from 0 to 9 of a text of 3 bytes",
		`{"offsets":[-9],"logprobs":[-1]}`:       "from -9 to 3",
		`{"offsets":[0,2,1],"logprobs":[1,1,1]}`: "from 2 to 1",
		`{"offsets":[0],"logprobs":[0.5]}`:       "above 0",
		`{"offsets":[],"logprobs":[]}`:           "no tokens",
	} {
		_, err := scoring.Scorer(replyFunc(reply), "test:wrong").Score(t.Context(), model.ScoreRequest{Prefix: "xy", Text: "abc"})
		if err == nil || !strings.Contains(err.Error(), want) || model.KindOf(err) != model.ErrMalformed {
			t.Errorf("%s: %v, want %q", reply, err, want)
		}
	}
}

func TestWrongRequests(t *testing.T) {
	m := scoring.Model(scorerFunc(byBytes), "test:bytes")
	for _, messages := range [][]model.Message{
		nil,
		{{Role: model.User, Content: "a"}},
		{{Role: model.User, Content: "a"}, {Role: model.User, Content: "b"}},
		{{Role: model.User, Content: "a"}, {Role: model.Assistant}},
	} {
		if _, err := m.Complete(t.Context(), model.Request{Messages: messages}); model.KindOf(err) != model.ErrBadRequest {
			t.Errorf("%v: %v", messages, err)
		}
	}
	_, err := scoring.Scorer(m, "test:bytes").Score(t.Context(), model.ScoreRequest{Prefix: "a"})
	if model.KindOf(err) != model.ErrBadRequest {
		t.Errorf("an empty text: %v", err)
	}
}

func TestTry(t *testing.T) {
	if err := scoring.Try(t.Context(), scorerFunc(byBytes)); err != nil {
		t.Error(err)
	}
	for kind, refused := range map[model.ErrorKind]bool{
		model.ErrMalformed: true, model.ErrBadRequest: true, model.ErrAuth: false, model.ErrUnavailable: false,
		model.ErrBudget: false,
	} {
		cause := &model.Error{Kind: kind, Err: errors.New("it failed")}
		err := scoring.Try(t.Context(), scorerFunc(func(model.ScoreRequest) (model.Scores, error) { return model.Scores{}, cause }))
		if !errors.Is(err, cause) || strings.Contains(err.Error(), "cannot score") != refused {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

func Example() {
	// any decorator of models can be between the two
	m := scoring.Model(scorerFunc(byBytes), "test:bytes")
	s := scoring.Scorer(m, "test:bytes")
	out, err := s.Score(context.Background(), model.ScoreRequest{Text: "ab"})
	fmt.Println(out.Tokens, err)
	// Output:
	// [{a 0 -0.25} {b 1 -0.5}] <nil>
}
