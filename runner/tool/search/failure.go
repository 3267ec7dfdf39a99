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
	empty    = string(fetch.Empty)
	upstream = string(fetch.Upstream) // also for unknown and for mixed kinds
)

// kindOf classifies a backend's error by the taxonomy of wire-formats, with the wait that it asks
// for. A private address is a bad request to net/http, but it comes from the configuration, so the
// agent cannot correct it.
func kindOf(err error) (kind string, wait time.Duration) {
	kind = upstream
	if e, ok := errors.AsType[*fetch.Error](err); ok {
		kind, wait = string(e.Kind), e.RetryAfter
	} else if e, ok := errors.AsType[*tool.BackendError](err); ok {
		kind, wait = e.Kind, e.RetryAfter
	} else if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		kind = string(fetch.Timeout)
	}
	if !fetch.Kind(kind).Known() || errors.Is(err, fetch.ErrPrivateAddress) {
		kind = upstream
	}
	return kind, wait
}

// isAgents reports kinds that are the agent's errors: requests that the backend refuses.
func isAgents(kind string) bool { return kind == tool.BadRequest || kind == tool.NotFound }

// toolError turns the error of a tool's only backend into the tool's: kind, cause and way
// out. It is a RequestError if it is the agent's error, else a BackendError.
func toolError(err error) error {
	kind, wait := kindOf(err)
	if isAgents(kind) {
		return &tool.RequestError{Kind: kind, Err: fmt.Errorf("%w; change the query", err)}
	}
	if _, ok := errors.AsType[*fetch.Error](err); ok {
		err = fmt.Errorf("%w; %s", err, wayOut(fetch.Kind(kind)))
	}
	return &tool.BackendError{Kind: kind, Err: err, RetryAfter: wait}
}

// wayOut is the advice to an agent after a backend's failure.
func wayOut(kind fetch.Kind) string {
	switch kind {
	case fetch.Auth, fetch.Quota, fetch.CaptchaBlocked:
		return "calling it again will not help; try another search tool"
	case fetch.RateLimited:
		return "call it later, or try another search tool"
	}
	return "try another search tool"
}
