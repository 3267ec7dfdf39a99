package anthropic

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model"
)

// apiError is what an endpoint says of a failure.
type apiError struct {
	kind    string // such as rate_limit_error
	message string
	request string // the id by which the provider finds the call
}

// parseAPIError reads {"type": "error", "error": {"type", "message"}, "request_id"}, an error
// that is a text, and one whose fields stand without the envelope. What it cannot read is
// left empty.
func parseAPIError(r wire.Reply) apiError {
	e := apiError{request: r.Header.Get("Request-Id")}
	var body, inner struct {
		Error   json.RawMessage `json:"error"`
		Type    json.RawMessage `json:"type"`
		Message json.RawMessage `json:"message"`
		Request json.RawMessage `json:"request_id"`
	}
	if json.Unmarshal(r.Body, &body) != nil {
		return e
	}
	if e.request == "" {
		e.request = words(body.Request)
	}
	if !wire.Present(body.Error) {
		e.kind, e.message = words(body.Type), words(body.Message)
		return e
	}
	if json.Unmarshal(body.Error, &inner) != nil {
		e.message = words(body.Error)
		return e
	}
	e.kind, e.message = words(inner.Type), words(inner.Message)
	return e
}

// words is a JSON text, or any other value as it is written.
func words(raw json.RawMessage) string {
	if !wire.Present(raw) {
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// kindOf classifies a failure: by its type, then by its status. The API has one type for
// all requests that it refuses, so there alone its words decide. A server that says with its
// status that it is at fault is believed whatever the body says: gateways put the types of
// refusals on failures of their own, and those may be tried again.
func kindOf(status int, e apiError) model.ErrorKind {
	switch {
	case status == http.StatusGatewayTimeout:
		return model.ErrTimeout
	case status >= http.StatusInternalServerError:
		return model.ErrUnavailable
	}
	switch e.kind {
	case "authentication_error", "permission_error":
		return model.ErrAuth
	case "billing_error":
		return model.ErrQuota
	case "rate_limit_error":
		return model.ErrRateLimited
	case "request_too_large":
		return model.ErrContextOverflow
	case "timeout_error":
		return model.ErrTimeout
	case "api_error", "overloaded_error":
		return model.ErrUnavailable
	case "not_found_error":
		return model.ErrBadRequest
	case "invalid_request_error":
		return kindOfRefusal(e.message)
	}
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return model.ErrAuth
	case http.StatusPaymentRequired:
		return model.ErrQuota
	case http.StatusRequestTimeout:
		return model.ErrTimeout
	case http.StatusRequestEntityTooLarge:
		return model.ErrContextOverflow
	case http.StatusTooManyRequests:
		return model.ErrRateLimited
	case http.StatusBadRequest:
		return kindOfRefusal(e.message)
	}
	if status >= 300 {
		return model.ErrBadRequest
	}
	return model.ErrUnavailable
}

// kindOfRefusal tells the refusals apart that ask for different things of the caller.
func kindOfRefusal(message string) model.ErrorKind {
	message = strings.ToLower(message)
	for _, w := range []struct {
		wording string
		kind    model.ErrorKind
	}{
		{"prompt is too long", model.ErrContextOverflow},
		{"exceed context limit", model.ErrContextOverflow}, // input length and max_tokens together
		{"input is too long", model.ErrContextOverflow},    // Bedrock
		{"content filtering policy", model.ErrContentFilter},
		{"credit balance is too low", model.ErrQuota},
		{"api usage limits", model.ErrQuota},
	} {
		if strings.Contains(message, w.wording) {
			return w.kind
		}
	}
	return model.ErrBadRequest
}
