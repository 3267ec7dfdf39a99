package external_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/runner/agent/external"
	"github.com/seed-5817661a/concur/trace"
)

// TestHTTPFailures checks that the cause of a failed trace names the address, and says what to do in words that fit a
// server.
func TestHTTPFailures(t *testing.T) {
	reply := func(status int, body string, header ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(status)
			io.WriteString(w, body)
		}
	}
	page := "<!DOCTYPE html>\n<html><head><title>Sign in &amp; up</title></head><body>" + strings.Repeat("x", 5000) + "</body></html>"
	for _, c := range []struct {
		name   string
		server http.HandlerFunc // nil: no server listens
		reason trace.StopReason
		want   string // @ is the address
	}{
		{"no server", nil, trace.AgentError, "no server listens at @ (connection refused): start the agent, or correct agent.http"},
		{"another status", reply(503, "no GPU\n"), trace.AgentError, "the agent at @ replied 503 Service Unavailable: no GPU"},
		{"a status without a body", reply(500, ""), trace.AgentError, "the agent at @ replied 500 Internal Server Error"},
		{"a redirect", reply(302, "", "Location", "/login"), trace.AgentError, `the agent at @ replied 302 Found; redirects are not followed: write the address "/login" as agent.http`},
		{"a wrong path", reply(404, page), trace.AgentError, `the agent at @ replied 404 Not Found: a web page titled "Sign in & up"; check the path in agent.http, to which concur sends a POST`},
		{"no reply", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, trace.AgentError, "the agent at @ closed the connection without a reply: see the log of the agent"},
		{"half a reply", reply(200, `{"answer":`, "Content-Length", "100"), trace.AgentError, "the agent at @ broke off its reply: unexpected EOF; see the log of the agent"},
		{"an empty reply", reply(200, " \n"), trace.FormatError, `the agent at @ replied with an empty body: let it send {"message": "…"}`},
		{"a web page", reply(200, page), trace.FormatError, `the agent at @ replied with a web page titled "Sign in & up": correct agent.http, or let it send {"message": "…"}`},
		{"another key", reply(200, `{"reply": "42"}`), trace.FormatError, `the reply of the agent at @ has "reply", and no answer, message, outcome or error: send {"message": "…"}`},
		{"a list", reply(200, `[42]`), trace.FormatError, `the reply of the agent at @ has no JSON object with answer, message, outcome or error; it ends in "[42]": send one, or set agent.output: text`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := httptest.NewServer(c.server)
			if c.server == nil {
				s.Close()
			}
			defer s.Close()
			var r recorder
			a := &external.Agent{Config: configuration(nil), Transport: &external.HTTP{URL: s.URL}}
			got := a.Run(t.Context(), task("Which?", answer.Text, nil, &r))
			if want := strings.ReplaceAll(c.want, "@", s.URL); got.StopReason != c.reason || got.Cause != want {
				t.Errorf("got  %s: %s\nwant %s: %s", got.StopReason, got.Cause, c.reason, want)
			}
		})
	}
}

// TestHTTPWaitsForTheStart starts the server when a request waits for it.
func TestHTTPWaitsForTheStart(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"answer": "42"}`)
	})}
	defer server.Close()
	var said []string
	h := &external.HTTP{URL: "http://" + address + "/run?key=s3cret-of-the-agent", Patience: 10 * time.Minute, Hider: secret.New("s3cret-of-the-agent")}
	h.Warn = func(text string) {
		said = append(said, text)
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Errorf("another program took the port: %v", err)
			h.Patience = 0
			return
		}
		go server.Serve(l)
	}
	body, err := h.Send(t.Context(), external.Request{})
	if err != nil || string(body) != `{"answer": "42"}` {
		t.Errorf("got %s, %v", body, err)
	}
	want := "no server listens at http://" + address + "/run?key=[API key] yet; waiting up to 10m0s for the agent to start"
	if len(said) != 1 || said[0] != want {
		t.Errorf("said %q, want %q", said, want)
	}
}

// TestHTTPPatienceEnds checks that the traces of an agent that never starts do not each wait for it, and that a trace
// that is cancelled ends at once.
func TestHTTPPatienceEnds(t *testing.T) {
	h := &external.HTTP{URL: "http://127.0.0.1:1/", Patience: time.Millisecond}
	for range 20 {
		if _, err := h.Send(t.Context(), external.Request{}); err == nil || !strings.Contains(err.Error(), "no server listens") {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	h = &external.HTTP{URL: "http://127.0.0.1:1/", Patience: 10 * time.Minute, Warn: func(string) { cancel(errors.New("stopped")) }}
	if _, err := h.Send(ctx, external.Request{}); err == nil {
		t.Error("no error")
	}
}
