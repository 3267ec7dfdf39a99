package judge

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/seed-5817661a/concur/internal/asking"
	"github.com/seed-5817661a/concur/runner/model"
)

// QualityPromptVersion changes with every change of the prompt.
const QualityPromptVersion = "quality/v2"

// QualitySchema is the name of the reply's schema.
const QualitySchema = "concur_quality_v1"

const maxMessage = 8 << 10 // bytes of the final message

const qualityTask = `The data is a question, the transcript of an agent that worked on it with tools, and its final message. An empty final message means that a rule stopped the agent.

Grade how it worked, each from 1 (very poor) to 5 (nothing to improve):
- reasoning: each step follows from what was known, claims rest on what the tools returned, errors are noticed.
- tool_choice: the right tools with the right inputs, none needed left out, none called in vain. Where no tool was needed and none was called, 5.
- helpfulness: the message gives the person who asked what they can use; a justified refusal or an honest "cannot be settled" is helpful.
- relevance: the message answers this question and keeps to it.
- score: over all, not below the lowest and not above the highest of the four.
Do not grade whether the answer is true: you are not told. Length, tone and confidence count for nothing.

Reply with one JSON object and nothing else. Its fields are "reasoning", "tool_choice", "helpfulness", "relevance" and "score", each a whole number from 1 to 5.`

func qualitySchema() model.ResponseSchema {
	const grade = `{"type":"integer","minimum":1,"maximum":5}`
	return model.ResponseSchema{Name: QualitySchema, Schema: json.RawMessage(
		`{"type":"object","properties":{"reasoning":` + grade + `,"tool_choice":` + grade + `,"helpfulness":` + grade +
			`,"relevance":` + grade + `,"score":` + grade + `},` +
			`"required":["reasoning","tool_choice","helpfulness","relevance","score"],"additionalProperties":false}`)}
}

// quality is the model's reply.
type quality struct {
	scores QualityScores
	score  int
}

func readQuality(text string) (out quality, err error) {
	targets := map[string]any{
		"reasoning": &out.scores.Reasoning, "tool_choice": &out.scores.ToolChoice,
		"helpfulness": &out.scores.Helpfulness, "relevance": &out.scores.Relevance, "score": &out.score,
	}
	if err := asking.ReadInto(text, targets); err != nil {
		return out, err
	}
	for _, name := range slices.Sorted(maps.Keys(targets)) {
		if err := inRange(name, *targets[name].(*int), 1, 5); err != nil {
			return out, err
		}
	}
	parts := []int{out.scores.Reasoning, out.scores.ToolChoice, out.scores.Helpfulness, out.scores.Relevance}
	if out.score < slices.Min(parts) || out.score > slices.Max(parts) {
		return out, errors.New("the reply is inconsistent: the overall score is outside the range of its parts")
	}
	return out, nil
}
