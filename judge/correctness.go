// Package judge decides whether an answer is right, and how good the trace behind it is.
//
// [Gold] is the deterministic match with the gold. [Correctness] and [Quality] ask a
// language model, never mixed (methods.md §7.2): the first sees only question, reference
// and short answer, and may decide a pass; the second sees a whole trace. The model gets
// texts of other authors as data (§7.6). Only a reply of the exact requested form counts:
// any other reply leaves the answer unscored, neither right nor wrong, with the reason.
// [Pass] combines the verdicts.
//
// It may import datasets, datasets/answer, runner/model, runner/trace, the injection guard
// and internal/stats.
package judge

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/asking"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Correctness judges a short answer against the gold as its reference (methods.md §7.2).
// The model sees question, reference and answer, but not the trace.
type Correctness struct{ Settings }

// CorrectnessJudgement is the result of the correctness judge. Fields that only a model
// fills are nil if a rule decided or no usable reply came.
type CorrectnessJudgement struct {
	Verdict   Verdict   `json:"verdict"`
	Score     *int      `json:"score"` // 1..5
	Criteria  *Criteria `json:"criteria"`
	Extracted *string   `json:"extracted_answer"`
	// Confidence as the model reports it, 0..100.
	Confidence *int `json:"confidence"`
	// Flags name phrases of the answer that address a judge or look like an injection.
	Flags     []string `json:"flags"`
	Judge     string   `json:"judge"`
	Prompt    string   `json:"prompt"`
	Threshold int      `json:"threshold"`
	Effort
}

// Criteria are the atomic questions of the correctness judge.
type Criteria struct {
	Correct              bool  `json:"correct"`
	Complete             bool  `json:"complete"`
	ContradictsReference bool  `json:"contradicts_reference"`
	Grounded             *bool `json:"grounded"` // nil if unknown, as from an answer alone
}

// Judge judges a subject. An answer passes with a score of at least the threshold if it is
// correct and does not contradict the reference. Rules come first and need no model: an
// outcome other than the expected one, an empty answer and one that repeats the question
// fail; an answer equal to a gold without a condition passes. The error is that of
// Validate, or of ctx.
func (c *Correctness) Judge(ctx context.Context, q datasets.Query, s Subject) (CorrectnessJudgement, error) {
	if err := c.Validate(); err != nil {
		return CorrectnessJudgement{}, fmt.Errorf("judge correctness of query %s: %w", q.ID, err)
	}
	out := CorrectnessJudgement{Flags: flagsOf(s.Answer), Judge: c.Name, Prompt: CorrectnessPromptVersion, Threshold: c.threshold()}
	if v, ruled := correctnessByRule(q, s); ruled {
		out.Verdict = v
		return out, nil
	}
	key := asking.DigestOf("correctness", c.Name, CorrectnessPromptVersion, answer.Version, strconv.Itoa(c.threshold()),
		q.Text, reference(q.Gold), normKey(s.Answer, q.Gold.Type, q.Gold.Options))
	find := func() (CorrectnessJudgement, bool, error) { return c.grade(ctx, q, s, key, out) }
	var memo *asking.Memo[CorrectnessJudgement]
	if c.Cache != nil {
		memo = &c.Cache.correctness
	}
	found, err := asking.Remember(ctx, memo, key, find)
	if err != nil {
		return CorrectnessJudgement{}, fmt.Errorf("judge correctness of query %s: %w", q.ID, err)
	}
	found.Flags = out.Flags // flags depend on the wording, which the cache key ignores
	return found, nil
}

// grade asks the model. keep is false for results that must not be cached.
func (c *Correctness) grade(ctx context.Context, q datasets.Query, s Subject, key asking.Digest, out CorrectnessJudgement) (_ CorrectnessJudgement, keep bool, _ error) {
	request := c.request("correctness", q.ID, 0, asking.ShortReply, key, correctnessTask, correctnessSchema(),
		asking.Data("question", q.Text, maxQuestion), asking.Data("reference", reference(q.Gold), maxReference), asking.Data("answer", s.Answer, maxAnswer))
	r, err := asking.Ask(ctx, c.Model, request, readCorrectness)
	out.Effort = effortOf(r)
	switch {
	case err != nil:
		return out, false, err
	case r.Value == nil:
		out.Verdict = unscored(r)
		return out, r.Failed == nil, nil
	}
	g := r.Value
	out.Score, out.Criteria, out.Extracted, out.Confidence = &g.score, &g.criteria, &g.extracted, &g.confidence
	ruling := byScore(g.score, out.Threshold)
	if !g.criteria.Correct || g.criteria.ContradictsReference {
		ruling = Incorrect
	}
	out.Verdict = Verdict{ruling, ByCorrectness, fmt.Sprintf("score %d, %d needed; %s", g.score, out.Threshold, g.criteria)}
	return out, true, nil
}

func (c Criteria) String() string {
	words := []string{"not correct", "not complete"}
	if c.Correct {
		words[0] = "correct"
	}
	if c.Complete {
		words[1] = "complete"
	}
	if c.ContradictsReference {
		words = append(words, "contradicts the reference")
	}
	return strings.Join(words, ", ")
}

// correctnessByRule decides the cases that need no model.
func correctnessByRule(q datasets.Query, s Subject) (v Verdict, ruled bool) {
	g := q.Gold
	fail := func(format string, args ...any) (Verdict, bool) {
		return Verdict{Incorrect, ByCorrectness, fmt.Sprintf(format, args...)}, true
	}
	switch {
	case s.Unscored:
		return Gold(g, s), true
	case s.Outcome != expected(g):
		return fail("%s; expected %s", outcomeInWords(s.Outcome), g.Expected())
	case s.Outcome != trace.Answered:
		return Verdict{Correct, ByCorrectness, string(s.Outcome) + ", as expected"}, true
	case strings.IndexFunc(asking.Visible(s.Answer), func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) < 0:
		return fail("the answer is empty: neither a letter nor a number")
	case normKey(s.Answer, answer.Text, answer.Options{}) == normKey(q.Text, answer.Text, answer.Options{}):
		return fail("the answer repeats the question")
	case reference(g) == "":
		return Verdict{Unscored, ByJudge, "the gold gives nothing to compare an answer with: add an answer, keywords or a condition"}, true
	case g.Answer == "" || g.Condition != "":
		return Verdict{}, false
	}
	ok, reason := answer.Match(s.Answer, g.Answer, g.Type, g.Aliases, g.Tolerance, g.Options)
	return Verdict{Correct, ByCorrectness, reason}, ok
}

// normKey is the answer's key under a type, or as text if it is not of that type.
func normKey(short string, t answer.Type, o answer.Options) string {
	for _, as := range []answer.Type{t, answer.Text} {
		if k, err := answer.Normalize(short, as, o); err == nil {
			return k.Key
		}
	}
	return short
}
