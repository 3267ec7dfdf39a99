package judge

import (
	"errors"
	"maps"
	"slices"

	"github.com/seed-5817661a/concur/internal/asking"
)

// QualityPromptVersion changes with every change of the prompt.
const QualityPromptVersion = "quality/v2"

// QualitySchema is the name of the reply's schema.
const QualitySchema = "concur_quality_v1"

const maxMessage = 8 << 10 // bytes of the final message

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
