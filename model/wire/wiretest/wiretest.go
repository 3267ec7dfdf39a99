// Package wiretest has what tests of models behind HTTP need: endpoints over loopback or
// without any network, and a look for keys in errors. It imports no package of this module.
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

// Transport answers requests by a function, without a network.
type Transport func(*http.Request) (*http.Response, error)

// RoundTrip calls the function.
func (f Transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// OK is a successful reply.
func OK(body string) *http.Response {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
}

// Says answers every request with a status and a body.
func Says(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// HangUp closes the connection: with a reset where linger is 0, in order where it is -1.
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

// Host is the host of the address to which a model's error points.
func Host(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}

// Hidden checks that no verb shows the key, of an error or of anything that it wraps.
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
