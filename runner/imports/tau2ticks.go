package imports

import (
	"encoding/json"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
)

// tau2Tick is one moment of a spoken simulation (tau2-bench's Tick), in which both sides may speak at the
// same time. Each side's speech is cut into chunks, one per tick.
type tau2Tick struct {
	Agent        *tau2Chunk    `json:"agent_chunk"`
	User         *tau2Chunk    `json:"user_chunk"`
	AgentCalls   []call        `json:"agent_tool_calls"`
	AgentResults []tau2Message `json:"agent_tool_results"`
	UserCalls    []call        `json:"user_tool_calls"`
	UserResults  []tau2Message `json:"user_tool_results"`
}

type tau2Chunk struct {
	Content    *string
	Utterances []string `json:"utterance_ids"`
}

// chat returns the messages of a simulation. If the file has no messages, chat builds them from the ticks in
// the same way as tau2-bench. The chunks of a side form one message, until that side calls a tool or the
// other side speaks alone.
func (s tau2Simulation) chat() []tau2Message {
	if s.Messages != nil {
		return s.Messages
	}
	var out []tau2Message
	agent, user := spoken{role: "assistant"}, spoken{role: datasets.UserRole}
	for _, t := range s.Ticks {
		agentSpeaks, userSpeaks := t.Agent.speaks(), t.User.speaks()
		if len(t.AgentCalls) > 0 || userSpeaks && !agentSpeaks {
			out = agent.end(out)
		}
		if len(t.UserCalls) > 0 || agentSpeaks && !userSpeaks {
			out = user.end(out)
		}
		agent.add(t.Agent)
		user.add(t.User)
		if len(t.AgentCalls) > 0 {
			out = append(agent.end(out), tau2Message{message: message{Role: agent.role, Calls: t.AgentCalls}})
		}
		out = append(out, t.AgentResults...)
		out = append(out, t.UserResults...)
	}
	return agent.end(user.end(out))
}

func (c *tau2Chunk) speaks() bool { return c != nil && c.Content != nil && *c.Content != "" }

// spoken collects the speech of one side since the last message of this side.
type spoken struct {
	role string
	text strings.Builder
	last map[string]bool // ids of the previous chunk's utterances
}

// add appends a chunk, and puts a space between chunks of different utterances.
func (s *spoken) add(c *tau2Chunk) {
	if !c.speaks() {
		return
	}
	ids, goesOn := map[string]bool{}, len(s.last) == 0 || len(c.Utterances) == 0
	for _, id := range c.Utterances {
		ids[id], goesOn = true, goesOn || s.last[id]
	}
	if s.text.Len() > 0 && !goesOn {
		s.text.WriteByte(' ')
	}
	s.text.WriteString(*c.Content)
	s.last = ids
}

// end appends the collected speech to the chat as a message, unless it is empty.
func (s *spoken) end(chat []tau2Message) []tau2Message {
	text := strings.TrimSpace(s.text.String())
	s.text.Reset()
	if text == "" {
		return chat
	}
	raw, _ := json.Marshal(text) // encoding a text never fails
	return append(chat, tau2Message{message: message{Role: s.role, Content: raw}})
}
