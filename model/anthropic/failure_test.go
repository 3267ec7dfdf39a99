package anthropic_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/anthropic"
	"github.com/seed-5817661a/concur/model/wire/wiretest"
)

func TestRejections(t *testing.T) {
	api := func(kind, message string) string {
		return fmt.Sprintf(`{"type": "error", "error": {"type": %q, "message": %q}, "request_id": "req_011"}`, kind, message)
	}
	for _, c := range []struct {
		name   string
		status int
		body   string
		kind   model.ErrorKind
		says   []string
	}{
		{"bad request", 400, api("invalid_request_error", "temperature: Extra inputs are not permitted"), model.ErrBadRequest, []string{"400 Bad Request (invalid_request_error): temperature", "request req_011", "omit: [temperature]"}},
		{"too long", 400, api("invalid_request_error", "prompt is too long: 208310 tokens > 200000 maximum"), model.ErrContextOverflow, []string{"shorten"}},
		{"too long with the reply", 400, api("invalid_request_error", "input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000"), model.ErrContextOverflow, nil},
		{"too long at Bedrock", 400, `{"message": "Input is too long for requested model."}`, model.ErrContextOverflow, nil},
		{"too large", 413, api("request_too_large", "Request exceeds the maximum size"), model.ErrContextOverflow, nil},
		{"too large for a proxy", 413, "<html>413</html>", model.ErrContextOverflow, []string{"<html>"}},
		{"blocked", 400, api("invalid_request_error", "Output blocked by content filtering policy"), model.ErrContentFilter, nil},
		{"no money", 400, api("invalid_request_error", "Your credit balance is too low to access the Anthropic API."), model.ErrQuota, []string{"top up"}},
		{"limit reached", 400, api("invalid_request_error", "You have reached your specified API usage limits."), model.ErrQuota, nil},
		{"payment", 402, api("billing_error", "x"), model.ErrQuota, nil},
		{"payment without a type", 402, ``, model.ErrQuota, nil},
		{"wrong key", 401, api("authentication_error", "invalid x-api-key "+testKey), model.ErrAuth, []string{"set ANTHROPIC_API_KEY", "[API key]"}},
		{"key in a page", 401, "<html>" + strings.Repeat("x", 290) + testKey, model.ErrAuth, []string{"<html>"}},
		{"forbidden", 403, api("permission_error", "x"), model.ErrAuth, nil},
		{"forbidden without a type", 403, ``, model.ErrAuth, []string{"403 Forbidden"}},
		{"unknown model", 404, api("not_found_error", "model: claude-x"), model.ErrBadRequest, []string{`"m"`, "ANTHROPIC_BASE_URL (http://127.0.0.1:"}},
		{"unknown page", 404, "404 page not found", model.ErrBadRequest, []string{"404 page not found"}},
		{"moved", 301, ``, model.ErrBadRequest, []string{"301", "redirects"}},
		{"request timeout", 408, ``, model.ErrTimeout, nil},
		{"too fast", 429, api("rate_limit_error", "This request would exceed the rate limit"), model.ErrRateLimited, []string{"lower --concurrency"}},
		{"too fast for a proxy", 429, `slow down`, model.ErrRateLimited, nil},
		{"broken", 500, api("api_error", "Internal server error"), model.ErrUnavailable, []string{"try again"}},
		{"words of length with status 500", 500, api("api_error", "prompt is too long"), model.ErrUnavailable, nil},
		{"a refusal's type with status 503", 503, api("invalid_request_error", "prompt is too long"), model.ErrUnavailable, []string{"503 Service Unavailable (invalid_request_error)", "try again"}},
		{"a key's type with status 500", 500, api("authentication_error", "x"), model.ErrUnavailable, []string{"try again"}},
		{"a refusal's type with status 504", 504, api("invalid_request_error", "x"), model.ErrTimeout, nil},
		{"bad gateway", 502, "<html>\n<h1>502</h1>", model.ErrUnavailable, []string{"502 Bad Gateway", "<html> <h1>"}},
		{"timed out", 504, api("timeout_error", "x"), model.ErrTimeout, nil},
		{"timed out at a proxy", 504, ``, model.ErrTimeout, nil},
		{"overloaded", 529, api("overloaded_error", "Overloaded"), model.ErrUnavailable, []string{"status 529 (overloaded_error): Overloaded"}},
		{"failure with status 200", 200, api("overloaded_error", "Overloaded"), model.ErrUnavailable, []string{"status 200 OK (overloaded_error)"}},
		{"too fast with status 200", 200, api("rate_limit_error", "x"), model.ErrRateLimited, nil},
		{"a text as error", 400, `{"error": "no tools here"}`, model.ErrBadRequest, []string{"no tools here"}},
		{"an error in OpenAI's form", 429, `{"error": {"message": "x", "type": "requests", "code": null}}`, model.ErrRateLimited, nil},
		{"an unknown type", 418, api("teapot_error", "x"), model.ErrBadRequest, []string{"teapot_error"}},
		{"a message of a number", 400, `{"type": "error", "error": {"type": 3, "message": [4]}}`, model.ErrBadRequest, []string{"[4]"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := httptest.NewServer(wiretest.Respond(c.status, "application/json", c.body))
			defer server.Close()
			m := newModel(t, anthropic.Options{BaseURL: server.URL, Transport: server.Client().Transport})
			got := fails(t, m, c.kind)
			for _, want := range append(c.says, "ask "+wiretest.HostOf(t, server.URL)+": status ") {
				if !strings.Contains(got, want) {
					t.Errorf("%s\nlacks %q", got, want)
				}
			}
			if strings.Contains(got, testKey[:12]) || strings.Contains(got, "\n") {
				t.Errorf("%q holds a part of the key, or a line break", got)
			}
		})
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	m := at(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/messages" {
			t.Errorf("%s was asked, with the key %q", r.URL.Path, r.Header.Get("x-api-key"))
		}
		http.Redirect(w, r, "/v2/messages", http.StatusTemporaryRedirect)
	})
	if got := fails(t, m, model.ErrBadRequest); !strings.Contains(got, "redirects to /v2/messages") {
		t.Error(got)
	}
}

