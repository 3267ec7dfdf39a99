package protocol

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/model"
)

// Names of tools that the protocols of text treat in their own way.
const (
	PlannerTool = "planner"
	FinderTool  = "search_tools"
)

// labels matches the labels at the beginning of lines of the text protocol.
var labels = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?im)^[ \t>*_]*(Thought|Action Input|Action|Observation|Final)[ \t]*[*_]*:[*_]*[ \t]*`)
})

// sections divides a text at its labels. If a label is repeated, the first one counts. All text after Final is
// the final message, even if lines in it look like labels.
func sections(text string) map[string]string {
	out := map[string]string{}
	marks := labels().FindAllStringSubmatchIndex(text, -1)
	for i, m := range marks {
		name, end := strings.ToLower(text[m[2]:m[3]]), len(text)
		if i+1 < len(marks) && name != "final" {
			end = marks[i+1][0]
		}
		if _, again := out[name]; !again {
			out[name] = strings.TrimSpace(text[m[1]:end])
		}
		if name == "final" {
			break
		}
	}
	return out
}

// hasLabels reports whether a text has all of these labels.
func hasLabels(sections map[string]string, names ...string) bool {
	return !slices.ContainsFunc(names, func(n string) bool { _, ok := sections[n]; return !ok })
}

// Instructions joins the system messages, with a line break before each.
func Instructions(messages []model.Message) string {
	out := ""
	for _, m := range messages {
		if m.Role == model.System {
			out += "\n" + m.Content
		}
	}
	return out
}

// SpeaksText reports whether a request uses the text protocol. This is so if the request offers no native tools
// and its system message has the labels of the protocol. The wording of the message is not checked.
func SpeaksText(req model.Request) bool {
	if len(req.Tools) > 0 {
		return false
	}
	shown := map[string]string{}
	for _, hit := range labels().FindAllStringSubmatch(Instructions(req.Messages), -1) {
		shown[strings.ToLower(hit[1])] = ""
	}
	return hasLabels(shown, "final") && (hasLabels(shown, "thought") || hasLabels(shown, "action input"))
}

// AsNative translates a conversation of the text protocol to the native form that the policy reads, message by
// message. Assistant texts with an action become tool calls, observations become tool messages, and final texts
// become messages. A user message may be the question, an observation, or the answer to a final message. Any
// other user message ends the use of tools, in the same way as a native request without tools.
func AsNative(req model.Request) model.Request {
	tools := listedTools(Instructions(req.Messages))
	out := make([]model.Message, len(req.Messages))
	var open []string             // ids of calls that have no observation yet
	called := map[string]string{} // tools of calls, by id
	asked, final := false, false
	for i, m := range req.Messages {
		out[i] = m
		s := sections(m.Content)
		switch {
		case m.Role == model.Assistant && hasLabels(s, "action", "action input"):
			open = []string{"call_" + strconv.Itoa(i)}
			out[i] = model.Message{Role: m.Role, Content: s["thought"],
				ToolCalls: []model.ToolCall{{ID: open[0], Name: s["action"], Arguments: s["action input"]}}}
		case m.Role == model.Assistant:
			open = nil
			out[i].ToolCalls = listed(m.Content, "call_"+strconv.Itoa(i))
			for _, c := range out[i].ToolCalls {
				open = append(open, c.ID)
			}
			if hasLabels(s, "final") {
				out[i].Content, final = s["final"], true
			}
		case m.Role == model.User:
			first := labels().FindStringSubmatchIndex(m.Content)
			observed := first != nil && first[0] == 0 && strings.EqualFold(m.Content[first[2]:first[3]], "observation")
			if asked && observed && len(open) > 0 {
				out[i] = model.Message{Role: model.ToolRole, ToolCallID: open[0], Content: m.Content[first[1]:]}
				if called[open[0]] == FinderTool {
					tools = append(tools, foundTools(out[i].Content)...)
				}
				open = open[1:]
			} else if asked && !observed && !final {
				tools = nil
			}
			asked = asked || strings.TrimSpace(m.Content) != ""
		}
		for _, c := range out[i].ToolCalls {
			called[c.ID] = c.Name
		}
	}
	req.Messages, req.Tools = out, tools
	return req
}

// listedTools reads the tools that the system message lists, one JSON object on each line.
func listedTools(system string) []model.ToolSpec {
	var out []model.ToolSpec
	for line := range strings.Lines(system) {
		var spec model.ToolSpec
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "{") && json.Unmarshal([]byte(line), &spec) == nil && spec.Name != "" {
			out = append(out, spec)
		}
	}
	return out
}

// foundTools reads the tools in a result of the tool that finds tools, because the text protocol lists them
// nowhere else.
func foundTools(result string) []model.ToolSpec {
	var found struct{ Tools []model.ToolSpec }
	if json.Unmarshal([]byte(Unfenced(result)), &found) != nil {
		return nil
	}
	return slices.DeleteFunc(found.Tools, func(t model.ToolSpec) bool { return t.Name == "" || len(t.Parameters) == 0 })
}

// AsText writes a turn in the text protocol: a call, a list of calls, or the final message. It makes sure that
// no line of the final message begins with a label of the protocol.
func AsText(content string, calls []model.ToolCall, lists bool) string {
	if lists && len(calls) > 0 {
		return "Thought: " + content + "\n" + listOf(calls)
	}
	if len(calls) == 0 {
		return "Thought: No further tool is needed.\nFinal: " + labels().ReplaceAllString(content, "- $0")
	}
	return "Thought: " + content + "\nAction: " + calls[0].Name + "\nAction Input: " + calls[0].Arguments
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

// Unfenced returns the text inside a data fence. A request may put such a fence around the output of tools:
//
//	<<data NONCE>>
//	the data
//	<<end NONCE>>
//
// It also removes the private-use character that may replace or precede every space. Text that has no fence, or
// a fence without an end, is returned unchanged. Text after the fence is dropped, because the harness wrote it.
func Unfenced(text string) string {
	rest, opened := strings.CutPrefix(text, "<<data ")
	if !opened {
		return unmarked(text)
	}
	nonce, rest, lined := strings.Cut(rest, ">>\n")
	if !lined || strings.ContainsAny(nonce, " \n") {
		return text
	}
	data, _, closed := strings.Cut(rest, "\n<<end "+nonce+">>")
	if !closed {
		return text
	}
	return data
}

var marks = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\x{E000}-\x{F8FF}]+(\s?)`) })

// unmarked replaces each private-use character by the space for which it was written.
func unmarked(text string) string {
	return marks().ReplaceAllStringFunc(text, func(mark string) string {
		return cmp.Or(strings.TrimFunc(mark, func(r rune) bool { return r >= 0xE000 && r <= 0xF8FF }), " ")
	})
}
