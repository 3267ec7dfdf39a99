package otlp

import (
	"slices"
	"strings"
)

// request adds the messages of a request to a model that the conversation does not have yet, and the reply.
func (b *builder) request(p *part) {
	in, reply := p.messages()
	if !b.begun {
		b.ask(in)
	} else {
		at := -1
		for i, m := range in {
			if m.role == "user" && m.text == b.chat[0].text {
				at = i
			}
		}
		for i, m := range in[at+1:] {
			if at >= 0 && i+1 < len(b.chat) && b.chat[i+1].equals(m) {
				continue
			}
			if m.role != "system" && !slices.ContainsFunc(b.chat, m.equals) {
				b.chat = append(b.chat, m)
			}
		}
	}
	for _, m := range reply {
		if m.role == "assistant" && (len(b.chat) == 0 || !b.chat[len(b.chat)-1].equals(m)) {
			b.chat = append(b.chat, m)
		}
	}
}

// messages returns the messages of a request and the reply: from attributes, span events and log records.
func (p *part) messages() (in, out []message) {
	in, out = messagesOf(p.value("input_messages"), "user"), messagesOf(p.value("output_messages"), "assistant")
	for _, e := range p.Events {
		in, out = withEvent(in, out, content{Name: e.Name, Attributes: e.Attributes})
	}
	for _, l := range p.logs {
		in, out = withEvent(in, out, l)
	}
	return in, out
}

// withEvent adds the message of an event, such as gen_ai.user.message, or its lists of messages.
func withEvent(in, out []message, e content) ([]message, []message) {
	name, _ := strings.CutPrefix(e.Name, "gen_ai.")
	role, _ := strings.CutSuffix(name, ".message")
	body := map[string]any{}
	for _, source := range []any{e.Attributes, parsedJSON(textOf(e.value("event_content"))), e.Body} {
		if object, is := source.(map[string]any); is {
			for k, v := range object {
				body[k] = v
			}
		}
	}
	if text, is := e.Body.(string); is {
		body["content"] = text
	}
	switch role {
	case "user", "system", "assistant", "tool":
		return append(in, messageOf(body, role)...), out
	case "choice":
		return in, append(out, messageOf(body, "assistant")...)
	}
	lists := content{Attributes: body}
	return append(in, messagesOf(lists.value("input_messages"), "user")...),
		append(out, messagesOf(lists.value("output_messages"), "assistant")...)
}
