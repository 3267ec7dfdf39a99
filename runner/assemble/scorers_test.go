package assemble

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/replay"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// tape is a recording of exchanges in memory.
type tape []store.Exchange

func (t tape) Exchanges(of model.Identity) (out []store.Exchange, err error) {
	for _, x := range t {
		if x.OfTrace() == of {
			out = append(out, x)
		}
	}
	return out, nil
}

func (tape) Events(trace.ID) ([]trace.Event, error) { return nil, nil }
func (tape) Agents() []string                       { return nil }

// scoreTwice scores two texts, one without a prefix.
func scoreTwice(out *[]model.Scores) func(ctx context.Context, s model.Scorer) error {
	return func(ctx context.Context, s model.Scorer) error {
		for step, prefix := range []string{"The capital of Australia is", ""} {
			id := model.Identity{Query: "q", Step: step}
			scores, err := s.Score(ctx, model.ScoreRequest{Identity: id, Prefix: prefix, Text: " Canberra \xff."})
			if err != nil {
				return err
			}
			*out = append(*out, scores)
		}
		return nil
	}
}

func TestScorerIsRecordedAndReplayed(t *testing.T) {
	a, c := New(unset, Build{}), config.New()
	var recorded tape
	var first, again []model.Scores
	record := ScorerOptions{Record: func(x store.Exchange) { recorded = append(recorded, x) }}
	if err := a.WithScorer(t.Context(), c, "offline:ngram", record, scoreTwice(&first)); err != nil {
		t.Fatal(err)
	}
	if len(recorded) != 2 || recorded[0].Purpose != model.Scoring || recorded[0].RequestSettings.Model != "offline:ngram" {
		t.Fatalf("recorded %+v", recorded)
	}
	replayed := ScorerOptions{Replay: &Replay{Recording: replay.New(recorded)}}
	if err := a.WithScorer(t.Context(), c, "offline:ngram", replayed, scoreTwice(&again)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, again); diff != "" || len(first[0].Tokens) < 3 {
		t.Errorf("the replay differs:\n%s", diff)
	}
	err := a.WithScorer(t.Context(), c, "offline:ngram", replayed, func(ctx context.Context, s model.Scorer) error {
		_, err := s.Score(ctx, model.ScoreRequest{Text: "another"})
		if cause := context.Cause(ctx); replay.StoppedBy(cause) == nil {
			t.Errorf("the context goes on after a request that is not recorded: %v", cause)
		}
		return err
	})
	if replay.StoppedBy(err) == nil {
		t.Errorf("a request that is not recorded: %v", err)
	}
}

func TestScorerHasTheBudgetOfTheRun(t *testing.T) {
	c := config.New()
	c.Limits.Tokens = 60 // more than the known text of the trial has
	err := New(unset, Build{}).WithScorer(t.Context(), c, "offline:ngram", ScorerOptions{},
		func(ctx context.Context, s model.Scorer) error {
			var err error
			for range 100 {
				if _, err = s.Score(ctx, model.ScoreRequest{Text: "one two three four"}); err != nil {
					break
				}
			}
			if ctx.Err() == nil {
				t.Error("the context goes on")
			}
			return err
		})
	if model.KindOf(err) != model.ErrBudget {
		t.Errorf("%v", err)
	}
}

func TestScorersThatCannotScore(t *testing.T) {
	for spec, want := range map[string]string{
		"offline:reader":           "use offline:ngram",
		"offline:ngram?latency=1s": `no option "latency"`,
		"offline:nothing":          "use offline:ngram",
	} {
		err := New(unset, Build{}).WithScorer(t.Context(), config.New(), spec, ScorerOptions{},
			func(context.Context, model.Scorer) error { return errors.New("it was opened") })
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), spec) {
			t.Errorf("%s: %v", spec, err)
		}
	}
	if _, err := New(unset, Build{}).Model("offline:ngram", nil); err == nil || !strings.Contains(err.Error(), "scorer") {
		t.Errorf("as an agent's model: %v", err)
	}
}
