package search

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/runner/tool"
)

const (
	empty       = string(fetch.Empty)
	unavailable = "unavailable" // of an error that no kind is known of, or of several kinds
)

// kindOf sorts a backend's error by the taxonomy of wire-formats.
func kindOf(err error) string {
	if e, ok := errors.AsType[*fetch.Error](err); ok {
		return string(e.Kind)
	}
	if e, ok := errors.AsType[*tool.BackendError](err); ok {
		return e.Kind
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return string(fetch.Timeout)
	}
	return unavailable
}

// isAgents tells the failures that are the agent's fault: a request that the backend
// refuses. A private address is refused too, but stands in the configuration.
func isAgents(err error) bool {
	switch fetch.Kind(kindOf(err)) {
	case fetch.BadRequest, fetch.NotFound:
		return !errors.Is(err, fetch.ErrPrivateAddress)
	}
	return false
}

func retryAfter(err error) time.Duration {
	if e, ok := errors.AsType[*fetch.Error](err); ok {
		return e.RetryAfter
	}
	if e, ok := errors.AsType[*tool.BackendError](err); ok {
		return e.RetryAfter
	}
	return 0
}

// failed turns the error of a tool's only backend into the tool's: kind, cause and way
// out. It is an ordinary error where it is the agent's fault, else a BackendError.
func failed(err error) error {
	kind := kindOf(err)
	if isAgents(err) {
		return fmt.Errorf("%s: %w; change the query", kind, err)
	}
	if _, ok := errors.AsType[*fetch.Error](err); ok {
		err = fmt.Errorf("%w; %s", err, wayOut(fetch.Kind(kind)))
	}
	return &tool.BackendError{Kind: kind, Err: err, RetryAfter: retryAfter(err)}
}

// wayOut is what an agent can do about a backend's failure.
func wayOut(kind fetch.Kind) string {
	switch kind {
	case fetch.Auth, fetch.Quota, fetch.CaptchaBlocked:
		return "calling it again will not help; try another search tool"
	case fetch.RateLimited:
		return "call it later, or try another search tool"
	}
	return "try another search tool"
}
