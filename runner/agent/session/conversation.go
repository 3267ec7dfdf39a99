package session

import (
	"fmt"

	"github.com/seed-5817661a/concur/model"
)

// conversation has the messages between the loop and the model.
type conversation struct {
	*progress
	protocol Protocol
	messages []model.Message
	ids      map[string]bool // tool call ids in use
	// written is the text that the model has written so far in the protocol inline, without calls and their results.
	written string
}

// Say sends a text to the model as the user.
func (s *conversation) Say(text string) {
	s.written = ""
	s.messages = append(s.messages, model.Message{Role: model.User, Content: text})
}

// Instruct adds a part to the system prompt.
func (s *conversation) Instruct(part string) { s.messages[0].Content += "\n\n" + part }

// inform sends the model a text in the form of external data.
func (s *conversation) inform(text string) {
	if s.protocol.text {
		text = "Observation: " + text
	}
	s.Say(text)
}

// Reply answers a call that the loop handles itself, or that it drops. In the text protocol, such a call gets
// no answer.
func (s *conversation) Reply(call model.ToolCall, text string) {
	if !s.protocol.text {
		s.messages = append(s.messages, s.protocol.observation(call.ID, text))
	}
}

// Replies returns the texts of the model's replies so far.
func (s *conversation) Replies() (out []string) {
	for _, m := range s.messages {
		if m.Role == model.Assistant {
			out = append(out, m.Content)
		}
	}
	return out
}

// uniqueIDs replaces ids of calls that are missing or occur twice, because each call needs exactly one tool
// message with its id.
func (s *conversation) uniqueIDs(calls []model.ToolCall) []model.ToolCall {
	out := make([]model.ToolCall, len(calls))
	for i, c := range calls {
		for n := i; c.ID == "" || s.ids[c.ID]; n++ {
			c.ID = fmt.Sprintf("call_%d_%d", s.step(), n)
		}
		s.ids[c.ID] = true
		out[i] = c
	}
	return out
}