func TestMalformedReplies(t *testing.T) {
	for _, c := range []struct {
		name    string
		handler http.HandlerFunc
		says    string
	}{
		{"page", wiretest.Respond(200, "text/html", "<!doctype html><title>Welcome</title>"+testKey), "text/html"},
		{"stream", wiretest.Respond(200, "text/event-stream", "event: ping\ndata: {}\n\n"), "it has no message_start"},
		{"nothing", wiretest.Respond(200, "application/json", ""), "empty reply"},
		{"null", wiretest.Respond(200, "application/json", "null"), "no content"},
		{"text", wiretest.Respond(200, "application/json", `"hello"`), "not a message"},
		{"another wire", wiretest.Respond(200, "application/json", `{"choices": []}`), "no content"},
		{"null content", wiretest.Respond(200, "application/json", `{"content": null}`), "no content"},
		{"content of a text", wiretest.Respond(200, "application/json", `{"content": "a"}`), "not a message"},
		{"block of a text", wiretest.Respond(200, "application/json", replyOf(`"a"`, "end_turn")), "block 0"},
		{"null block", wiretest.Respond(200, "application/json", replyOf(`null`, "end_turn")), "block 0"},
		{"text of a number", wiretest.Respond(200, "application/json", replyOf(`{"type": "text", "text": 3}`, "end_turn")), "block 0"},
		{"usage of a text", wiretest.Respond(200, "application/json", `{"usage": "much", "content": []}`), "not a message"},
		{"cut JSON", wiretest.Respond(200, "application/json", `{"content": [{"type": "text", "text": "a`), "not JSON"},
		{"many blocks", wiretest.Respond(200, "application/json", replyOf(strings.Repeat(`{"type": "x"},`, 10_000)+`{}`, "end_turn")), "10001 blocks"},
		{"deep", wiretest.Respond(200, "application/json", strings.Repeat("[", 1<<20)), "not JSON"},
		{"endless", func(w http.ResponseWriter, _ *http.Request) {
			for chunk := strings.Repeat(" ", 1<<20); ; {
				if _, err := io.WriteString(w, chunk); err != nil {
					return
				}
			}
		}, "longer than 16777216 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := fails(t, at(t, c.handler), model.ErrMalformed)
			if !strings.Contains(got, c.says) || !strings.Contains(got, "ANTHROPIC_BASE_URL (http://127.0.0.1:") {
				t.Errorf("%s\nlacks %q or the base URL", got, c.says)
			}
		})
	}
}

// A reply that is cut off may be requested again.
func TestCutReply(t *testing.T) {
	m := at(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		_, _ = io.WriteString(w, `{"content": [`)
	})
	_, err := m.Complete(t.Context(), question)
	checkError(t, err, model.ErrUnavailable)
	if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "cut off after 13 bytes") {
		t.Error(err)
	}
}

func TestUnreachable(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	got := fails(t, newModel(t, anthropic.Options{BaseURL: closed.URL}), model.ErrUnavailable)
	if !strings.Contains(got, "ask "+wiretest.HostOf(t, closed.URL)) || !strings.Contains(got, "and ANTHROPIC_BASE_URL") {
		t.Error(got)
	}
	if got := fails(t, at(t, wiretest.HangUp(t, -1)), model.ErrUnavailable); !strings.Contains(got, "closed without a reply") {
		t.Error(got)
	}
}

// A reply that arrives slowly would never end; the deadline of the whole call ends it.
func TestTimeout(t *testing.T) {
	drip := wiretest.Transport(func(r *http.Request) (*http.Response, error) {
		resp := wiretest.OK("")
		resp.Body = io.NopCloser(drips{r.Context()})
		return resp, nil
	})
	silent := wiretest.Transport(func(r *http.Request) (*http.Response, error) {
		<-r.Context().Done()
		return nil, r.Context().Err()
	})
	for name, peer := range map[string]wiretest.Transport{"drip": drip, "silent": silent} {
		_, err := newModel(t, anthropic.Options{Timeout: 20 * time.Millisecond, Transport: peer}).Complete(t.Context(), question)
		checkError(t, err, model.ErrTimeout)
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "20ms") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// drips is a body that gives one byte at a time until its context ends.
type drips struct{ ctx context.Context }

func (d drips) Read(p []byte) (int, error) {
	select {
	case <-d.ctx.Done():
		return 0, d.ctx.Err()
	case <-time.After(time.Millisecond):
		p[0] = ' '
		return 1, nil
	}
}
