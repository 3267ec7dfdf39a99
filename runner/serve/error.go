package serve

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"

	"github.com/seed-5817661a/concur/model"
)

// apiError is a failure with the fields of OpenAI's form, and the differences of Anthropic's form.
type apiError struct {
	Status   int
	Messages int    // the status in Anthropic's form; 0 means the same status
	Words    string // text before the message in Anthropic's form, which has no code
	Code     string
	Param    string // the field that is wrong; may be ""
	Message  string
	Details  map[string]any // details for programs in Anthropic's form; may be nil
}

func (e apiError) Error() string { return e.Message }

// badRequest returns an error for a request that the server cannot serve.
func badRequest(param, format string, args ...any) error {
	return apiError{Status: http.StatusBadRequest, Code: "invalid_request", Param: param,
		Message: fmt.Sprintf(format, args...)}
}

// Refuse returns an error for Server.Resolve, which the server answers with this status, 400 or more: for
// example 401 for an unknown key and 404 for an unknown model.
func Refuse(status int, message string) error {
	e := apiError{Status: status, Code: "invalid_request", Message: message}
	switch {
	case status == http.StatusUnauthorized:
		e.Code = "invalid_api_key"
	case status == http.StatusNotFound:
		e.Code, e.Param = "model_not_found", "model"
	case status == http.StatusTooManyRequests:
		e.Code = "rate_limit_exceeded"
	case status >= http.StatusInternalServerError:
		e.Code = "unavailable"
	}
	return e
}

// statusOverloaded is Anthropic's status for an overloaded server.
const statusOverloaded = 529

// ofModel converts a model's error to a status and a code or, where the API has no code, a text by which
// clients recognise the kind of error. A cancelled or malformed exchange is reported as this server's
// failure.
func ofModel(err error) apiError {
	kind := model.KindOf(err)
	for _, m := range []struct {
		kind             model.ErrorKind
		status, messages int
		code, words      string
	}{
		{model.ErrAuth, http.StatusUnauthorized, 0, "invalid_api_key", ""},
		{model.ErrQuota, http.StatusTooManyRequests, http.StatusPaymentRequired, "insufficient_quota", ""},
		{model.ErrBudget, http.StatusTooManyRequests, http.StatusPaymentRequired, "insufficient_quota", ""},
		{model.ErrRateLimited, http.StatusTooManyRequests, 0, "rate_limit_exceeded", ""},
		{model.ErrBadRequest, http.StatusBadRequest, 0, "invalid_request", ""},
		{model.ErrContextOverflow, http.StatusBadRequest, 0, "context_length_exceeded", "prompt is too long: "},
		{model.ErrContentFilter, http.StatusBadRequest, 0, "content_filter",
			"Output blocked by content filtering policy: "},
		{model.ErrTimeout, http.StatusGatewayTimeout, 0, "timeout", ""},
		{model.ErrMalformed, http.StatusBadGateway, 0, "malformed_reply", ""},
		{model.ErrCancelled, http.StatusServiceUnavailable, http.StatusBadGateway, "cancelled", ""},
		{model.ErrUnavailable, http.StatusServiceUnavailable, statusOverloaded, "unavailable", ""},
	} {
		if m.kind == kind {
			return apiError{Status: m.status, Messages: m.messages, Code: m.code, Words: m.words, Message: err.Error()}
		}
	}
	return apiError{Status: http.StatusServiceUnavailable, Messages: http.StatusBadGateway, Code: "unavailable",
		Message: err.Error()}
}

// failureOf returns err if it is an apiError, and otherwise the HTTP form of a model's error. It writes the
// wait that the model's endpoint requested into the header. For a spent quota, it also writes the header that
// tells the official clients not to retry.
func failureOf(w http.ResponseWriter, err error) apiError {
	e, ok := errors.AsType[apiError](err)
	if !ok {
		e = ofModel(err)
	}
	if cause, ok := errors.AsType[*model.Error](err); ok && cause.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(cause.RetryAfter.Seconds()))))
	}
	if e.Code == "insufficient_quota" {
		w.Header().Set("X-Should-Retry", "false")
	}
	return e
}

// failChat writes a failure in OpenAI's form.
func failChat(w http.ResponseWriter, err error) {
	e := failureOf(w, err)
	kind := "invalid_request_error"
	switch {
	case e.Status == http.StatusTooManyRequests:
		kind = e.Code
	case e.Status >= http.StatusInternalServerError:
		kind = "server_error"
	}
	var param *string
	if e.Param != "" {
		param = &e.Param
	}
	write(w, e.Status, map[string]any{
		"error": map[string]any{"message": e.Message, "type": kind, "param": param, "code": e.Code},
	})
}

// failMessages writes a failure in Anthropic's form.
func failMessages(w http.ResponseWriter, err error) {
	e := failureOf(w, err)
	if e.Messages != 0 {
		e.Status = e.Messages
	}
	kind := map[int]string{
		http.StatusUnauthorized: "authentication_error", http.StatusPaymentRequired: "billing_error",
		http.StatusForbidden: "permission_error",
		http.StatusNotFound:  "not_found_error", http.StatusRequestEntityTooLarge: "request_too_large",
		http.StatusTooManyRequests: "rate_limit_error", http.StatusGatewayTimeout: "timeout_error",
		statusOverloaded: "overloaded_error",
	}[e.Status]
	switch {
	case kind != "":
	case e.Status >= http.StatusInternalServerError:
		kind = "api_error"
	default:
		kind = "invalid_request_error"
	}
	failure := map[string]any{"type": kind, "message": e.Words + e.Message}
	if e.Details != nil {
		failure["details"] = e.Details
	}
	write(w, e.Status, map[string]any{"type": "error", "error": failure, "request_id": w.Header().Get("Request-Id")})
}
