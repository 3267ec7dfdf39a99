package protocol

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/model"
)

// inlineForm matches the form of a call in the system message of the protocol inline.
var inlineForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[ \t]*\[\w+\(.*\) →[ \t]*$`)
})

// inlineResult matches a call in a text and what follows the arrow.
var inlineResult = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)\[([A-Za-z_][\w.\-]*)\((.*?)\) → (.*)`)
})

// SpeaksInline reports whether a request uses the protocol inline: it offers no native tools, and its system message
// shows the form of a call within a text.
func SpeaksInline(req model.Request) bool {
	return len(req.Tools) == 0 && inlineForm().MatchString(Instructions(req.Messages))
}

// FromInline translates a text with a call to the native form that the policy reads. The reader writes at most one call
// in a text: if there is one, or if the user demands something else, no tool is offered. The planner is not offered
// either, because its call would be the only one.
func FromInline(req model.Request) model.Request {
	tools := slices.DeleteFunc(listedTools(Instructions(req.Messages)), func(t model.ToolSpec) bool {
		return t.Name == PlannerTool || t.Name == FinderTool
	})
	var out []model.Message
	asked, used := false, false
	for i, m := range req.Messages {
		hit := inlineResult().FindStringSubmatchIndex(m.Content)
		if m.Role != model.Assistant || hit == nil {
			used = used || asked && m.Role != model.System
			asked = asked || m.Role == model.User && strings.TrimSpace(m.Content) != ""
			out = append(out, m)
			continue
		}
		used = true
		name, result := m.Content[hit[2]:hit[3]], m.Content[hit[6]:hit[7]]
		if end := strings.LastIndexByte(result, ']'); end >= 0 {
			result = result[:end]
		}
		id := fmt.Sprint("call_", i)
		out = append(out, model.Message{Role: m.Role, Content: m.Content[:hit[0]], ToolCalls: []model.ToolCall{{
			ID: id, Name: name, Arguments: namedArguments(m.Content[hit[4]:hit[5]], requiredOf(name, tools))}}},
			model.Message{Role: model.ToolRole, ToolCallID: id, Content: result})
	}
	if req.Messages, req.Tools = out, tools; used {
		req.Tools = nil
	}
	return req
}

// Arguments is a tool's schema of arguments.
type Arguments struct {
	Properties map[string]struct {
		Type any   `json:"type"`
		Enum []any `json:"enum"`
	} `json:"properties"`
	Required []string `json:"required"`
}

// requiredOf returns the required arguments of a tool.
func requiredOf(name string, tools []model.ToolSpec) []string {
	for _, t := range tools {
		var a Arguments
		if t.Name == name && json.Unmarshal(t.Parameters, &a) == nil {
			return a.Required
		}
	}
	return nil
}

// namedArguments returns the arguments of a call that the reader wrote, as a JSON object: those by position, then those
// as name=value. It drops the rest of a list that it cannot read.
func namedArguments(list string, names []string) string {
	args := map[string]json.RawMessage{}
	for n := 0; ; n++ {
		list = strings.TrimLeft(list, ", ")
		key := ""
		if m := argumentName().FindString(list); m != "" {
			key, list = m[:len(m)-1], list[len(m):]
		} else if n < len(names) {
			key = names[n]
		}
		dec := json.NewDecoder(strings.NewReader(list))
		var value json.RawMessage
		if key == "" || dec.Decode(&value) != nil {
			break
		}
		args[key], list = value, list[dec.InputOffset():]
	}
	raw, _ := json.Marshal(args) // they were decoded as JSON
	return string(raw)
}

var argumentName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_]\w*=`) })

// AsInline writes a turn as a piece of a text: a call, with its required arguments by position and others by name, or
// the end of the text.
func AsInline(content string, calls []model.ToolCall, tools []model.ToolSpec) string {
	if len(calls) == 0 {
		return "\n\n" + strings.ReplaceAll(content, ") →", ") –") // an arrow behind a bracket would end the text
	}
	var args map[string]json.RawMessage
	_ = json.Unmarshal([]byte(calls[0].Arguments), &args) // the reader's own arguments
	var list []string
	for _, name := range requiredOf(calls[0].Name, tools) {
		if value, given := args[name]; given {
			list = append(list, string(value))
			delete(args, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		list = append(list, name+"="+string(args[name]))
	}
	return content + " [" + calls[0].Name + "(" + strings.Join(list, ", ") + ") →"
}
