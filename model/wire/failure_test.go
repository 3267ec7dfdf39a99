package wire_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/model/wire"
	"github.com/seed-5817661a/concur/model/wire/wiretest"
)

// peerAt returns a peer with an address.
func peerAt(t *testing.T, address string) *wire.Peer {
	t.Helper()
	base, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return &wire.Peer{
		Name: "test:m", Base: base, Key: wire.NewKey(testKey), Settings: wire.Settings{
			Model: "m", API: "a test API", Timeout: 30 * time.Second, Endpoint: endpoints.Endpoint{AddressEnv: "TEST_BASE_URL"},
		},
	}
}

// get sends a request to a peer like a provider's package, and reads the whole reply.
func get(ctx context.Context, p *wire.Peer, through http.RoundTripper) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.Base.String(), nil)
	if err != nil {
		return err
	}
	resp, err := (&http.Client{Transport: through}).Do(req)
	if err != nil {
		return p.Unreachable(ctx, err)
	}
	defer resp.Body.Close()
	_, err = p.ReadWhole(ctx, resp.Body)
	return err
}

// checkError checks the rules for all errors, the kind, and a part of the text.
func checkError(t *testing.T, err error, want model.ErrorKind, says string) {
	t.Helper()
	e, ok := errors.AsType[*model.Error](err)
	if !ok {
		t.Fatalf("%v is no *model.Error", err)
	}
	if e.Kind != want || e.Model != "test:m" {
		t.Errorf("kind %s of %s, want %s: %v", e.Kind, e.Model, want, err)
	}
	if text := err.Error(); !strings.Contains(text, ": ask ") || !strings.Contains(text, says) {
		t.Errorf("%s\nnames no host, or lacks %q", text, says)
	}
	wiretest.Hidden(t, err, testKey)
}

func TestUnreachable(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	refusal := wiretest.Transport(func(*http.Request) (*http.Response, error) {
		return nil, &net.DNSError{Err: "no such host", Name: "api.test", IsNotFound: true}
	})
	slow := wiretest.Transport(func(*http.Request) (*http.Response, error) {
		return nil, &net.DNSError{Err: "i/o timeout", IsTimeout: true}
	})
	quoting := wiretest.Transport(func(*http.Request) (*http.Response, error) { return nil, errors.New("bad header: Bearer " + testKey) })
	for _, c := range []struct {
		name    string
		handler http.HandlerFunc
		through http.RoundTripper
		kind    model.ErrorKind
		says    string
	}{
		{"refused", nil, nil, model.ErrUnavailable, "ask " + wiretest.HostOf(t, closed.URL) + ": dial"},
		{"reset", wiretest.HangUp(t, 0), nil, model.ErrUnavailable, "check that the endpoint is up, and TEST_BASE_URL"},
		{"hung up", wiretest.HangUp(t, -1), nil, model.ErrUnavailable, "check that the endpoint is up, and TEST_BASE_URL"},
		{"unknown host", nil, refusal, model.ErrUnavailable, "no such host"},
		{"slow handshake", nil, slow, model.ErrTimeout, "check the network and TEST_BASE_URL"},
		{"transport that quotes the key", nil, quoting, model.ErrUnavailable, "[API key]"},
		{"cut body", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, `{"choices": [`)
		}, nil, model.ErrUnavailable, "cut off after 13 bytes; the endpoint"},
		{"reset mid-body", func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, `{"choices": [`)
			_ = http.NewResponseController(w).Flush()
			wiretest.HangUp(t, 0)(w, r)
		}, nil, model.ErrUnavailable, "the reply was cut off after"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := peerAt(t, closed.URL)
			if c.handler != nil {
				server := httptest.NewServer(c.handler)
				defer server.Close()
				p = peerAt(t, server.URL)
			}
			checkError(t, get(t.Context(), p, c.through), c.kind, c.says)
		})
	}
}

// Callers can find the cause of an error, unless its text contains the key.
func TestCausesAreKept(t *testing.T) {
	p, cause := peerAt(t, "http://h/v1"), errors.New("cause")
	if err := p.Fail(model.ErrUnavailable, "text", cause); !errors.Is(err, cause) {
		t.Errorf("%v has lost its cause", err)
	}
	quoting := errors.New("not " + testKey)
	err := p.Fail(model.ErrAuth, quoting.Error(), quoting)
	if checkError(t, err, model.ErrAuth, "ask h: not [API key]"); errors.Is(err, quoting) {
		t.Errorf("%v keeps a cause that shows the key", err)
	}
	_, failed := p.ReadWhole(t.Context(), iotest.ErrReader(io.ErrUnexpectedEOF))
	if !errors.Is(failed, io.ErrUnexpectedEOF) {
		t.Error(failed)
	}
}

