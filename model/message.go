package model

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
)

// Role is the author of a message.
type Role string

// The four roles of a chat.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool"
)

// Message is one turn of a conversation. Only an assistant's message has ToolCalls;
// only a tool's message has ToolCallID, the id of the call that it answers.
type Message struct {
	Role       Role       `json:"role"`
	Name       string     `json:"name,omitempty"` // distinguishes authors with the same role, if the provider supports it
	Content    string     `json:"content"`
	ToolCalls  []ToolCall `json:"tool_calls"`
	ToolCallID string     `json:"tool_call_id"`
	// Thought is the model's reasoning, if the provider returns it separately from Content. It is recorded, but
	// sent back only as part of Opaque. See Speech.
	Thought string `json:"thought,omitempty"`
	// Opaque is provider data, such as signed thinking, that must be sent back unchanged with this message. Only
	// that provider can read it. It is not shown, but recorded in chat.jsonl, because without it the request
	// cannot be repeated.
	Opaque json.RawMessage `json:"opaque,omitempty"`
}

// Same reports whether two messages are equal in a request. Thoughts are not sent, so they are ignored.
func (m Message) Same(n Message) bool {
	return m.Role == n.Role && m.Name == n.Name && m.Content == n.Content && m.ToolCallID == n.ToolCallID &&
		slices.Equal(m.ToolCalls, n.ToolCalls) && bytes.Equal(m.Opaque, n.Opaque)
}

// ToolCall is a model's request to run a tool. Arguments is the model's text: usually a JSON object, but not always.
type ToolCall struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// CallID returns the id for a call without one. before is the number of messages before the call's reply,
// index is its position among the reply's calls. The id is unique in the conversation, and the same in a
// replay.
func CallID(before, index int) string { return fmt.Sprintf("call_%d_%d", before, index) }

// NameCalls gives each call of a reply without an id the id from CallID.
func NameCalls(calls []ToolCall, before int) []ToolCall {
	out := slices.Clone(calls)
	for i := range out {
		out[i].ID = cmp.Or(out[i].ID, CallID(before, i))
	}
	return out
}

// ToolSpec is the description of a tool for a model.
type ToolSpec struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	// Parameters is the JSON Schema of the arguments, always of type object.
	Parameters RawSchema `json:"parameters"`
	// Strict asks the provider to enforce Parameters, if it can.
	Strict bool `json:"strict,omitempty"`
}
