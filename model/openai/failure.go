package openai

import (
	"slices"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/wire"
)

// malformedCall is the error of a server that could not read the model's own tool call.
type malformedCall struct{ generation string }

func (malformedCall) Error() string { return "the endpoint could not read the model's tool call" }

// reply returns the model's text as a reply in place of the refusal, so that the agent can ask again for the
// call.
func (c malformedCall) reply(name string) model.Response {
	return model.Response{
		Message: model.Message{Role: model.Assistant, Content: c.generation}, Finish: model.FinishMalformedCall,
		Model: name,
	}
}

// toolUseFailed is the code by which Groq refuses the model's own call.
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
