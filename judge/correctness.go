package judge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/trace"
)

// Correctness judges a short answer by comparing it with the gold (docs/method.md §7.2). The model sees
// question, gold and answer, but not the trace.
type Correctness struct {
	Settings
	Panel *Panel // if set, its members judge instead of the settings' model
}

// CorrectnessJudgement is the result of the correctness judge. Fields that a model fills are nil if a rule
// decided or the model gave no usable reply.
type CorrectnessJudgement struct {
	Verdict    Verdict       `json:"verdict"`
	Score      *int          `json:"score"` // 1..5
	Criteria   *Criteria     `json:"criteria"`
	Extracted  *string       `json:"extracted_answer"`
	Confidence *int          `json:"confidence"` // 0..100, reported by the model
	Repeats    []Opinion     `json:"repeats"`    // of a borderline answer, the first opinion included; nil if asked once
	Members    []Opinion     `json:"members"`    // of a panel; nil for a single judge
	Canaries   *CanaryResult `json:"canaries"`   // nil if none were asked
	Flags      []string      `json:"flags"`      // phrases of the answer that address a judge or look like an injection
	Judge      string        `json:"judge"`
	Prompt     string        `json:"prompt"`
	Threshold  int           `json:"threshold"`
	Effort
	ByMember map[string]Effort `json:"-"` // effort of each member of a panel
}

// Spent returns the effort of each judge by name; a panel has an entry for each member.
func (j CorrectnessJudgement) Spent() map[string]Effort {
	if j.ByMember != nil {
		return j.ByMember
	}
	return map[string]Effort{j.Judge: j.Effort}
}

// Criteria are the yes-or-no questions that the correctness judge answers before it gives a score.
type Criteria struct {
	Correct              bool  `json:"correct"`
	Complete             bool  `json:"complete"`
	ContradictsReference bool  `json:"contradicts_reference"`
	Grounded             *bool `json:"grounded"` // nil if unknown, because the answer alone does not show it
}

// Validate reports missing or invalid settings of the judge, or of the members of its panel.
func (c *Correctness) Validate() error {
	if c.Panel == nil {
		return c.Settings.Validate()
	}
	if len(c.Panel.Members) == 0 {
		return errors.New("the panel has no members: name at least one model")
	}
	var wrong []error
	for _, m := range c.Panel.Members {
		wrong = append(wrong, m.Validate())
		if _, ok := c.Panel.Weights[m.Name]; c.Panel.Rule == RuleCalibrated && !ok {
			wrong = append(wrong, fmt.Errorf("the panel's rule is calibrated, and the calibration does not have %s: "+
				"calibrate the panel with `concur judge calibrate`, or take the rule majority or veto", m.Name))
		}
	}
	return errors.Join(wrong...)
}

// Judge judges a subject. Rules come first and need no model: a subject fails if its outcome is not the
// expected one, or if its answer is empty or repeats the question; it passes if its answer equals a gold
// without a condition. Otherwise the model decides: an answer passes if it is correct, does not contradict the
// reference and has a score of at least the threshold. Judge returns the error of Validate, or of ctx.
func (c *Correctness) Judge(ctx context.Context, q datasets.Query, s Subject) (CorrectnessJudgement, error) {
	if err := c.Validate(); err != nil {
		return CorrectnessJudgement{}, fmt.Errorf("judge correctness of query %s: %w", q.ID, err)
	}
	out := CorrectnessJudgement{Flags: flagsOf(s.Answer), Judge: c.Name, Prompt: c.version(CorrectnessPromptVersion),
		Threshold: c.threshold()}
	if v, ruled := CorrectnessByRule(q, s); ruled {
		out.Verdict = v
		return out, nil
	}
	find := c.ask
	if c.Panel != nil {
		find = c.convene
	}
	found, err := find(ctx, q, s, out)
	if err != nil {
		return CorrectnessJudgement{}, fmt.Errorf("judge correctness of query %s: %w", q.ID, err)
	}
	found.Flags = out.Flags // flags depend on the wording, which the cache key ignores
	return found, nil
}

// key identifies the question to the judge. Equal answers share a key. The key does not depend on the
// threshold, because the judge does not see it; it contains DefaultThreshold to stay equal to the keys of
// old recordings.
func (c *Correctness) key(q datasets.Query, s Subject) asking.Digest {
	return asking.DigestOf("correctness", c.Name, c.version(CorrectnessPromptVersion), answer.Version,
		strconv.Itoa(DefaultThreshold),
		q.Text, reference(q.Gold), normKey(s.Answer, q.Gold.Type, q.Gold.Options))
}

