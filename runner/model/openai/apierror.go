package openai

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model"
)

// apiError is what endpoints say of a failure, in whichever of their forms.
type apiError struct {
	message string
	codes   []string // code, type and the like, the most specific first
	status  int      // where a code is an HTTP status
}

// apiErrorBody covers OpenAI's form, Azure's inner error, Google's status, and those who
// write the same fields, or a detail, without the envelope.
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

// parseAPIError reads an error's body. What it cannot read is left empty.
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
	e := apiError{message: words(b.Message)}
	for _, raw := range []json.RawMessage{b.Inner.Code, b.Code, b.Status, b.Type} {
		var n int
		if json.Unmarshal(raw, &n) == nil && n >= 400 && n <= 599 {
			e.status = n
		}
		if code := words(raw); code != "" {
			e.codes = append(e.codes, code)
		}
	}
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

// kindOf classifies a failure: by its codes, then by its status. Only where an endpoint
// has no code for a conversation that is too long do its words decide.
func kindOf(status int, e apiError) model.ErrorKind {
	for _, code := range e.codes {
		if kind, known := kindOfCode(code); known {
			return kind
		}
	}
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusProxyAuthRequired:
		return model.ErrAuth
	case http.StatusPaymentRequired:
		return model.ErrQuota
	case http.StatusRequestTimeout:
		return model.ErrTimeout
	case http.StatusTooManyRequests:
		return model.ErrRateLimited
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		if saysTooLong(e.message) {
			return model.ErrContextOverflow
		}
	}
	if status >= 300 && status < 500 {
		return model.ErrBadRequest
	}
	return model.ErrUnavailable
}

// kindOfCode knows the codes whose meaning their status does not tell.
func kindOfCode(code string) (kind model.ErrorKind, known bool) {
	code = strings.ToLower(code)
	switch code {
	case "context_length_exceeded", "exceed_context_size_error":
		return model.ErrContextOverflow, true
	case "content_filter", "content_policy_violation", "responsibleaipolicyviolation",
		"datainspectionfailed", "data_inspection_failed":
		return model.ErrContentFilter, true
	case "insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "arrearage":
		return model.ErrQuota, true
	case "timeout":
		return model.ErrTimeout, true
	}
	if strings.Contains(code, "allocationquota") { // Throttling.AllocationQuota, AllocationQuota.FreeTierOnly
		return model.ErrQuota, true
	}
	return "", false
}

// saysTooLong knows the wordings of OpenAI, vLLM (two), llama.cpp, LM Studio, DashScope,
// Google and Anthropic.
func saysTooLong(message string) bool {
	message = strings.ToLower(message)
	for _, wording := range []string{
		"maximum context length", "exceeds the context window", "context length is only",
		"exceeds the available context size", "greater than the context length", "range of input length should be",
		"exceeds the maximum number of tokens", "prompt is too long",
	} {
		if strings.Contains(message, wording) {
			return true
		}
	}
	return false
}
