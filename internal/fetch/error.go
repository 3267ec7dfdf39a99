package fetch

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/secret"
)

// Kind is the kind of a failure; it decides what a caller can do.
type Kind string

// The kinds. BadRequest, NotFound and Empty are not the server's fault.
const (
	Auth           Kind = "auth"            // the key or User-Agent is not accepted
	Quota          Kind = "quota"           // the account has no quota left
	RateLimited    Kind = "rate_limited"    // too many requests, for the server or for the Client; later ones may succeed
	CaptchaBlocked Kind = "captcha_blocked" // the server asks for a captcha; repeating does not help
	BadRequest     Kind = "bad_request"     // the request itself is wrong
	NotFound       Kind = "not_found"
	Empty          Kind = "empty" // the answer has no results
	Upstream       Kind = "upstream"
	Malformed      Kind = "malformed" // the answer cannot be read, or is too long
	Timeout        Kind = "timeout"   // or the context was cancelled
)

// Known reports whether k is one of these kinds.
func (k Kind) Known() bool {
	return slices.Contains([]Kind{Auth, Quota, RateLimited, CaptchaBlocked, BadRequest, NotFound, Empty, Upstream,
		Malformed, Timeout}, k)
}

// Error is a failed request. Its text contains only the host, without the URL and without secrets.
type Error struct {
	Kind       Kind
	Host       string
	Status     int           // 0 if no status was received
	RetryAfter time.Duration // as the server asked; 0 if it asked for none
	Err        error
}

// Error returns host and cause. It omits the Kind, which callers print before it.
func (e *Error) Error() string {
	text := "no cause given"
	switch {
	case e.Err != nil:
		text = e.Err.Error()
	case e.Status != 0:
		text = fmt.Sprintf("status %d", e.Status)
	}
	if e.Host != "" {
		text = e.Host + ": " + text
	}
	if e.RetryAfter > 0 {
		text += fmt.Sprintf("; it asks to wait %s", e.RetryAfter.Round(time.Millisecond))
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Fail returns an Error of a kind about this answer.
func (r *Response) Fail(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Host: r.URL.Host, Status: r.Status, RetryAfter: r.RetryAfter,
		Err: fmt.Errorf(format, args...)}
}

// Failure returns the failure for the status; nil for 2xx and 3xx. A backend whose server uses statuses in
// another way changes the Kind.
func (r *Response) Failure() *Error {
	kind := r.Kind()
	if kind == "" {
		return nil
	}
	return r.Fail(kind, "status %d %s", r.Status, http.StatusText(r.Status))
}

// Kind returns the kind of failure of the status; "" for 2xx and 3xx.
func (r *Response) Kind() Kind {
	kind, known := kinds[r.Status]
	switch {
	case r.Status < 400:
		return ""
	case !known && r.Status < 500:
		return BadRequest
	case !known:
		return Upstream
	}
	return kind
}

// kinds maps statuses to kinds; any other status below 500 is a BadRequest.
var kinds = map[int]Kind{
	http.StatusUnauthorized: Auth, http.StatusForbidden: Auth, http.StatusPaymentRequired: Quota,
	http.StatusNotFound: NotFound,
	http.StatusGone:     NotFound, http.StatusRequestTimeout: Timeout, http.StatusTooManyRequests: RateLimited,
}

// redactedError is an error whose text was cleaned of secrets. It can be compared with errors.Is, but does
// not return its cause, whose text may contain secrets.
type redactedError struct {
	text  string
	cause error
}

// maxText is the maximum length of an error's text, because net/http quotes headers and addresses of any
// length.
const maxText = 300

func redact(err error, hider *secret.Hider) redactedError {
	text := hider.Hide(err.Error())
	if len(text) > maxText {
		text = text[:maxText] + "…"
	}
	return redactedError{strings.ToValidUTF8(text, "�"), err}
}

func (r redactedError) Error() string { return r.text }

// Is compares the cause with a target.
func (r redactedError) Is(target error) bool { return errors.Is(r.cause, target) }
