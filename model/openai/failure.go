package openai

import (
	"slices"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/wire"
)

// malformedCall is the error of a server that could not parse the model's tool call.
type malformedCall struct{ generation string }

func (malformedCall) Error() string { return "the endpoint could not read the model's tool call" }

// reply returns the model's text as a reply instead of the refusal, so that the agent can ask the model to
// repeat the call.
func (c malformedCall) reply(name string) model.Response {
	return model.Response{
		Message: model.Message{Role: model.Assistant, Content: c.generation}, Finish: model.FinishMalformedCall,
		Model: name,
	}
}

// toolUseFailed is Groq's code for a tool call of the model that it could not parse.
const toolUseFailed = "tool_use_failed"

// rejection returns the error of a reply that reports a failure.
func (m *Model) rejection(r wire.Reply) error {
	s := wire.ReadFailure(r.Body)
	if slices.Contains(s.Codes, toolUseFailed) {
		return malformedCall{m.peer.Key.Hide(s.Generation)}
	}
	if r.Status >= 300 || s.Status == 0 {
		s.Status = r.Status
	}
	return m.peer.Rejected(r, s, s.Kind())
}
