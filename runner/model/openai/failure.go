package openai

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model"
)

// malformedCall is a refusal of what the model itself wrote: the server could not read its tool call.
type malformedCall struct{ generation string }

func (malformedCall) Error() string { return "the endpoint could not read the model's tool call" }

// reply is the model's own text in place of the refusal, so that the agent can ask again for the call.
func (c malformedCall) reply(name string) model.Response {
	return model.Response{
		Message: model.Message{Role: model.Assistant, Content: c.generation}, Finish: model.FinishMalformedCall, Model: name,
	}
}

// toolUseFailed is the code of a refusal of the model's own call.
const toolUseFailed = "tool_use_failed"

// rejection is the error of a reply that reports a failure.
func (m *Model) rejection(r wire.Reply) error {
	s := wire.ReadFailure(r.Body)
	if slices.Contains(s.Codes, toolUseFailed) {
		return malformedCall{m.peer.Key.Hide(s.Generation)}
	}
	if r.Status >= 300 || s.Status == 0 {
		s.Status = r.Status
	}
	return m.peer.Rejected(r, s, kindOf(s.Status, s))
}

// kindOf classifies a failure by its codes, then by its status. The message decides only if
// an endpoint has no code for a conversation that is too long.
func kindOf(status int, s wire.Stated) model.ErrorKind {
	for _, code := range s.Codes {
		if kind := wire.KindIn(wire.InCode, code); kind != "" {
			return kind
		}
	}
	kind := wire.KindOf(status)
	switch status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		kind = cmp.Or(wire.KindIn(wire.InWords, s.Message), kind)
	}
	return kind
}
