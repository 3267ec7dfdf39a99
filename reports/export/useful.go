package export

import (
	"slices"

	"github.com/seed-5817661a/concur/ablations/usefulness"
	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/model"
)

// Useful leaves useless calls out of chats.
type Useful struct {
	Scores *usefulness.Scored
	Tau    float64 // the gain, in nats, that a call must reach to stay
}

// pruned is a conversation without its useless calls.
type pruned struct {
	messages []model.Message
	removed  int  // useless calls
	unscored int  // calls without a gain, which stay
	inText   bool // a useless call is in the text of a message, from which it cannot be removed
	uncited  bool // the last message cites a document that only a removed result has
}

// documentID matches the ids of documents that results have and messages cite, such as corpus_1.
var documentID = lazy.Compile(`[A-Za-z][A-Za-z0-9-]*(?:_[A-Za-z0-9-]+)*_[0-9]+\b`)

// cites reports whether the last message names a document that is in a removed result, and in no other.
func cites(messages []model.Message, removed []string) bool {
	if len(removed) == 0 || len(messages) == 0 {
		return false
	}
	last := len(messages) - 1
	known := map[string]bool{}
	for _, m := range messages[:last] {
		for _, id := range documentID.FindAllString(m.Content, -1) {
			known[id] = true
		}
	}
	gone := map[string]bool{}
	for _, text := range removed {
		for _, id := range documentID.FindAllString(text, -1) {
			gone[id] = !known[id]
		}
	}
	cited := documentID.FindAllString(messages[last].Content, -1)
	return slices.ContainsFunc(cited, func(id string) bool { return gone[id] })
}

// prune removes the useless calls of a conversation and their results. A message whose calls are all removed is removed
// too, because its text announces them. The ids of the calls that stay are those of their new places.
func (u *Useful) prune(path string, messages []model.Message, entries []usefulness.Entry) (p pruned) {
	open := map[string][]usefulness.Entry{} // by the call's id, in order
	inText := 0
	for _, e := range entries {
		open[e.CallID] = append(open[e.CallID], e)
		if e.Path == path && e.Useless(u.Tau) {
			inText++
		}
	}
	var results []string      // that were removed
	var ids map[string]string // of the last message with calls: the new id of each call; "" for a removed call
	for _, m := range messages {
		if m.Role == model.ToolRole {
			id, known := ids[m.ToolCallID]
			if known && id == "" {
				results = append(results, m.Content)
				continue
			}
			if known {
				m.ToolCallID = id
			}
			p.messages = append(p.messages, m)
			continue
		}
		if len(m.ToolCalls) == 0 {
			p.messages = append(p.messages, m)
			continue
		}
		ids = map[string]string{}
		m.ToolCalls = slices.Clone(m.ToolCalls)
		m.ToolCalls = slices.DeleteFunc(m.ToolCalls, func(c model.ToolCall) bool {
			var e usefulness.Entry
			if len(open[c.ID]) > 0 {
				e, open[c.ID] = open[c.ID][0], open[c.ID][1:]
			}
			if e.Gain == nil {
				p.unscored++
			}
			if !e.Useless(u.Tau) {
				return false
			}
			if p.removed++; e.Path == path {
				inText--
			}
			ids[c.ID] = ""
			return true
		})
		if len(m.ToolCalls) == 0 {
			continue
		}
		for i, c := range m.ToolCalls {
			m.ToolCalls[i].ID = model.CallID(len(p.messages), i)
			ids[c.ID] = m.ToolCalls[i].ID
		}
		p.messages = append(p.messages, m)
	}
	p.inText, p.uncited = inText > 0, cites(p.messages, results)
	return p
}
