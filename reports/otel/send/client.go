package send

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/pace"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/otel"
)

// Bounds of a request.
const (
	tries      = 4
	firstPause = time.Second
	mostPause  = 20 * time.Second
	timeout    = 10 * time.Second // of one attempt
	maxAnswer  = 64 << 10         // bytes of an answer that are read
)

// RefusedError means that the endpoint does not take messages of this kind, and will not take the next either.
type RefusedError struct {
	URL    string // without its query
	Status int
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s answers %d: it does not take these messages", e.URL, e.Status)
}

// PartialError means that the endpoint took a message without some of its spans or log records.
type PartialError struct {
	Rejected int64
	Message  string // the endpoint's own words
}

func (e *PartialError) Error() string {
	return fmt.Sprintf("the endpoint rejected %d of the items: %s", e.Rejected, e.Message)
}

// Client sends messages to an endpoint. It is safe for concurrent use.
type Client struct {
	endpoint Endpoint
	http     *http.Client
	pause    time.Duration
}

// NewClient returns a client for an endpoint.
func NewClient(e Endpoint) *Client {
	return &Client{endpoint: e, pause: firstPause, http: &http.Client{
		Timeout: cmp.Or(e.Timeout, timeout),
		// A redirect would carry the headers, which may have a key, to another place.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Send sends a message of traces or of logs, and repeats the request after 429, 502, 503, 504 and a broken connection,
// until ctx ends. It does nothing if the message is empty, or if the endpoint has no URL for this kind. The error is a
// *RefusedError, a *PartialError, or says what failed last; it has neither headers nor the query of the URL.
func (c *Client) Send(ctx context.Context, m otel.Message) error {
	to := c.endpoint.signal(m.Logs)
	if to.url == "" || len(m.Body) == 0 {
		return nil
	}
	body, err := to.encode(m)
	if err != nil {
		return err
	}
	for try := 1; ; try++ {
		wait, again, err := c.once(ctx, to, body)
		if err == nil || !again || try == tries {
			return err
		}
		if wait == 0 {
			wait = pace.Backoff(try, c.pause, mostPause, 0.5)
		}
		if ended := pace.Sleep(ctx, min(wait, mostPause)); ended != nil {
			return errors.Join(err, ended)
		}
	}
}

// signal is what an endpoint has for messages of one kind.
type signal struct {
	url        string
	headers    map[string]string
	json, gzip bool
}

func (e Endpoint) signal(logs bool) signal {
	if logs {
		return signal{e.Logs, e.LogsHeaders, e.LogsJSON, e.Gzip}
	}
	return signal{e.Traces, e.Headers, e.JSON, e.Gzip}
}

func (s signal) encode(m otel.Message) (body []byte, err error) {
	body = m.Body
	if s.json {
		body, err = m.JSON()
	}
	if err != nil || !s.gzip {
		return body, err
	}
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err = w.Write(body)
	err = errors.Join(err, w.Close())
	return out.Bytes(), err
}

func (s signal) setHeader(h http.Header) {
	for name, value := range s.headers {
		h.Set(name, value)
	}
	h.Set("Content-Type", "application/x-protobuf")
	if s.json {
		h.Set("Content-Type", "application/json")
	}
	if s.gzip {
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("User-Agent", "concur")
}

// once sends a request once. again reports that another attempt may succeed, after the time that the server asks for.
func (c *Client) once(ctx context.Context, to signal, body []byte) (wait time.Duration, again bool, err error) {
	address := to.url
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return 0, false, fmt.Errorf("send to %s: the URL cannot be used", bare(address))
	}
	to.setHeader(req.Header)
	resp, err := c.http.Do(req)
	if err != nil {
		if failed, is := errors.AsType[*url.Error](err); is {
			err = failed.Err // its text has no URL, and so no query
		}
		return 0, ctx.Err() == nil && !strings.Contains(err.Error(), "invalid header"),
			fmt.Errorf("send to %s: %w", bare(address), err)
	}
	defer resp.Body.Close()
	answer, _ := io.ReadAll(io.LimitReader(resp.Body, maxAnswer)) // a broken answer counts as an empty one
	switch status := resp.StatusCode; {
	case status/100 == 2:
		return 0, false, partial(answer, resp.Header.Get("Content-Type"))
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed, status == http.StatusNotImplemented:
		return 0, false, &RefusedError{bare(address), status}
	case status == http.StatusTooManyRequests, status >= 502 && status <= 504:
		wait, _ = pace.RetryAfter(resp.Header, time.Now())
		return wait, true, fmt.Errorf("send to %s: status %d", bare(address), status)
	default:
		return 0, false, fmt.Errorf("send to %s: status %d: %s", bare(address), status,
			text.Clip(strings.Join(strings.Fields(string(answer)), " "), 160))
	}
}

// bare returns a URL without its query, which may have a key.
func bare(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "the endpoint"
	}
	return u.Scheme + "://" + u.Host + u.Path
}
