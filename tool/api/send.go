package api

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"syscall"
	"time"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/internal/pace"
	"github.com/seed-5817661a/concur/tool/api/ask"
	"github.com/seed-5817661a/concur/tool/api/reply"
	"github.com/seed-5817661a/concur/tool/api/spec"
)

const (
	defaultTries = 3                // of a request whose file does not say how often
	maxPatience  = 20 * time.Second // the longest wait that is accepted from a server
	firstBackoff = 500 * time.Millisecond
	maxBackoff   = 8 * time.Second
)

// tries sends a request until it succeeds, cannot succeed, or has been tried often enough. scene gets the parts of the
// last reply.
func (c *call) tries(ctx context.Context, i int, q fetch.Request, scene *spec.Scene, later bool) (reply.Result,
	*fetch.Response, error) {
	for try := 1; ; try++ {
		at := *scene
		response, err := c.send(ctx, q)
		var result reply.Result
		var pauses []time.Duration
		if err == nil {
			result = reply.Judge(ctx, c.file, i, response, &at, later, c.run.hide)
			if result.Failure == nil {
				*scene = at
				return result, response, nil
			}
			pauses, err = result.Failure.Pauses, failureOf(response, result.Failure)
		}
		pause, again := c.pause(try, pauses, response, err)
		if !again || pause > timeLeft(ctx) || c.run.options.Pause(ctx, pause) != nil {
			return result, response, err
		}
	}
}

// failureOf returns the error of a failure that a reply reports.
func failureOf(response *fetch.Response, f *reply.Failure) *fetch.Error {
	e := response.Fail(f.Kind, "%s", f.Message)
	e.RetryAfter = cmp.Or(f.Wait, e.RetryAfter)
	return e
}

// pause returns how long to wait before another try, and whether one can help. pauses are those of the file; nil if it
// does not say.
func (c *call) pause(try int, pauses []time.Duration, response *fetch.Response, err error) (time.Duration, bool) {
	var asked time.Duration // by the server
	if failed, is := errors.AsType[*fetch.Error](err); is {
		asked = failed.RetryAfter
	}
	switch {
	case asked > maxPatience:
		return 0, false
	case pauses != nil && try > len(pauses), pauses == nil && try >= defaultTries:
		return 0, false
	case pauses != nil:
		return max(pauses[try-1], asked), true
	}
	backoff := pace.Backoff(try, firstBackoff, maxBackoff, c.run.options.Jitter())
	if response == nil {
		return backoff, isBroken(err)
	}
	switch response.Status {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return max(backoff, asked), true
	case http.StatusTooManyRequests:
		_, says := pace.RetryAfter(response.Header, c.run.options.Now())
		return asked, says || asked > 0
	}
	return 0, false
}

// isBroken reports whether a connection was refused or broke off before any reply.
func isBroken(err error) bool {
	for _, cause := range []error{syscall.ECONNRESET, syscall.ECONNREFUSED, syscall.EPIPE, io.EOF} {
		if errors.Is(err, cause) {
			return true
		}
	}
	return false
}

// send sends a request once, in its turn, unless its host is blocked for this run.
func (c *call) send(ctx context.Context, q fetch.Request) (*fetch.Response, error) {
	host := hostOf(q.URL)
	leave, err := c.run.enter(ctx, host, c.file.Pace)
	if err != nil {
		return nil, err
	}
	defer leave()
	if err := c.run.isBlocked(host); err != nil {
		return nil, err
	}
	response, err := c.client.Do(ctx, q)
	if c.run.options.Record != nil {
		c.run.options.Record(c.exchange(q, response, err))
	}
	return response, err
}

// exchange describes a request and its reply without keys.
func (c *call) exchange(q fetch.Request, response *fetch.Response, err error) Exchange {
	e := Exchange{Tool: c.name, Request: ask.Show(q, c.run.secrets())}
	if err != nil {
		e.Error = c.run.hide(err.Error())
		return e
	}
	e.Status, e.Header = response.Status, http.Header{}
	for name, values := range response.Header {
		for _, v := range values {
			e.Header.Add(name, c.run.hide(v))
		}
	}
	e.Body = c.run.hide(string(response.Body))
	return e
}
