package api

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/internal/pace"
	"github.com/seed-5817661a/concur/tool"
)

// timeLeft returns the time until ctx's deadline, or a long time if it has none.
func timeLeft(ctx context.Context) time.Duration {
	if deadline, limited := ctx.Deadline(); limited {
		return time.Until(deadline)
	}
	return pace.Longest
}

// withMargin returns a context that ends a little before ctx, so that a call reports why it failed before the tool's
// own time is over.
func withMargin(ctx context.Context) (context.Context, context.CancelFunc) {
	if left := timeLeft(ctx); left < pace.Longest {
		return context.WithTimeout(ctx, left-left/20)
	}
	return context.WithCancel(ctx)
}

// toolError converts the error of a call to the tool's error, with a kind, a cause and an action, and without keys.
// It is a RequestError if the agent is at fault, otherwise a BackendError.
func (t *Tool) toolError(err error) error {
	kind, wait := fetch.Upstream, time.Duration(0)
	if failed, is := errors.AsType[*fetch.Error](err); is {
		kind, wait = failed.Kind, failed.RetryAfter
	} else if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		kind = fetch.Timeout
	}
	advice := wayOut(kind)
	if errors.Is(err, fetch.ErrPrivateAddress) {
		kind, advice = fetch.Upstream, "set search.allow_private: true to reach it"
	}
	if variables := t.key.Variables(t.file); kind == fetch.Auth && variables != "" {
		advice = variables + "; " + advice
	}
	said := t.run.secrets().Error(fmt.Errorf("%w; %s", err, advice))
	if kind == fetch.BadRequest || kind == fetch.NotFound {
		return &tool.RequestError{Kind: string(kind), Err: said}
	}
	return &tool.BackendError{Kind: string(kind), Err: said, RetryAfter: wait}
}

// wayOut returns the advice for an agent after a failure.
func wayOut(kind fetch.Kind) string {
	switch kind {
	case fetch.BadRequest, fetch.NotFound:
		return "change the arguments"
	case fetch.Auth, fetch.Quota, fetch.CaptchaBlocked:
		return "it will fail again; try another tool"
	case fetch.RateLimited:
		return "call it later, or try another tool"
	}
	return "try another tool"
}
