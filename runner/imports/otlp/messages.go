package otlp

import (
	"encoding/json"
	"strings"
)

// message is a message of a conversation.
type message struct {
	role    string // user, assistant, system or tool
	text    string
	thought string // of a model's reasoning
	calls   []call
	answers string // id of the call that a tool's message answers
}

type call struct{ id, name, arguments string }

// equals compares what a later request repeats of an earlier message.
func (m message) equals(n message) bool {
	if m.role != n.role || m.text != n.text || len(m.calls) != len(n.calls) {
		return false
	}
	for i := range m.calls {
		if m.calls[i].id != n.calls[i].id || m.calls[i].name != n.calls[i].name {
			return false
		}
	}
	return true
}

// messagesOf reads messages in any of the forms: those of the conventions, of OpenAI, OpenInference and Traceloop, as
// values or as JSON. A text that is no JSON is one message with the given role.
func messagesOf(value any, role string) []message {
	if text, is := value.(string); is {
		parsed := parsedJSON(text)
		if parsed == nil {
			if strings.TrimSpace(text) == "" {
				return nil
			}
			return []message{{role: role, text: text}}
		}
		value = parsed
	}
	switch v := value.(type) {
	case []any:
		var out []message
		for _, item := range v {
			out = append(out, messagesOf(item, role)...)
		}
		return out
	case map[string]any:
		for _, list := range []string{"messages", "choices"} {
			if inner, is := v[list].([]any); is {
				return messagesOf(inner, role)
			}
		}
		return messageOf(v, role)
	}
	return nil
}

// parsedJSON returns a JSON list or object; nil for any other text.
func parsedJSON(text string) any {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" || trimmed[0] != '{' && trimmed[0] != '[' {
		return nil
	}
	dec := json.NewDecoder(strings.NewReader(trimmed))
	dec.UseNumber()
	var out any
	if dec.Decode(&out) != nil || dec.More() {
		return nil
	}
	return out
}

// roles are other names of roles.
var roles = map[string]string{"human": "user", "ai": "assistant", "model": "assistant", "function": "tool",
	"developer": "system"}

// messageOf reads an object. Results of tools that are parts of a message become messages of their own.
func messageOf(v map[string]any, role string) (out []message) {
	if inner, is := v["message"].(map[string]any); is {
		return messageOf(inner, role)
	}
	m := message{role: role}
	for _, name := range []string{"role", "type"} {
		if r, is := v[name].(string); is && (name == "role" || roles[r] != "" || r == "system" || r == "tool") {
			m.role = strings.ToLower(r)
			break
		}
	}
	if r := roles[m.role]; r != "" {
		m.role = r
	}
	m.answers = firstText(v, "tool_call_id", "tool_call.id")
	if m.role == "tool" && m.answers == "" {
		m.answers = firstText(v, "id", "name")
	}
	for _, name := range []string{"parts", "content", "contents"} {
		switch c := v[name].(type) {
		case string:
			m.text = join(m.text, c)
		case []any:
			for _, item := range c {
				out = append(out, m.part(item)...)
			}
		case map[string]any:
			out = append(out, m.part(c)...)
		}
	}
	for _, name := range []string{"reasoning_content", "reasoning"} {
		if t, is := v[name].(string); is {
			m.thought = join(m.thought, t)
		}
	}
	if list, is := v["tool_calls"].([]any); is {
		for _, item := range list {
			m.call(item)
		}
	}
	if m.text == "" && m.thought == "" && len(m.calls) == 0 && m.answers == "" && len(out) > 0 {
		return out // the message had only results of tools
	}
	return append(out, m)
}

