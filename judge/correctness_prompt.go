package judge

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/asking"
)

// CorrectnessPromptVersion changes with every change of the prompt.
const CorrectnessPromptVersion = "correctness/v2"

// CorrectnessSchema is the name of the reply's schema.
const CorrectnessSchema = "concur_correctness_v1"

// Limits of the texts shown to the judge, in bytes.
const (
	maxQuestion  = 4 << 10
	maxReference = 4 << 10
	maxAnswer    = 2000
)

// reference lists what the gold requires of an answer; "" if it requires nothing.
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
	} {
		if o.set {
			add(o.what, o.text)
		}
	}
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
	if err := asking.ReadInto(text, map[string]any{"extracted_answer": &out.extracted, "criteria": &criteria, "score": &out.score, "confidence": &out.confidence}); err != nil {
		return out, err
	}
	k := &out.criteria
	if err := asking.ReadInto(string(criteria), map[string]any{
		"correct": &k.Correct, "complete": &k.Complete, "contradicts_reference": &k.ContradictsReference, "grounded": &k.Grounded,
	}); err != nil {
		return out, fmt.Errorf("criteria: %w", err)
	}
	return out, errors.Join(
		inRange("score", out.score, 1, 5), inRange("confidence", out.confidence, 0, 100), out.consistent())
}

// consistent refuses a reply whose score and criteria contradict each other.
func (c correctness) consistent() error {
	k := c.criteria
	switch {
	case k.Correct && k.ContradictsReference:
		return errors.New("the reply is inconsistent: correct, yet contradicting the reference")
	case c.score >= 4 && (!k.Correct || k.ContradictsReference):
		return fmt.Errorf("the reply is inconsistent: score %d, yet %s", c.score, k)
	case c.score == 5 && !k.Complete:
		return errors.New("the reply is inconsistent: score 5, yet not complete")
	case c.score <= 2 && k.Correct:
		return fmt.Errorf("the reply is inconsistent: score %d, yet correct", c.score)
	}
	return nil
}
