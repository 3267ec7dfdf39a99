package imports

import (
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
)

// split separates a conversation before its last question: a message of the user that comes first
// or follows an assistant's reply without tool calls. rest begins with it, and is empty without
// one. A conversation that writes observations as messages of the user has one question, the first.
func split(chat []message) (rest []message, history []datasets.Turn) {
	at, replied := -1, true
	for i, m := range chat {
		switch {
		case m.Role == "user" && strings.HasPrefix(strings.ToLower(strings.TrimSpace(textOf(m.Content))), "observation"):
			return chat[slices.IndexFunc(chat, func(m message) bool { return m.Role == "user" }):], nil
		case m.Role == "user" && replied:
			at, replied = i, false
		case m.Role == "assistant":
			replied = len(m.Calls) == 0
		}
	}
	if at < 0 {
		return nil, nil
	}
	for _, m := range chat[:at] {
		text := textOf(m.Content)
		if role := m.Role; text != "" && len(m.Calls) == 0 && (role == datasets.UserRole || role == datasets.AssistantRole) {
			history = append(history, datasets.Turn{Role: role, Content: text})
		}
	}
	return chat[at:], history
}
