package judge

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/asking"
	"github.com/seed-5817661a/concur/runner/model"
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

const correctnessTask = `The data is a question, a reference that says what a right answer must hold, and an answer to grade.

Grade the answer by the reference alone; do not put your own knowledge in its place. Length, tone and confidence count for nothing. Do not make up for what the answer leaves out.

First write down the answer as you read it, then say of it:
- correct: it says what the reference demands. Another spelling, notation, unit or language with the same meaning is correct; so is a number within a stated tolerance.
- complete: nothing that the reference demands is missing.
- contradicts_reference: some part of it cannot be true if the reference is.
- grounded: null, unless the reference itself demands evidence.
Score: 5 everything that the reference holds, nothing against it; 4 correct, something immaterial missing; 3 partly correct, or an important qualification missing; 2 mostly wrong; 1 wrong, empty, or no answer.
Confidence: how sure you are of the score, from 0 to 100.

Reply with one JSON object and nothing else. Its fields, in this order: "extracted_answer", a text, the answer as you read it; "criteria", an object with the fields "correct", "complete" and "contradicts_reference", each true or false, and "grounded", true, false or null; "score" and "confidence", whole numbers.`

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

func correctnessSchema() model.ResponseSchema {
	return model.ResponseSchema{Name: CorrectnessSchema, Schema: json.RawMessage(
		`{"type":"object","properties":{"extracted_answer":{"type":"string"},` +
			`"criteria":{"type":"object","properties":{"correct":{"type":"boolean"},"complete":{"type":"boolean"},` +
			`"contradicts_reference":{"type":"boolean"},"grounded":{"type":["boolean","null"]}},` +
			`"required":["correct","complete","contradicts_reference","grounded"],"additionalProperties":false},` +
			`"score":{"type":"integer","minimum":1,"maximum":5},"confidence":{"type":"integer","minimum":0,"maximum":100}},` +
			`"required":["extracted_answer","criteria","score","confidence"],"additionalProperties":false}`)}
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
