package offline

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/runner/model"
)

// completion calls the tool that ends the work, with the whole final message.
func (c *conversation) completion(content string) []model.ToolCall {
	raw, _ := json.Marshal(map[string]string{"answer": content}) // text only
	return []model.ToolCall{{ID: c.newID(), Name: c.complete, Arguments: string(raw)}}
}

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
	raw, _ := json.Marshal(list) // the reader's own arguments
	return string(raw)
}

// listed reads a JSON list of calls behind a thought; nil for any other text. id begins their ids.
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

// ruleAnalysis says what kind of answer the task asks for, and which tools there are, if it has a list.
func ruleAnalysis(data blocks) (any, error) {
	pieces, err := data.need("task")
	if err != nil {
		return nil, err
	}
	names := map[kind]string{person: "a person", place: "a place", number: "a number", date: "a date", year: "a year", truth: "yes or no"}
	asked := cmp.Or(names[readQuestion(pieces[0]).want.kind], "a name")
	var tools []string
	for line := range strings.Lines(data["tools"]) {
		name, _, _ := strings.Cut(line, ":")
		tools = append(tools, strings.TrimSpace(name))
	}
	return map[string]string{"analysis": fmt.Sprintf("The task asks for %s. There are %d tools: %s.", asked, len(tools), strings.Join(tools, ", "))}, nil
}

// ruleReflection counts the results that are errors.
func ruleReflection(data blocks) (any, error) {
	pieces, err := data.need("results")
	if err != nil {
		return nil, err
	}
	results, failed := strings.Count(pieces[0], "\n→ "), strings.Count(pieces[0], "→ ERROR:")
	return map[string]string{"reflection": fmt.Sprintf("%d of %d calls failed.", failed, results)}, nil
}
