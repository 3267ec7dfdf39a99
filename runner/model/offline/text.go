package offline

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/runner/model"
)

// The labels that begin the lines of the text protocol.
const (
	thoughtLabel     = "Thought"
	actionLabel      = "Action"
	inputLabel       = "Action Input"
	observationLabel = "Observation"
	finalLabel       = "Final"
)

var labels = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?im)^[ \t>*_]*(Thought|Action Input|Action|Observation|Final)[ \t]*[*_]*:[*_]*[ \t]*`)
})

// labelled is a text cut at its labels: what stands behind each, up to the next one.
type labelled map[string]string

// sections cuts a text. Of a repeated label the first counts; what stands behind Final is
// the final message to its end, whatever its own lines look like.
func sections(text string) labelled {
	out := labelled{}
	marks := labels().FindAllStringSubmatchIndex(text, -1)
	for i, m := range marks {
		name := canonicalLabel(text[m[2]:m[3]])
		end := len(text)
		if i+1 < len(marks) && name != finalLabel {
			end = marks[i+1][0]
		}
		if _, again := out[name]; !again {
			out[name] = strings.TrimSpace(text[m[1]:end])
		}
		if name == finalLabel {
			break
		}
	}
	return out
}

func canonicalLabel(s string) string {
	for _, l := range []string{thoughtLabel, actionLabel, inputLabel, observationLabel} {
		if strings.EqualFold(s, l) {
			return l
		}
	}
	return finalLabel
}

func (l labelled) has(names ...string) bool {
	for _, n := range names {
		if _, ok := l[n]; !ok {
			return false
		}
	}
	return true
}

// speaksText says whether a request is one of the text protocol: it offers no tools of its
// own, and its system message shows the two labels that every such conversation has. Only
// the form is looked at, no wording.
func speaksText(req model.Request) bool {
	if len(req.Tools) > 0 {
		return false
	}
	found := map[string]bool{}
	for _, m := range req.Messages {
		if m.Role != model.System {
			continue
		}
		for _, hit := range labels().FindAllStringSubmatch(m.Content, -1) {
			found[canonicalLabel(hit[1])] = true
		}
	}
	return found[finalLabel] && (found[thoughtLabel] || found[inputLabel])
}

// asNative turns a conversation of the text protocol into the native one that the policy
// reads, message by message: assistant texts with an action become tool calls, the
// observations behind them tool messages, final texts the message alone. A user message
// that is neither question, observation nor the answer to a final message ends the use of
// tools, as a native request without tools does.
func asNative(req model.Request) model.Request {
	tools := listedTools(req.Messages)
	out := make([]model.Message, len(req.Messages))
	open := "" // the call that waits for its observation
	asked, final := false, false
	for i, m := range req.Messages {
		out[i] = m
		switch m.Role {
		case model.Assistant:
			s := sections(m.Content)
			open = ""
			switch {
			case s.has(actionLabel, inputLabel):
				open = "call_" + strconv.Itoa(i)
				out[i] = model.Message{Role: m.Role, Content: s[thoughtLabel], ToolCalls: []model.ToolCall{{ID: open, Name: s[actionLabel], Arguments: s[inputLabel]}}}
			case s.has(finalLabel):
				out[i].Content, final = s[finalLabel], true
			}
		case model.User:
			text, observation := observationIn(m.Content)
			switch {
			case asked && observation && open != "":
				out[i] = model.Message{Role: model.ToolRole, ToolCallID: open, Content: text}
				open = ""
			case asked && !observation && !final:
				tools = nil
			}
			asked = asked || strings.TrimSpace(m.Content) != ""
		}
	}
	req.Messages, req.Tools = out, tools
	return req
}

// observationIn gives what stands behind the label of an observation.
func observationIn(content string) (string, bool) {
	m := labels().FindStringSubmatchIndex(content)
	if m == nil || m[0] != 0 || canonicalLabel(content[m[2]:m[3]]) != observationLabel {
		return "", false
	}
	return content[m[1]:], true
}

// listedTools reads the tools that the system message lists, one JSON object a line.
func listedTools(messages []model.Message) []model.ToolSpec {
	var out []model.ToolSpec
	for _, m := range messages {
		if m.Role != model.System {
			continue
		}
		for line := range strings.Lines(m.Content) {
			var spec model.ToolSpec
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "{") && json.Unmarshal([]byte(line), &spec) == nil && spec.Name != "" {
				out = append(out, spec)
			}
		}
	}
	return out
}

// settled is the thought of every final turn.
const settled = "No further tool is needed."

// asText writes a turn in the text protocol. Its one call, or the final message.
func asText(content string, calls []model.ToolCall) string {
	if len(calls) == 0 {
		return thoughtLabel + ": " + settled + "\n" + finalLabel + ": " + unlabelled(content)
	}
	return thoughtLabel + ": " + content + "\n" + actionLabel + ": " + calls[0].Name + "\n" + inputLabel + ": " + calls[0].Arguments
}

// unlabelled keeps a quoted passage that begins like a line of the protocol from being
// read as one.
func unlabelled(message string) string { return labels().ReplaceAllString(message, "- $0") }
