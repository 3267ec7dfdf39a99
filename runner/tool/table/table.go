package table

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/tool"
)

// Argument is the one argument of a table.
const Argument = "entry"

// Tool is one table. It is pure: a replay may run it again.
type Tool struct {
	spec tool.Spec
	rows map[string]string // by folded entry
}

// New makes a tool of a table. about describes it, entry says what an entry is; both are for the
// model, and entry may be "".
func New(name, about, entry string, rows map[string]string) (*Tool, error) {
	if entry == "" {
		entry = "What to look up."
	}
	parameters, err := json.Marshal(map[string]any{
		"type": "object", "required": []string{Argument}, "additionalProperties": false,
		"properties": map[string]any{Argument: map[string]any{"type": "string", "minLength": 1, "maxLength": 500, "description": entry}},
	})
	if err != nil {
		return nil, fmt.Errorf("describe the tool %s: %w", name, err)
	}
	t := &Tool{spec: tool.Spec{ToolSpec: model.ToolSpec{Name: name, Description: about, Parameters: parameters}, Pure: true, OwnDeadline: true}, rows: map[string]string{}}
	for key, value := range rows {
		t.rows[fold(key)] = value
	}
	return t, nil
}

// Spec describes the tool.
func (t *Tool) Spec() tool.Spec { return t.spec }

// Call looks an entry up. One that the table does not have is an error of kind not_found.
func (t *Tool) Call(_ context.Context, arguments json.RawMessage) (tool.Output, error) {
	var in struct {
		Entry string `json:"entry"`
	}
	if err := json.Unmarshal(arguments, &in); err != nil {
		return tool.Output{}, fmt.Errorf("read arguments: %w", err)
	}
	value, found := t.rows[fold(in.Entry)]
	if !found {
		return tool.Output{}, &tool.RequestError{Kind: tool.NotFound, Err: fmt.Errorf("there is no entry %q in this table", in.Entry)}
	}
	return tool.Output{Object: map[string]any{"entry": in.Entry, "value": value}}, nil
}

// fold drops case and extra space, as datasets.FoldEntry does.
func fold(entry string) string { return strings.ToLower(strings.Join(strings.Fields(entry), " ")) }
