package assemble

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/serve"
)

// TestScoresOverHTTP compares the log-probabilities of offline:ngram in this process with those that a client gets
// from concur serve.
func TestScoresOverHTTP(t *testing.T) {
	const name = "offline:ngram"
	m, scores, err := New(unset, Build{}).Served(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := served(t, &serve.Server{Model: m, Scores: scores, Name: name})
	for _, req := range []model.ScoreRequest{
		{Prefix: "The capital of Australia is", Text: " Canberra."},
		{Prefix: "The capital of Australia is ", Text: "Canberra."}, // the first token begins in the prefix
		{Prefix: "", Text: "The Danube flows through Vienna."},
		{Prefix: "Genève, 日本 🗼\n\n\t", Text: "naïve zyzzyva 7,823 × 4,991 = [Calculator(7823 * 4991) → 39,044,593]"},
		{Prefix: strings.Repeat("The Nile is long. ", 5000), Text: " The Nile is long."}, // longer than the window
	} {
		var here, there model.Scores
		score := func(out *model.Scores) func(context.Context, model.Scorer) error {
			return func(ctx context.Context, s model.Scorer) (err error) {
				*out, err = s.Score(ctx, req)
				return err
			}
		}
		if err := a.WithScorer(t.Context(), config.New(), name, ScorerOptions{}, score(&here)); err != nil {
			t.Fatal(err)
		}
		if err := a.WithScorer(t.Context(), config.New(), "openai:"+name, ScorerOptions{}, score(&there)); err != nil {
			t.Fatal(err)
		}
		if len(here.Tokens) != len(there.Tokens) || len(here.Tokens) == 0 {
			t.Fatalf("%q: %d tokens here, %d over HTTP", req.Text, len(here.Tokens), len(there.Tokens))
		}
		for i, h := range here.Tokens {
			o := there.Tokens[i]
			if h.Token != o.Token || h.Offset != o.Offset || math.Abs(h.LogProb-o.LogProb) > 1e-9 {
				t.Errorf("%q: token %d is %+v here, %+v over HTTP", req.Text, i, h, o)
			}
		}
	}
}
