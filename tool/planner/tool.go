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
    "constraints": {"type": "array", "items": {"type": "string", "maxLength": 400}, "maxItems": 20, "description": "What the answer must respect, such as a unit or a rounding."}
  },
  "required": ["goal"],
  "additionalProperties": false
}`

// Tool is the planner over the other tools of an agent.
type Tool struct {
	// Others are the tools that plans may name.
	Others []tool.Spec
}

// Spec describes the tool.
func (Tool) Spec() tool.Spec {
	return tool.Spec{
		ToolSpec: model.ToolSpec{
			Name:        Name,
			Description: "Break a question down into steps, each with the tool to use. Call it once, first.",
			Parameters:  json.RawMessage(parameters),
		},
		Pure:        true,
		OwnDeadline: true, // its arguments bound it
	}
}

// Call makes a plan.
func (t Tool) Call(ctx context.Context, arguments json.RawMessage) (tool.Output, error) {
	leave, err := slot.Enter(ctx)
	if err != nil {
		return tool.Output{}, err
	}
	defer leave()
	var in struct {
		Goal        string
		Constraints []string
	}
	_ = json.Unmarshal(arguments, &in) // the schema has accepted them
	if strings.TrimSpace(in.Goal) == "" {
		return tool.Output{}, errors.New("the goal is empty: give the question to answer")
	}
	p := Make(in.Goal, in.Constraints, t.Others)
	return tool.Output{Object: map[string]any{"goal": p.Goal, "constraints": p.Constraints, "tools": p.Tools,
		"steps": p.Steps}}, nil
}
