package fetch

import (
	"fmt"
	"net/http"
	"time"
)

// Failure is what the status says went wrong, nil for 2xx and 3xx. A backend whose
// server uses statuses otherwise changes the Kind.
func (r *Response) Failure() *Error {
	if r.Status < 400 {
		return nil
	}
	e := &Error{Kind: kindOf(r.Status), Status: r.Status, RetryAfter: r.retryAfter}
	if r.URL != nil {
		e.Host = r.URL.Host
	}
	e.Err = fmt.Errorf("status %d %s", r.Status, http.StatusText(r.Status))
	return e
}

// RetryAfter is how long the server asks to be left alone; 0 if it does not.
func (r *Response) RetryAfter() time.Duration { return r.retryAfter }

func kindOf(status int) Kind {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return Auth
	case http.StatusPaymentRequired:
		return Quota
	case http.StatusNotFound, http.StatusGone:
		return NotFound
	case http.StatusRequestTimeout:
		return Timeout
	case http.StatusTooManyRequests:
		return RateLimited
	}
	if status < 500 {
		return BadRequest
	}
	return Upstream
}
