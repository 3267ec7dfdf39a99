package calc

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/seed-5817661a/concur/internal/slot"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/tool"
)

// Name is the tool's name.
const Name = "calc"

// Version changes whenever an expression can give another result.
const Version = "calc/v1"

const parameters = `{
  "type": "object",
  "properties": {
    "expression": {"type": "string", "minLength": 1, "maxLength": 1000, "description": "Arithmetic such as (1969-1903)*365 or 7/3. No names, no units, no thousands separators."}
  },
  "required": ["expression"],
  "additionalProperties": false
}`

// Tool is the calc tool: Eval behind a schema. The zero value is ready.
type Tool struct{}

// Spec describes the tool.
func (Tool) Spec() tool.Spec {
	return tool.Spec{
		ToolSpec: model.ToolSpec{
			Name:        Name,
			Description: "Calculate exactly. Operators + - * / // (floor) % (modulo) ** (power) and parentheses. Gives the value as a string: whole numbers in full, others exact or to 30 significant digits.",
			Parameters:  json.RawMessage(parameters),
		},
		Pure:        true,
		OwnDeadline: true, // its arguments bound it
	}
}

// Call evaluates an expression.
func (Tool) Call(ctx context.Context, arguments json.RawMessage) (tool.Output, error) {
	leave, err := slot.Enter(ctx)
	if err != nil {
		return tool.Output{}, err
	}
	defer leave()
	var in struct {
		Expression string `json:"expression"`
	}
	if err := json.Unmarshal(arguments, &in); err != nil {
		return tool.Output{}, fmt.Errorf("read arguments: %w", err)
	}
	value, err := Eval(in.Expression)
	if err != nil {
		return tool.Output{}, err
	}
	return tool.Output{Object: map[string]any{"value": value}}, nil
}
