package planner

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/seed-5817661a/concur/internal/slot"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
)

// Name is the tool's name.
const Name = "planner"

const parameters = `{
  "type": "object",
  "properties": {
    "goal": {"type": "string", "minLength": 1, "maxLength": 4000, "description": "The question to answer, in full."},
    "constraints": {"type": "array", "items": {"type": "string", "maxLength": 400}, "maxItems": 20,` +
	` "description": "What the answer must respect, such as a unit or a rounding."}
  },
  "required": ["goal"],
  "additionalProperties": false
}`

// New returns the planner. others are the other tools of the agent, which its plans may name.
func New(others ...tool.Spec) tool.Tool {
	return tool.Func(tool.Spec{
		ToolSpec: model.ToolSpec{
			Name:        Name,
			Description: "Break a question down into steps, each with the tool to use. Call it once, first.",
			Parameters:  json.RawMessage(parameters),
		},
		Pure:        true,
		OwnDeadline: true, // limits on its arguments limit its time
	}, func(ctx context.Context, in arguments) (tool.Output, error) { return answer(ctx, in, others) })
}

type arguments struct {
	Goal        string
	Constraints []string
}

func answer(ctx context.Context, in arguments, others []tool.Spec) (tool.Output, error) {
	leave, err := slot.Enter(ctx)
	if err != nil {
		return tool.Output{}, err
	}
	defer leave()
	if strings.TrimSpace(in.Goal) == "" {
		return tool.Output{}, errors.New("the goal is empty: give the question to answer")
	}
	p := BuildPlan(in.Goal, in.Constraints, others)
	return tool.Output{Object: map[string]any{"goal": p.Goal, "constraints": p.Constraints, "tools": p.Tools,
		"steps": p.Steps}}, nil
}
