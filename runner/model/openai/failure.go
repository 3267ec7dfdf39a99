package openai

import (
	"cmp"
	"net/http"

	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model"
)

// rejection is the error of a reply that reports a failure.
func (m *Model) rejection(r wire.Reply) error {
	s := wire.ReadFailure(r.Body)
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
