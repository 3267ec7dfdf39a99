package offline

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/model"
)

// listedCall is a call in a list of the text protocol.
type listedCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// listOf writes calls as a JSON list.
func listOf(calls []model.ToolCall) string {
	list := make([]listedCall, len(calls))
	for i, c := range calls {
		list[i] = listedCall{c.Name, json.RawMessage(c.Arguments)}
	}
	raw, _ := json.Marshal(list) // encoding the reader's own arguments never fails
	return string(raw)
}

// listed reads a JSON list of calls that follows a thought. It returns nil for any other text. id is the
// beginning of the ids of the calls.
func listed(text, id string) []model.ToolCall {
	_, list, found := strings.Cut(text, "\n[")
	var calls []listedCall
	if !found || json.NewDecoder(strings.NewReader("["+list)).Decode(&calls) != nil {
		return nil
	}
	out := make([]model.ToolCall, len(calls))
	for i, c := range calls {
		out[i] = model.ToolCall{ID: fmt.Sprint(id, "_", i), Name: c.Name, Arguments: string(c.Arguments)}
	}
	return out
}

// ruleAnalysis describes the kind of answer that a task asks for.
func ruleAnalysis(data blocks) (any, error) {
	pieces, err := data.need("task")
	if err != nil {
		return nil, err
	}
	names := map[kind]string{person: "a person", place: "a place", number: "a number", date: "a date", year: "a year",
		truth: "yes or no"}
	return map[string]string{"analysis": "The task asks for " +
		cmp.Or(names[readQuestion(pieces[0]).want.kind], "a name") + "."}, nil
}

// ruleReflection counts the failed calls among the results.
func ruleReflection(data blocks) (any, error) {
	pieces, err := data.need("results")
	if err != nil {
		return nil, err
	}
	results, failed := strings.Count(pieces[0], "\n→ "), strings.Count(pieces[0], "→ ERROR:")
	return map[string]string{"reflection": fmt.Sprintf("%d of %d calls failed.", failed, results)}, nil
}