// If the context of a call has ended, that is the reported cause, whatever else failed.
func TestStopped(t *testing.T) {
	late, release := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer release()
	cancelled, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	p := peerAt(t, "http://h/v1")
	for _, c := range []struct {
		ctx   context.Context
		kind  model.ErrorKind
		cause error
		says  string
	}{
		{late, model.ErrTimeout, context.DeadlineExceeded, "the limit is 30s"},
		{cancelled, model.ErrCancelled, context.Canceled, "was cancelled"},
	} {
		_, whole := p.ReadWhole(c.ctx, iotest.ErrReader(io.ErrUnexpectedEOF))
		for _, err := range []error{p.Unreachable(c.ctx, io.EOF), whole, p.BrokenStream(c.ctx, wire.ErrCut)} {
			if checkError(t, err, c.kind, c.says); !errors.Is(err, c.cause) {
				t.Errorf("%v is not for %v", err, c.cause)
			}
		}
	}
}

// The caller leaves before the reply, or during it.
func TestCancel(t *testing.T) {
	for name, begin := range map[string]string{"before the reply": "", "amid the reply": `{"choices": `} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if begin != "" {
					_, _ = io.WriteString(w, begin)
					_ = http.NewResponseController(w).Flush()
				}
				cancel(errors.New("enough"))
				<-r.Context().Done()
			}))
			defer server.Close()
			err := get(ctx, peerAt(t, server.URL), nil)
			if checkError(t, err, model.ErrCancelled, "cancelled"); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
	}
}

func TestBrokenStream(t *testing.T) {
	p := peerAt(t, "http://h/v1")
	for _, c := range []struct {
		err   error
		kind  model.ErrorKind
		cause error
		says  string
	}{
		{wire.BadStream("it holds\n" + testKey), model.ErrMalformed, nil, "the stream cannot be read: it holds [API key]; check that TEST_BASE_URL (http://h/v1) leads to a test API"},
		{wire.ErrCut, model.ErrUnavailable, io.ErrUnexpectedEOF, "broke off before the reply was complete; the endpoint"},
		{io.ErrUnexpectedEOF, model.ErrUnavailable, io.ErrUnexpectedEOF, "broke off before the reply was complete; the endpoint"},
		{io.ErrClosedPipe, model.ErrUnavailable, io.ErrClosedPipe, "was complete: io: read/write on closed pipe; the endpoint"},
	} {
		err := p.BrokenStream(t.Context(), c.err)
		if checkError(t, err, c.kind, c.says); c.cause != nil && !errors.Is(err, c.cause) {
			t.Errorf("%v is not for %v", err, c.cause)
		}
	}
}

// If a stream is cut off, an incomplete last event is not reported as a malformed one.
func TestFaultsOfEvents(t *testing.T) {
	failed, wrong := wire.Failed{Body: []byte(`{}`)}, errors.New("it is wrong")
	for _, c := range []struct {
		body string
		err  error // the error of the reader of events
		want error
	}{
		{"data: {}", nil, nil},
		{"data: {}", fmt.Errorf("event: %w", failed), failed},
		{"data: {", nil, wire.ErrCut},
		{"data: {\n\n", nil, wire.BadStream("it holds an event that is not JSON: {\n")},
		{"data: {}", wrong, wire.BadStream("it is wrong")},
		{"data: {} {", wrong, wire.ErrCut},
	} {
		got := wire.NewEvents(strings.NewReader(c.body)).Each(func(json.RawMessage) error { return c.err })
		if _, isFailed := errors.AsType[wire.Failed](c.want); isFailed {
			if f, ok := errors.AsType[wire.Failed](got); !ok || string(f.Body) != "{}" {
				t.Errorf("%q: %v, want a failure", c.body, got)
			}
		} else if !errors.Is(got, c.want) {
			t.Errorf("%q with %v: %v, want %v", c.body, c.err, got, c.want)
		}
	}
}
