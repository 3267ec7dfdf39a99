// Package wiretest helps to test models behind HTTP. It has endpoints on loopback or without a network, and a
// check of the errors of models.
package wiretest

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/model"
)

// Transport is an http.RoundTripper that calls a function instead of using the network.
type Transport func(*http.Request) (*http.Response, error)

// RoundTrip calls the function. The request always has a body, as requests to a server do.
func (f Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body == nil {
		r = r.Clone(r.Context())
		r.Body = http.NoBody
	}
	return f(r)
}

// OK returns a successful reply.
func OK(body string) *http.Response {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
}

// Respond returns a handler that replies to every request with a status and a body.
func Respond(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// HangUp returns a handler that closes the connection: with a reset if linger is 0, normally if it is -1.
func HangUp(t *testing.T, linger int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(linger)
		}
		_ = conn.Close()
	}
}

// HostOf returns the host of an address, in the form in which a model's error names it.
func HostOf(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}

// Hidden fails if any verb of fmt prints the key in an error, or in an error that it wraps.
func Hidden(t *testing.T, err error, key string) {
	t.Helper()
	for ; err != nil; err = errors.Unwrap(err) {
		for _, verb := range []string{"%v", "%+v", "%#v", "%q"} {
			if text := fmt.Sprintf(verb, err); strings.Contains(text, key) {
				t.Errorf("%s shows the key: %s", verb, text)
			}
		}
	}
}

// Failed checks the rules for all errors of models, and returns the text of an error: it is a *model.Error of the
// wanted kind, it names the model and the host, and no verb of fmt shows the key. provider is the first part of the
// model's name.
func Failed(t *testing.T, err error, provider string, want model.ErrorKind, key string) string {
	t.Helper()
	e, ok := errors.AsType[*model.Error](err)
	if !ok {
		t.Fatalf("%v is no *model.Error", err)
	}
	if e.Kind != want {
		t.Errorf("kind %s, want %s: %v", e.Kind, want, err)
	}
	if !strings.HasPrefix(e.Model, provider+":") || !strings.Contains(err.Error(), ": ask ") {
		t.Errorf("%v does not name model and host", err)
	}
	Hidden(t, err, key)
	return fmt.Sprint(err)
}
