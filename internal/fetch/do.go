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

// Do sends a request, again where that can help, and gives back the last answer,
// whatever its status; Response.Failure tells what a status means. An error is always an
// *Error.
//
// Sent again are requests answered by 502, 503 or 504, by 429 if that says when to come
// back, and, once, those whose connection was refused or broke off. A server that asks
// for more patience than 20 s, or than ctx has left, gives RateLimited at once. So does a
// request that was never sent, as no turn at its host came before ctx's deadline.
func (c *Client) Do(ctx context.Context, r Request) (*Response, error) {
	target, err := parseTarget(r.URL)
	if err != nil {
		return nil, &Error{Kind: BadRequest, Err: err}
	}
	r.hider = secret.New(r.Secrets...)
	host := r.hider.Hide(target.Host)
	broken := 0
	for attempt := 0; ; attempt++ {
		resp, failed := c.attempt(ctx, r, target)
		if failed != nil && failed.broken {
			broken++
		}
		wait, what := decide(outcome{attempt: attempt, broken: broken, resp: resp, failed: failed}, c.options.Retries, left(ctx), c.options.Jitter)
		switch {
		case what == tooLong:
			err := fmt.Errorf("status %d %s", resp.Status, http.StatusText(resp.Status))
			return nil, &Error{Kind: RateLimited, Host: host, Status: resp.Status, RetryAfter: resp.retryAfter, Err: err}
		case what == stop && failed != nil:
			return nil, failed.public(host, r.hider)
		case what == stop:
			return resp, nil
		}
		if err := c.options.Sleep(ctx, wait); err != nil {
			return nil, &Error{Kind: Timeout, Host: host, Err: fmt.Errorf("wait to ask again: %w", err)}
		}
	}
}

// Pause waits d, for a server that asks to be left alone in words that Do cannot read, and
// reports whether the request may be sent once more: not where the client does not retry,
// nor where d is more patience than 20 s or than ctx has left.
func (c *Client) Pause(ctx context.Context, d time.Duration) bool {
	if c.options.Retries == 0 || d > min(maxPatience, left(ctx)) {
		return false
	}
	return c.options.Sleep(ctx, d) == nil
}

// parseTarget never quotes the URL: it may hold a secret.
func parseTarget(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, errors.New("the URL cannot be read")
	case u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return nil, errors.New("the URL is not of the form http://host or https://host")
	case u.User != nil:
		return nil, errors.New("the URL holds a user name: give credentials as a header")
	}
	return u, nil
}

// left is the time until ctx's deadline, or a long time.
func left(ctx context.Context) time.Duration {
	if deadline, ok := ctx.Deadline(); ok {
		return time.Until(deadline)
	}
	return pace.Longest
}

// attempt sends the request once.
func (c *Client) attempt(parent context.Context, r Request, target *url.URL) (*Response, *failure) {
	leave, failed := c.gates.enter(parent, target.Host, c.options)
	if failed != nil {
		return nil, failed
	}
	defer leave()
	ctx, cancel := context.WithTimeout(parent, c.options.Timeout)
	defer cancel()
	req, err := c.build(ctx, r, target)
	if err != nil {
		return nil, &failure{kind: BadRequest, err: err}
	}
	hops := redirects{none: r.NoRedirect, hider: r.hider}
	client := http.Client{Transport: c.transport, CheckRedirect: hops.check}
	res, err := client.Do(req)
	if err == nil {
		defer res.Body.Close()
		var body []byte
		if body, err = readBody(res, c.options.MaxBody); err == nil {
			return c.response(res, body, r.hider), nil
		}
	}
	f := classify(err, hops.followed)
	if f.kind == Timeout && parent.Err() == nil && ctx.Err() != nil {
		f.err = fmt.Errorf("no complete answer within %s: %w", c.options.Timeout, context.DeadlineExceeded)
	}
	return nil, f
}

func (c *Client) build(ctx context.Context, r Request, target *url.URL) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, r.Method, target.String(), bytes.NewReader(r.Body))
	if err != nil {
		return nil, fmt.Errorf("build request: %w", err)
	}
	for name, values := range r.Header { // Add spells names as redirects and defaults look for them
		for _, v := range values {
			req.Header.Add(name, v)
		}
	}
	req.Header.Del("Accept-Encoding") // net/http decompresses only what it asked for itself
	if req.Header.Get("User-Agent") == "" && c.options.UserAgent != "" {
		req.Header.Set("User-Agent", c.options.UserAgent)
	}
	return req, nil
}

func (c *Client) response(res *http.Response, body []byte, hider *secret.Hider) *Response {
	out := &Response{Status: res.StatusCode, Header: res.Header, Body: body}
	out.retryAfter, out.asksToWait = pace.RetryAfter(res.Header, c.options.Now())
	u := res.Request.URL
	clean, err := url.Parse(hider.Hide(u.String()))
	if err != nil {
		clean = &url.URL{Scheme: u.Scheme, Host: hider.Hide(u.Host)}
	}
	out.URL = clean
	return out
}
