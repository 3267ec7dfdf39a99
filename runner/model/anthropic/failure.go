package anthropic

import (
	"cmp"
	"encoding/json"
	"net/http"

	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model"
)

// rejection is the error of a reply that reports a failure: {"type": "error", "error":
// {"type", "message"}, "request_id"}, an error that is a text, or the fields without the
// envelope. Unreadable parts are left empty.
func (m *Model) rejection(r wire.Reply) error {
	x := wire.Rejection{Status: r.Status, Request: r.Header.Get("Request-Id")}
	type fields struct {
		Error   json.RawMessage `json:"error"`
		Type    json.RawMessage `json:"type"`
		Message json.RawMessage `json:"message"`
		Request json.RawMessage `json:"request_id"`
	}
	var body fields
	if json.Unmarshal(r.Body, &body) == nil {
		x.Request = cmp.Or(x.Request, wire.Words(body.Request))
		inner := body
		if wire.Present(body.Error) {
			inner = fields{}
			if json.Unmarshal(body.Error, &inner) != nil {
				inner = fields{Message: body.Error}
			}
		}
		x.Code, x.Message = wire.Words(inner.Type), wire.Words(inner.Message)
	}
	x.Kind = kindOf(r.Status, x.Code, x.Message)
	return m.peer.Rejected(r, x)
}

// kindOf classifies a failure by its type, then by its status. The API has one type for all
// refused requests, so their message decides. A status of 500 or more is believed whatever
// the body says: gateways give their own failures the types of refusals, and those may be
// retried.
func kindOf(status int, of, message string) model.ErrorKind {
	switch {
	case status == http.StatusGatewayTimeout:
		return model.ErrTimeout
	case status >= http.StatusInternalServerError:
		return model.ErrUnavailable
	case of == "invalid_request_error", of == "" && status == http.StatusBadRequest:
		return cmp.Or(wire.KindIn(wire.InWords, message), model.ErrBadRequest)
	case of == "" && status == http.StatusRequestEntityTooLarge:
		return model.ErrContextOverflow
	default:
		return cmp.Or(wire.KindIn(wire.InType, of), wire.KindOf(status))
	}
}
