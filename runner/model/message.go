package model

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
