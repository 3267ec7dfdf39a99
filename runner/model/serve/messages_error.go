package serve

import (
	"errors"
	"math"
	"net/http"
	"strconv"

	"github.com/seed-5817661a/concur/runner/model"
)

// writeMessagesError answers with an apiError, or with what a model's error means over HTTP,
// in Anthropic's form.
func writeMessagesError(w http.ResponseWriter, err error) {
	e, ok := errors.AsType[apiError](err)
	if !ok {
		e = ofModelForMessages(err)
	}
	if cause, ok := errors.AsType[*model.Error](err); ok && cause.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(cause.RetryAfter.Seconds()))))
	}
	said := map[string]any{"type": errorTypeOf(e.Status), "message": e.Message}
	if e.Details != nil {
		said["details"] = e.Details
	}
	write(w, e.Status, map[string]any{"type": "error", "error": said, "request_id": w.Header().Get("Request-Id")})
}

// errorTypeOf is the API's name for the errors of a status.
func errorTypeOf(status int) string {
	switch status {
	case http.StatusUnauthorized:
		return "authentication_error"
	case http.StatusPaymentRequired:
		return "billing_error"
	case http.StatusForbidden:
		return "permission_error"
	case http.StatusNotFound:
		return "not_found_error"
	case http.StatusRequestEntityTooLarge:
		return "request_too_large"
	case http.StatusTooManyRequests:
		return "rate_limit_error"
	case http.StatusGatewayTimeout:
		return "timeout_error"
	case statusOverloaded:
		return "overloaded_error"
	}
	if status >= http.StatusInternalServerError {
		return "api_error"
	}
	return "invalid_request_error"
}

// statusOverloaded is Anthropic's own.
const statusOverloaded = 529

// ofModelForMessages gives every kind the status, and where there is none for it the words,
// by which the API's clients tell it again. A cancelled or malformed exchange is this
// server's failure towards its client.
func ofModelForMessages(err error) apiError {
	e := apiError{Status: http.StatusBadGateway, Message: err.Error()}
	switch model.KindOf(err) {
	case model.ErrAuth:
		e.Status = http.StatusUnauthorized
	case model.ErrQuota:
		e.Status = http.StatusPaymentRequired
	case model.ErrRateLimited:
		e.Status = http.StatusTooManyRequests
	case model.ErrBadRequest:
		e.Status = http.StatusBadRequest
	case model.ErrContextOverflow:
		e.Status, e.Message = http.StatusBadRequest, "prompt is too long: "+e.Message
	case model.ErrContentFilter:
		e.Status, e.Message = http.StatusBadRequest, "Output blocked by content filtering policy: "+e.Message
	case model.ErrTimeout:
		e.Status = http.StatusGatewayTimeout
	case model.ErrUnavailable:
		e.Status = statusOverloaded
	}
	return e
}
