package serve

import (
	"encoding/json"

	"github.com/seed-5817661a/concur/runner/model"
)

// chunk is one event of a streamed completion.
type chunk struct {
	ID      string        `json:"id"`
	Object  string        `json:"object"`
	Created int64         `json:"created"` // Unix seconds
	Model   string        `json:"model"`
	Choices []chunkChoice `json:"choices"`
	// Usage is left out where none was asked for, and null until the last chunk where it was.
	Usage json.RawMessage `json:"usage,omitempty"`
}

type chunkChoice struct {
	Index    int                 `json:"index"`
	Delta    delta               `json:"delta"`
	Logprobs *struct{}           `json:"logprobs"`
	Finish   *model.FinishReason `json:"finish_reason"`
}

// delta is what a chunk adds to the message.
type delta struct {
	Role      model.Role  `json:"role,omitempty"`
	Content   *string     `json:"content,omitempty"`
	ToolCalls []callDelta `json:"tool_calls,omitempty"`
	Sealed    string      `json:"reasoning_sealed,omitempty"` // see seal
}

// callDelta begins the tool call of an index, with all but its arguments, or adds to them.
type callDelta struct {
	Index    int           `json:"index"`
	ID       string        `json:"id,omitempty"`
	Type     string        `json:"type,omitempty"`
	Function functionDelta `json:"function"`
}

type functionDelta struct {
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments"`
}

// chunksOf divides a completion: first the role, then the content and the calls in their
// order, then the reason to finish, and last the usage if it was asked for.
func chunksOf(c completion, withUsage bool) []event {
	var out []event
	add := func(choices []chunkChoice, usage json.RawMessage) {
		out = append(out, event{data: chunk{c.ID, "chat.completion.chunk", c.Created, c.Model, choices, usage}})
	}
	var unknown, usage json.RawMessage
	if withUsage {
		unknown = json.RawMessage("null")
		usage, _ = json.Marshal(c.Usage) // five numbers
	}
	message, empty := c.Choices[0].Message, ""
	deltas := []delta{{Role: message.Role, Content: &empty, Sealed: message.Sealed}}
	if message.Content != nil {
		for _, piece := range piecesOf(*message.Content) {
			deltas = append(deltas, delta{Content: &piece})
		}
	}
	for i, call := range message.ToolCalls {
		deltas = append(deltas, delta{ToolCalls: []callDelta{{Index: i, ID: call.ID, Type: call.Type, Function: functionDelta{Name: call.Function.Name}}}})
		for _, piece := range piecesOf(call.Function.Arguments) {
			deltas = append(deltas, delta{ToolCalls: []callDelta{{Index: i, Function: functionDelta{Arguments: piece}}}})
		}
	}
	for _, d := range deltas {
		add([]chunkChoice{{Delta: d}}, unknown)
	}
	add([]chunkChoice{{Finish: &c.Choices[0].Finish}}, unknown)
	if withUsage {
		add([]chunkChoice{}, usage)
	}
	return out
}
