// Package wiretest helps to test models behind HTTP: endpoints over loopback or without a network, and a
// check that errors do not contain keys. It imports no package of this module.
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
)

// Transport answers requests with a function, without a network.
type Transport func(*http.Request) (*http.Response, error)

// RoundTrip calls the function. It is given a body to read, also of a request without one, as a server is.
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

// Respond answers every request with a status and a body.
func Respond(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// HangUp closes the connection: with a reset if linger is 0, in order if it is -1.
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

// HostOf returns the host of the address that a model's error names.
func HostOf(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}

// Hidden checks that no verb prints the key, of an error or of any error that it wraps.
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
