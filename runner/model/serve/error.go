package serve

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/seed-5817661a/concur/runner/model"
)

// apiError is a failure in OpenAI's form.
type apiError struct {
	Status  int
	Code    string
	Param   string // the field at fault, where there is one
	Message string
	Details map[string]any // for programs, where Anthropic's form has some
}

func (e apiError) Error() string { return e.Message }

// bad is a request that cannot be taken.
func bad(param, format string, args ...any) error {
	return apiError{Status: http.StatusBadRequest, Code: "invalid_request", Param: param, Message: fmt.Sprintf(format, args...)}
}

// writeError answers with an apiError, or with what a model's error means over HTTP.
func writeError(w http.ResponseWriter, err error) {
	e, ok := errors.AsType[apiError](err)
	if !ok {
		e = ofModel(err)
	}
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
	writeJSON(w, e.Status, map[string]any{
		"error": map[string]any{"message": e.Message, "type": kind, "param": param, "code": e.Code},
	})
}

// ofModel gives every kind the status and code from which OpenAI's clients tell it again.
// A cancelled or malformed exchange is this server's failure towards its client.
func ofModel(err error) apiError {
	e := apiError{Message: err.Error()}
	switch model.KindOf(err) {
	case model.ErrAuth:
		e.Status, e.Code = http.StatusUnauthorized, "invalid_api_key"
	case model.ErrQuota:
		e.Status, e.Code = http.StatusTooManyRequests, "insufficient_quota"
	case model.ErrRateLimited:
		e.Status, e.Code = http.StatusTooManyRequests, "rate_limit_exceeded"
	case model.ErrBadRequest:
		e.Status, e.Code = http.StatusBadRequest, "invalid_request"
	case model.ErrContextOverflow:
		e.Status, e.Code, e.Param = http.StatusBadRequest, "context_length_exceeded", "messages"
	case model.ErrContentFilter:
		e.Status, e.Code = http.StatusBadRequest, "content_filter"
	case model.ErrTimeout:
		e.Status, e.Code = http.StatusGatewayTimeout, "timeout"
	case model.ErrMalformed:
		e.Status, e.Code = http.StatusBadGateway, "malformed_reply"
	case model.ErrCancelled:
		e.Status, e.Code = http.StatusServiceUnavailable, "cancelled"
	default:
		e.Status, e.Code = http.StatusServiceUnavailable, "unavailable"
	}
	return e
}
