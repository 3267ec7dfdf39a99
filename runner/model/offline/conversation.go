package offline

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/runner/model"
)

// The tools that the reader knows how to use, by name.
const (
	searchTool  = "web_search"
	calcTool    = "calc"
	plannerTool = "planner"
)

// observation is one earlier tool call of the conversation with what came back.
type observation struct {
	tool   string
	args   map[string]any
	text   string
	failed bool
	at     int // messages up to and including the answer
}

// conversation is what the reader takes from a request's messages.
type conversation struct {
	system   string
	question string
	messages int
	seen     []observation
	// again: a user message follows an earlier final message, so that answer was refused.
	again   bool
	oneCall bool // a turn holds one call at most
	offered map[string]json.RawMessage
	ids     map[string]bool
}

func readConversation(req model.Request) conversation {
	c := conversation{messages: len(req.Messages), offered: map[string]json.RawMessage{}, ids: map[string]bool{}}
	for _, t := range req.Tools {
		c.offered[t.Name] = t.Parameters
	}
	open := map[string]model.ToolCall{}
	final := false
	for i, m := range req.Messages {
		switch m.Role {
		case model.System:
			c.system += m.Content + "\n"
		case model.User:
			if c.question == "" {
				c.question = m.Content
			}
			c.again = c.again || final
		case model.Assistant:
			final = final || len(m.ToolCalls) == 0 && strings.Contains(m.Content, answerMark)
			for _, t := range m.ToolCalls {
				open[t.ID] = t
				c.ids[t.ID] = true
			}
		case model.ToolRole:
			if t, ok := open[m.ToolCallID]; ok {
				c.seen = append(c.seen, observed(t, m.Content, i+1))
				delete(open, m.ToolCallID)
			}
		}
	}
	return c
}

func observed(t model.ToolCall, text string, at int) observation {
	text = unfenced(text)
	o := observation{tool: t.Name, text: text, at: at, failed: strings.HasPrefix(text, "ERROR:")}
	if json.Unmarshal([]byte(t.Arguments), &o.args) != nil {
		o.args = nil
	}
	return o
}

// find gives the answer to an earlier call of a tool with this argument.
func (c *conversation) find(tool, key, value string) (observation, bool) {
	for _, o := range c.seen {
		if o.tool == tool && o.args[key] == any(value) {
			return o, true
		}
	}
	return observation{}, false
}

// has says whether a tool is offered in this request.
func (c *conversation) has(tool string) bool {
	_, ok := c.offered[tool]
	return ok
}

// exhausted says that the harness takes no more calls.
func (c *conversation) exhausted() bool {
	for _, o := range c.seen {
		if o.failed && strings.Contains(o.text, "exceeded_max_tool_calls") {
			return true
		}
	}
	return false
}

// accepts says whether a tool's schema names an argument.
func (c *conversation) accepts(tool, argument string) bool {
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(c.offered[tool], &schema) != nil {
		return false
	}
	_, ok := schema.Properties[argument]
	return ok
}

// newID gives the first call id that the conversation has not used.
func (c *conversation) newID() string {
	for n := len(c.ids) + 1; ; n++ {
		id := "call_" + strconv.Itoa(n)
		if !c.ids[id] {
			c.ids[id] = true
			return id
		}
	}
}