// part adds a part of a message. It returns results of tools, as messages.
func (m *message) part(item any) []message {
	p, is := item.(map[string]any)
	if !is {
		m.text = join(m.text, textOf(item))
		return nil
	}
	if inner, is := p["message_content"].(map[string]any); is { // OpenInference
		p = inner
	}
	text := firstText(p, "content", "text")
	switch form, _ := p["type"].(string); form {
	case "reasoning", "thinking":
		m.thought = join(m.thought, firstText(p, "content", "text", "thinking"))
	case "tool_call", "tool_use", "tool-call":
		m.call(p)
	case "tool_call_response", "tool_result", "tool-result":
		return []message{{role: "tool", answers: firstText(p, "id", "tool_use_id", "tool_call_id"),
			text: firstText(p, "result", "response", "content")}}
	case "text", "input_text", "output_text", "":
		m.text = join(m.text, text)
	}
	return nil
}

// call adds a call of a tool.
func (m *message) call(item any) {
	v, is := item.(map[string]any)
	if !is {
		return
	}
	if inner, is := v["tool_call"].(map[string]any); is { // OpenInference
		v = inner
	}
	c := call{id: firstText(v, "id"), name: firstText(v, "name"), arguments: firstText(v, "arguments", "args", "input")}
	if f, is := v["function"].(map[string]any); is {
		c.name, c.arguments = firstText(f, "name"), firstText(f, "arguments")
	}
	if c.name != "" {
		m.calls = append(m.calls, c)
	}
}

// firstText returns the first of the fields that is there, as a text.
func firstText(v map[string]any, names ...string) string {
	for _, name := range names {
		if value, has := v[name]; has && value != nil {
			return textOf(value)
		}
	}
	return ""
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// plainText finds the text in a value that a framework recorded as the input or output of a function: the text itself,
// or the only field of an object that has the usual name. It returns "" for any other value.
func plainText(value any, role string, names ...string) string {
	text, is := value.(string)
	if !is {
		text = textOf(value)
	}
	parsed := parsedJSON(text)
	if parsed == nil {
		var quoted string
		if json.Unmarshal([]byte(text), &quoted) == nil {
			return quoted
		}
		return text
	}
	for range 4 { // wrappers of frameworks, such as {"args": [], "kwargs": {"inputs": {…}}}
		object, is := parsed.(map[string]any)
		if !is {
			break
		}
		for _, name := range names {
			if s, is := object[name].(string); is && s != "" {
				return s
			}
		}
		if list, is := object["messages"].([]any); is {
			return lastOf(messagesOf(unwrapped(list), role), role)
		}
		if list, is := object["args"].([]any); is && len(list) > 0 {
			if s, is := list[0].(string); is {
				return s
			}
		}
		parsed = nil
		for _, name := range []string{"kwargs", "inputs", "input", "outputs", "output"} {
			if inner, is := object[name].(map[string]any); is && len(inner) > 0 {
				parsed = inner
				break
			}
		}
	}
	return ""
}

// unwrapped returns the first list in a list of lists: LangChain has a list of messages for each prompt.
func unwrapped(list []any) []any {
	if len(list) > 0 {
		if inner, is := list[0].([]any); is {
			return inner
		}
	}
	return list
}

// lastOf returns the text of the last message with a role and without calls.
func lastOf(list []message, role string) string {
	for i := len(list) - 1; i >= 0; i-- {
		if m := list[i]; m.role == role && m.text != "" && len(m.calls) == 0 {
			return m.text
		}
	}
	return ""
}

// question divides messages before the last question: a message of the user that is the first one, or follows a reply
// without calls. rest begins with it, and is empty without a question.
func question(list []message) (history, rest []message) {
	at, replied := -1, true
	for i, m := range list {
		switch {
		case m.role == "user" && replied && m.text != "":
			at, replied = i, false
		case m.role == "assistant":
			replied = len(m.calls) == 0
		}
	}
	if at < 0 {
		return nil, nil
	}
	for _, m := range list[:at] {
		if (m.role == "user" || m.role == "assistant") && m.text != "" && len(m.calls) == 0 {
			history = append(history, m)
		}
	}
	return history, list[at:]
}
