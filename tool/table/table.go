// Package table makes tools from small tables of a dataset: the model gives an entry and gets the value in
// its row. Such tools need no network, so anyone can publish tasks together with their tools.
package table

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
)

// New returns a tool that looks up a table's rows by their entry. It is pure, so a replay may run it again.
// If the table does not have the entry, the error has the kind not_found.
func New(t datasets.Tool) tool.Tool {
	parameters, _ := json.Marshal(map[string]any{ // encoding texts never fails
		"type": "object", "required": []string{"entry"}, "additionalProperties": false,
		"properties": map[string]any{"entry": map[string]any{
			"type": "string", "minLength": 1, "maxLength": 500, "description": cmp.Or(t.Entry, "What to look up."),
		}},
	})
	rows := map[string]string{} // values by folded entry
	for entry, value := range t.Rows {
		rows[datasets.FoldEntry(entry)] = value
	}
	spec := model.ToolSpec{Name: t.Name, Description: t.Description, Parameters: parameters}
	lookUp := func(_ context.Context, in struct{ Entry string }) (tool.Output, error) {
		value, found := rows[datasets.FoldEntry(in.Entry)]
		if !found {
			return tool.Output{}, &tool.RequestError{Kind: tool.NotFound,
				Err: fmt.Errorf("there is no entry %q in this table", in.Entry)}
		}
		return tool.Output{Object: map[string]any{"entry": in.Entry, "value": value}}, nil
	}
	return tool.Func(tool.Spec{ToolSpec: spec, Pure: true, OwnDeadline: true}, lookUp)
}
