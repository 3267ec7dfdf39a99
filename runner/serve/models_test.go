package serve_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/serve"
)

func TestModels(t *testing.T) {
	now := func() time.Time { return time.Unix(1700000000, 0) }
	object := func(name string) map[string]any {
		return map[string]any{
			"id": name, "object": "model", "created": 1.7e9, "owned_by": "concur",
			"type": "model", "display_name": name, "created_at": "2023-11-14T22:13:20Z",
		}
	}
	one := &serve.Server{Model: fake(parrot), Name: "org/m:8b", Now: now}
	many := &serve.Server{Now: now, Resolve: func(_ *http.Request, _, name string) (model.Model, error) {
		if name == "huge" {
			return nil, serve.Refuse(http.StatusNotFound, "there is no huge model")
		}
		return fake(parrot), nil
	}}
	for _, c := range []struct {
		name   string
		server *serve.Server
		method string
		path   string
		status int
		want   map[string]any // nil for an error
	}{
		{"list", one, http.MethodGet, "/v1/models", 200, map[string]any{"object": "list", "data": []any{object("org/m:8b")}, "has_more": false, "first_id": "org/m:8b", "last_id": "org/m:8b"}},
		{"empty list", many, http.MethodGet, "/v1/models", 200, map[string]any{"object": "list", "data": []any{}, "has_more": false, "first_id": nil, "last_id": nil}},
		{"one", one, http.MethodGet, "/v1/models/org/m:8b", 200, object("org/m:8b")},
		{"one, escaped", one, http.MethodGet, "/v1/models/" + url.PathEscape("org/m:8b"), 200, object("org/m:8b")},
		{"another", one, http.MethodGet, "/v1/models/m", 404, nil},
		{"resolved", many, http.MethodGet, "/v1/models/small", 200, object("small")},
		{"not resolved", many, http.MethodGet, "/v1/models/huge", 404, nil},
		{"no name", many, http.MethodGet, "/v1/models/", 404, nil},
		{"deleted", many, http.MethodDelete, "/v1/models/small", 405, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := send(c.server, c.method, c.path, "")
			if w.Code != c.status {
				t.Fatalf("status %d: %s", w.Code, w.Body)
			}
			if c.want == nil {
				readError(t, w)
				return
			}
			var got map[string]any
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	w := send(one, http.MethodGet, "/v1/models/m", "", "Anthropic-Version", "2023-06-01")
	if kind, text := problem(t, w.Body.String()); w.Code != http.StatusNotFound || kind != "not_found_error" || !strings.Contains(text, "org/m:8b") {
		t.Errorf("to Anthropic's clients: %d %s", w.Code, w.Body)
	}
	w = send(one, http.MethodPost, "/v1/audio/speech", "{}")
	for _, path := range []string{chatPath, responsesPath, messagesPath, "/v1/models", "/v1/models/{id}", "/healthz"} {
		if !strings.Contains(w.Body.String(), path) {
			t.Errorf("an unknown path's error lacks %s: %s", path, w.Body)
		}
	}
}

// TestTryAgain checks what clients learn about retries.
func TestTryAgain(t *testing.T) {
	for _, c := range []struct {
		err              *model.Error
		status, messages int
		after, again     string
	}{
		{&model.Error{Kind: model.ErrRateLimited, RetryAfter: 1500 * time.Millisecond}, 429, 429, "2", ""},
		{&model.Error{Kind: model.ErrRateLimited}, 429, 429, "", ""},
		{&model.Error{Kind: model.ErrUnavailable, RetryAfter: time.Minute}, 503, 529, "60", ""},
		{&model.Error{Kind: model.ErrQuota}, 429, 402, "", "false"},
		{&model.Error{Kind: model.ErrBudget}, 429, 402, "", "false"},
	} {
		s := &serve.Server{Resolve: func(_ *http.Request, _, name string) (model.Model, error) {
			if name == "" {
				return nil, nil
			}
			return nil, c.err
		}}
		for path, status := range map[string]int{chatPath: c.status, responsesPath: c.status, messagesPath: c.messages} {
			w := send(s, http.MethodPost, path, `{"model": "m", "max_tokens": 9, "input": "q", "messages": [{"role": "user", "content": "q"}]}`)
			if h := w.Header(); w.Code != status || h.Get("Retry-After") != c.after || h.Get("X-Should-Retry") != c.again {
				t.Errorf("%s of %s: status %d, %v", path, c.err.Kind, w.Code, h)
			}
		}
	}
}
