package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/seed-5817661a/concur/model"
)

// anyArguments is the schema of a tool that has no schema.
const anyArguments = `{"type":"object","properties":{}}`

// Check returns an error for a request that no endpoint would accept; the error names the wrong part.
// Otherwise it returns the offered tools, each with a schema.
func Check(req model.Request) ([]model.ToolSpec, error) {
	if err := checkAnswers(req.Messages); err != nil {
		return nil, err
	}
	tools := slices.Clone(req.Tools)
	offered := req.Choice == model.ChooseFreely || req.Choice == model.ChooseNone
	for i, t := range tools {
		offered = offered || req.Choice == model.ChooseRequired || t.Name == string(req.Choice)
		if len(t.Parameters) == 0 {
			tools[i].Parameters = model.RawSchema(anyArguments)
		} else if !json.Valid(t.Parameters) {
			return nil, fmt.Errorf("tool %q: its parameters are not JSON", t.Name)
		}
	}
	switch {
	case math.IsNaN(req.Temperature) || math.IsInf(req.Temperature, 0):
		return nil, fmt.Errorf("temperature %v is not a number; give 0 or more", req.Temperature)
	case !offered && len(tools) == 0:
		return nil, errors.New("a tool must be called, but the request offers none")
	case !offered:
		return nil, fmt.Errorf("the tool %q must be called, but the request does not offer it", req.Choice)
	case req.Schema != nil && !json.Valid(req.Schema.Schema):
		return nil, fmt.Errorf("response schema %q: it is not JSON", req.Schema.Name)
	}
	return tools, nil
}

// checkAnswers checks that each call of an assistant's message is answered by one tool
// message before any other message.
func checkAnswers(messages []model.Message) error {
	open := map[string]bool{}
	for i, m := range messages {
		if m.Role == model.ToolRole {
			if !open[m.ToolCallID] {
				return fmt.Errorf("message %d answers the call %q, which the previous turn did not make, "+
					"or which already has a result",
					i, m.ToolCallID)
			}
			delete(open, m.ToolCallID)
			continue
		}
		if err := checkOpen(open); err != nil {
			return fmt.Errorf("message %d: %w", i, err)
		}
		for _, c := range m.ToolCalls {
			if c.ID == "" || open[c.ID] {
				return fmt.Errorf("message %d: the call of %q has the id %q, which is empty or taken; give each call "+
					"its own", i, c.Name, c.ID)
			}
			open[c.ID] = true
		}
	}
	return checkOpen(open)
}

func checkOpen(open map[string]bool) error {
	if len(open) == 0 {
		return nil
	}
	return fmt.Errorf("the calls %q have no answer; add one tool message for each, right after the calls",
		slices.Sorted(maps.Keys(open)))
}
