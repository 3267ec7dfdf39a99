package calc

import (
	"context"
	"encoding/json"

	"github.com/seed-5817661a/concur/internal/slot"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
)

// Name is the tool's name.
const Name = "calc"

// Version changes when an expression could give another result.
const Version = "calc/v3"

const parameters = `{
  "type": "object",
  "properties": {
    "expression": {"type": "string", "minLength": 1, "maxLength": 1000,` +
	` "description": "Arithmetic such as (1969-1903)*365, 7/3 or sqrt(2). No variables, no units, ` +
	`no thousands separators."}
  },
  "required": ["expression"],
  "additionalProperties": false
}`

// Tool is the calculator as a tool.
var Tool = tool.Func(tool.Spec{
	ToolSpec: model.ToolSpec{
		Name: Name,
		Description: "Calculate exactly. Operators + - * / // (floor) % (modulo) ** (power), parentheses, sqrt() " +
			"exp() ln() (natural) log() (base 10), pi and e. Gives the value as a string: whole numbers in full, " +
			"others exact or to 30 significant digits; \"approximate\": true marks an irrational value.",
		Parameters: json.RawMessage(parameters),
	},
	Pure:        true,
	OwnDeadline: true, // limits on its arguments limit its time
}, evaluate)

func evaluate(ctx context.Context, in struct{ Expression string }) (tool.Output, error) {
	leave, err := slot.Enter(ctx)
	if err != nil {
		return tool.Output{}, err
	}
	defer leave()
	result, err := Eval(in.Expression)
	if err != nil {
		return tool.Output{}, err
	}
	object := map[string]any{"value": result.Value}
	if result.Approximate {
		object["approximate"] = true
	}
	return tool.Output{Object: object}, nil
}
