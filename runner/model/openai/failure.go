package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model"
)

// apiError is an endpoint's description of a failure.
type apiError struct {
	message string
	codes   []string // code, type and others, most specific first
	status  int      // if a code is an HTTP status
}

// apiErrorBody covers OpenAI's form, Azure's inner error, Google's status, and the same
// fields, or a detail, without the envelope.
type apiErrorBody struct {
	Error   json.RawMessage `json:"error"`
	Message json.RawMessage `json:"message"`
	Code    json.RawMessage `json:"code"`
	Type    json.RawMessage `json:"type"`
	Status  json.RawMessage `json:"status"`
	Detail  json.RawMessage `json:"detail"`
	Inner   struct {
		Code json.RawMessage `json:"code"`
	} `json:"innererror"`
}

// parseAPIError reads an error's body. Unreadable parts are left empty.
func parseAPIError(raw []byte) apiError {
	raw = bytes.TrimSpace(raw)
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil && len(list) > 0 {
		raw = list[0] // Google's endpoint wraps its error in an array
	}
	var b apiErrorBody
	if json.Unmarshal(raw, &b) != nil {
		return apiError{}
	}
	if wire.Present(b.Error) {
		var inner apiErrorBody
		if json.Unmarshal(b.Error, &inner) == nil {
			b = inner
		} else if !wire.Present(b.Message) {
			b.Message = b.Error // the error is a text
		}
	}
	if !wire.Present(b.Message) {
		b.Message = b.Detail
	}
	e := apiError{message: wire.Words(b.Message)}
	for _, raw := range []json.RawMessage{b.Inner.Code, b.Code, b.Status, b.Type} {
		var n int
		if json.Unmarshal(raw, &n) == nil && n >= 400 && n <= 599 {
			e.status = n
		}
		if code := wire.Words(raw); code != "" {
			e.codes = append(e.codes, code)
		}
	}
	return e
}

// rejection is the error of a reply that reports a failure.
func (m *Model) rejection(r wire.Reply) error {
	e := parseAPIError(r.Body)
	status := r.Status
	if e.status != 0 && status < 300 {
		status = e.status
	}
	return m.peer.Rejected(r, wire.Rejection{Status: status, Kind: kindOf(status, e), Code: strings.Join(e.codes, ", "), Message: e.message})
}

// kindOf classifies a failure by its codes, then by its status. The message decides only if
// an endpoint has no code for a conversation that is too long.
func kindOf(status int, e apiError) model.ErrorKind {
	for _, code := range e.codes {
		if kind := wire.KindIn(wire.InCode, code); kind != "" {
			return kind
		}
	}
	kind := wire.KindOf(status)
	switch status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		kind = cmp.Or(wire.KindIn(wire.InWords, e.message), kind)
	}
	return kind
}