// grade asks the model. keep is false for results that must not be cached.
func (c *Correctness) grade(
	ctx context.Context, q datasets.Query, s Subject, key asking.Digest, out CorrectnessJudgement,
) (_ CorrectnessJudgement, keep bool, _ error) {
	request := c.request("correctness", q.ID, 0, asking.ShortReply, key, CorrectnessSchema,
		asking.Data("question", q.Text, maxQuestion), asking.Data("reference", reference(q.Gold),
			maxReference), asking.Data("answer", s.Answer, maxAnswer))
	g, keep, err := askModel(ctx, c.Settings, c.token(out.Canaries), request, readCorrectness, &out.Effort,
		&out.Verdict)
	if g == nil {
		return out, keep, err
	}
	out.Score, out.Criteria, out.Extracted, out.Confidence = &g.score, &g.criteria, &g.extracted, &g.confidence
	ruling := RulingOf(g.score >= out.Threshold && g.criteria.Correct && !g.criteria.ContradictsReference)
	out.Verdict = Verdict{ruling, ByCorrectness,
		fmt.Sprintf("score %d, %d needed; %s", g.score, out.Threshold, g.criteria)}
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

// CorrectnessByRule returns the verdict on a subject that can be judged without a model. ruled is false if the
// model must be asked.
func CorrectnessByRule(q datasets.Query, s Subject) (v Verdict, ruled bool) {
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
	case strings.IndexFunc(asking.Visible(s.Answer),
		func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) < 0:
		return fail("the answer is empty: neither a letter nor a number")
	case normKey(s.Answer, answer.Text, answer.Options{}) == normKey(q.Text, answer.Text, answer.Options{}):
		return fail("the answer repeats the question")
	case reference(g) == "":
		return Verdict{Unscored, ByJudge, "the gold gives nothing to compare an answer with: add an answer, keywords " +
			"or a condition"}, true
	case g.Condition == "" && g.Denied(s.Answer):
		return Verdict{Correct, ByCorrectness, "denies the premise of the question, which is false"}, true
	case g.Answer == "" || g.Condition != "":
		return Verdict{}, false
	}
	ok, reason := answer.Match(s.Answer, g.Answer, g.Type, g.Aliases, g.Tolerance, g.Options)
	return Verdict{Correct, ByCorrectness, reason}, ok
}

// normKey returns the answer's key under a type, or the key of its text if the answer is not of that type.
func normKey(short string, t answer.Type, o answer.Options) string {
	for _, as := range []answer.Type{t, answer.Text} {
		if k, err := answer.Normalize(short, as, o); err == nil {
			return k.Key
		}
	}
	return short
}

// CorrectnessPromptVersion changes with every change of the prompt.
const CorrectnessPromptVersion = "correctness/v3"

// CorrectnessSchema is the name of the reply's schema.
const CorrectnessSchema = "concur_correctness_v1"

// Limits of the texts shown to the judge, in bytes.
const (
	maxQuestion  = 4 << 10
	maxReference = 4 << 10
	maxAnswer    = 2000
)

// reference lists the requirements of the gold on an answer. It returns "" if the gold requires nothing.
func reference(g datasets.Gold) string {
	var lines []string
	add := func(what, text string) {
		if text != "" {
			lines = append(lines, what+": "+text)
		}
	}
	add("answer", g.Answer)
	if g.Answer != "" && !g.Tolerance.IsZero() {
		add("tolerance", "± "+g.Tolerance.String())
	}
	for _, a := range g.Aliases {
		add("also accepted", a)
	}
	for _, o := range []struct {
		set        bool
		what, text string
	}{
		{g.Options.Ordered, "order", "the order of the elements counts"},
		{g.Options.UnitOptional, "unit", "may be left out"},
		{g.Options.PrefixDate, "date", "a more exact date within it is right as well"},
		{g.Options.BarePercent, "percent sign", "may be left out"},
		{g.Options.Locale != "", "locale", "figures are written as in " + g.Options.Locale},
	} {
		if o.set {
			add(o.what, o.text)
		}
	}
	if g.FalsePremise != "" {
		add("premise", "false; an answer is right if it denies the premise of the question, and wrong if it accepts it")
	}
	add("holds at", g.At)
	add("condition", g.Condition)
	for _, group := range g.AllOf {
		add("must mention", strings.Join(group, " or "))
	}
	for _, k := range g.NoneOf {
		add("must not mention", k)
	}
	return strings.Join(lines, "\n")
}

// correctness is the model's reply.
type correctness struct {
	extracted         string
	criteria          Criteria
	score, confidence int
}

func readCorrectness(text string) (out correctness, err error) {
	var criteria json.RawMessage
	if err := asking.ReadInto(text, map[string]any{"extracted_answer": &out.extracted, "criteria": &criteria,
		"score": &out.score, "confidence": &out.confidence}); err != nil {
		return out, err
	}
	k := &out.criteria
	if err := asking.ReadInto(string(criteria), map[string]any{
		"correct": &k.Correct, "complete": &k.Complete, "contradicts_reference": &k.ContradictsReference,
		"grounded": &k.Grounded,
	}); err != nil {
		return out, fmt.Errorf("criteria: %w", err)
	}
	return out, errors.Join(
		inRange("score", out.score, 1, 5), inRange("confidence", out.confidence, 0, 100), out.consistent())
}

// consistent returns an error if the reply's score and criteria contradict each other.
func (c correctness) consistent() error {
	k := c.criteria
	switch {
	case k.Correct && k.ContradictsReference:
		return errors.New("the reply is inconsistent: correct, but it contradicts the reference")
	case c.score >= 4 && (!k.Correct || k.ContradictsReference):
		return fmt.Errorf("the reply is inconsistent: score %d, but %s", c.score, k)
	case c.score == 5 && !k.Complete:
		return errors.New("the reply is inconsistent: score 5, but not complete")
	case c.score <= 2 && k.Correct:
		return fmt.Errorf("the reply is inconsistent: score %d, but correct", c.score)
	}
	return nil
}
