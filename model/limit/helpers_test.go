package limit_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/seed-5817661a/concur/model"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const name = "test:m"

// fake is a model whose replies a function gives.
type fake func(context.Context, model.Request) (model.Response, error)

func (f fake) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	return f(ctx, req)
}

// script fails with its errors, one after another, and then succeeds. It counts the calls.
type script struct {
	mu    sync.Mutex
	errs  []error
	calls int
}

func (s *script) Complete(context.Context, model.Request) (model.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	if s.calls <= len(s.errs) && s.errs[s.calls-1] != nil {
		return model.Response{}, s.errs[s.calls-1]
	}
	return answer, nil
}

var answer = model.Response{Message: model.Message{Role: model.Assistant, Content: "a"}, Finish: model.FinishStop}

// slow replies after a duration, or fails when ctx ends.
func slow(d time.Duration, resp model.Response) fake {
	return func(ctx context.Context, _ model.Request) (model.Response, error) {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
			return resp, nil
		case <-ctx.Done():
			return model.Response{}, fail(model.KindOf(ctx.Err()), ctx.Err())
		}
	}
}

// within ends each call after a duration, like the timeout of a model behind HTTP.
func within(d time.Duration, m fake) fake {
	return func(ctx context.Context, req model.Request) (model.Response, error) {
		inner, cancel := context.WithTimeout(ctx, d)
		defer cancel()
		resp, err := m(inner, req)
		if err != nil && ctx.Err() == nil && inner.Err() != nil {
			return model.Response{}, slowReply()
		}
		return resp, err
	}
}

func fail(kind model.ErrorKind, cause error) *model.Error {
	return &model.Error{Kind: kind, Model: name, Err: cause}
}

// Failures of endpoints.
func rateLimited(after time.Duration) error {
	e := fail(model.ErrRateLimited, errors.New("status 429"))
	e.RetryAfter = after
	return e
}

func broken() error { return fail(model.ErrUnavailable, errors.New("status 500")) }

func overloaded(after time.Duration) error {
	e := fail(model.ErrUnavailable, errors.New("status 503"))
	e.RetryAfter = after
	return e
}

func refused() error {
	return fail(model.ErrUnavailable, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED})
}

func reset() error {
	return fail(model.ErrUnavailable, &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET})
}

func slowReply() error { return fail(model.ErrTimeout, context.DeadlineExceeded) }

func wrongKey() error { return fail(model.ErrAuth, errors.New("status 401")) }

// wantKind checks the kind of a failure and a part of its text.
func wantKind(t *testing.T, err error, kind model.ErrorKind, says string) *model.Error {
	t.Helper()
	e, ok := errors.AsType[*model.Error](err)
	if !ok {
		t.Fatalf("%v is no *model.Error", err)
	}
	if e.Kind != kind || e.Model != name || !strings.Contains(err.Error(), says) {
		t.Errorf("%s of %s: %v; want %s, saying %q", e.Kind, e.Model, err, kind, says)
	}
	return e
}

// text returns a request of about this number of tokens.
func text(tokens int) model.Request {
	return model.Request{Messages: []model.Message{{Content: strings.Repeat("word", tokens)}}}
}
