package model

import "encoding/json"

// Role says who speaks a message.
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
	Content    string     `json:"content"`
	ToolCalls  []ToolCall `json:"tool_calls"`
	ToolCallID string     `json:"tool_call_id"`
	// Thought is what the model thought, where the provider gives it apart from Content. It
	// is recorded, and never sent back but as part of Opaque. See Speech.
	Thought string `json:"thought,omitempty"`
	// Opaque is what the provider wants back unchanged with this message, such as signed
	// thinking. Only the provider that wrote it reads it. It is never shown; chat.jsonl
	// records it, since without it the request cannot be sent again.
	Opaque json.RawMessage `json:"opaque,omitempty"`
}

// ToolCall is a model's request to run a tool. Arguments is the text that the model
// wrote: usually a JSON object, but nothing guarantees it.
type ToolCall struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// ToolSpec describes a tool to a model.
type ToolSpec struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	// Parameters is the JSON Schema of the arguments, always of type object.
	Parameters RawSchema `json:"parameters"`
}
