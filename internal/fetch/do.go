package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/seed-5817661a/concur/internal/pace"
	"github.com/seed-5817661a/concur/internal/secret"
)

const (
	maxPatience  = 20 * time.Second // the longest wait that is accepted from a server
	firstBackoff = 500 * time.Millisecond
	maxBackoff   = 8 * time.Second
)

// Do sends a request, repeats it if that can help, and returns the last answer with any status;
// Response.Failure interprets the status. An error is always an *Error.
//
// It repeats requests in these cases:
//
//   - the status is 502, 503 or 504;
//   - the status is 429, and the server says when to retry;
//   - the connection was refused or broke off; such a request is repeated once.
//
// If a server asks for a wait of more than 20 s, or longer than ctx lasts, Do returns RateLimited at once. It
// also returns RateLimited for a request that could not be sent before ctx's deadline because of the limit per
// host.
func (c *Client) Do(ctx context.Context, r Request) (*Response, error) {
	target, err := parseTarget(r.URL)
	if err != nil {
		return nil, &Error{Kind: BadRequest, Err: err}
	}
	r.hider = secret.New(r.Secrets...)
	reconnected := false
	for attempt := 1; ; attempt++ {
		resp, err := c.attempt(ctx, r, target)
		wait, patience := pace.Backoff(attempt, firstBackoff, maxBackoff, c.options.Jitter()), timeLeft(ctx)
		switch {
		case attempt > c.options.Retries, err == nil && !resp.passes():
			return resp, err
		case err != nil && (reconnected || !isBroken(err)):
			return nil, err
		case err != nil:
			reconnected = true
		case resp.asksToWait:
			wait = resp.RetryAfter
			if wait > min(patience, maxPatience) {
				e := resp.Failure()
				e.Kind = RateLimited
				return nil, e
			}
		}
		if wait > patience {
			return resp, err
		}
		if err := c.options.Sleep(ctx, wait); err != nil {
			return nil, &Error{Kind: Timeout, Host: r.hider.Hide(target.Host),
				Err: fmt.Errorf("wait for another attempt: %w", err)}
		}
	}
}

// passes reports whether another attempt may succeed. A 429 that does not say when to retry may be a used-up
// quota.
func (r *Response) passes() bool {
	switch r.Status {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return r.Status == http.StatusTooManyRequests && r.asksToWait
}

// Pause waits d, for a server that asks for a wait in a form that Do cannot read, and reports whether the
// request may be sent again. It returns false at once if the client does not retry, or if d is more than 20 s
// or longer than ctx lasts.
func (c *Client) Pause(ctx context.Context, d time.Duration) bool {
	return c.options.Retries > 0 && d <= min(maxPatience, timeLeft(ctx)) && c.options.Sleep(ctx, d) == nil
}

// timeLeft returns the time until ctx's deadline, or a long time if it has none.
func timeLeft(ctx context.Context) time.Duration {
	if deadline, ok := ctx.Deadline(); ok {
		return time.Until(deadline)
	}
	return pace.Longest
}

// parseTarget parses a URL. Its errors never quote the URL, which may contain a secret.
func parseTarget(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, errors.New("the URL cannot be read")
	case u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return nil, errors.New("the URL is not of the form http://host or https://host")
	case u.User != nil:
		return nil, errors.New("the URL has a user name: give credentials as a header")
	}
	return u, nil
}

// attempt sends the request once.
func (c *Client) attempt(parent context.Context, r Request, target *url.URL) (*Response, error) {
	fail := func(kind Kind, err error) error {
		return &Error{Kind: kind, Host: r.hider.Hide(target.Host), Err: redact(err, r.hider)}
	}
	leave, kind, err := c.enter(parent, target.Host)
	if err != nil {
		return nil, fail(kind, err)
	}
	defer leave()
	ctx, cancel := context.WithTimeout(parent, c.options.Timeout)
	defer cancel()
	req, err := c.build(ctx, r, target)
	if err != nil {
		return nil, fail(BadRequest, err)
	}
	hops := redirects{none: r.NoRedirect, hider: r.hider}
	client := http.Client{Transport: c.transport, CheckRedirect: hops.check, Jar: r.Jar}
	res, err := client.Do(req)
	if err == nil {
		defer res.Body.Close()
		var body []byte
		if body, err = readBody(res); err == nil {
			return c.response(res, body, r.hider), nil
		}
	}
	kind, err = classify(err, hops.followed)
	if kind == Timeout && parent.Err() == nil && ctx.Err() != nil {
		err = fmt.Errorf("no complete answer within %s: %w", c.options.Timeout, context.DeadlineExceeded)
	}
	return nil, fail(kind, err)
}

// enter waits for a free place at a host. If there is no error, call leave afterwards. If the time runs out,
// the host is not at fault: fewer concurrent requests would have helped.
func (c *Client) enter(ctx context.Context, host string) (leave func(), kind Kind, err error) {
	if err := ctx.Err(); err != nil { // ctx had ended before any wait
		return nil, Timeout, fmt.Errorf("wait for a turn: %w", err)
	}
	it, _ := c.slots.LoadOrStore(host, make(chan struct{}, c.options.PerHost))
	slots := it.(chan struct{})
	select {
	case slots <- struct{}{}:
		return func() { <-slots }, "", nil
	case <-ctx.Done():
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil, RateLimited, fmt.Errorf("no turn in time: only %d of this program's requests to this host are sent at "+
			"the same time; lower the concurrency or raise the timeout: %w", c.options.PerHost, ctx.Err())
	}
	return nil, Timeout, fmt.Errorf("wait for a turn: %w", ctx.Err())
}

func (c *Client) build(ctx context.Context, r Request, target *url.URL) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, r.Method, target.String(), bytes.NewReader(r.Body))
	if err != nil {
		return nil, fmt.Errorf("build request: %w", err)
	}
	for name, values := range r.Header { // Add writes names in the form that redirects and defaults expect
		for _, v := range values {
			req.Header.Add(name, v)
		}
	}
	req.Header.Del("Accept-Encoding") // net/http decompresses only if it set the header itself
	if req.Header.Get("User-Agent") == "" && c.options.UserAgent != "" {
		req.Header.Set("User-Agent", c.options.UserAgent)
	}
	return req, nil
}

func (c *Client) response(res *http.Response, body []byte, hider *secret.Hider) *Response {
	out := &Response{Status: res.StatusCode, Header: res.Header, Body: body}
	out.RetryAfter, out.asksToWait = pace.RetryAfter(res.Header, c.options.Now())
	u := res.Request.URL
	var err error
	if out.URL, err = url.Parse(hider.Hide(u.String())); err != nil {
		out.URL = &url.URL{Scheme: u.Scheme, Host: hider.Hide(u.Host)}
	}
	return out
}
