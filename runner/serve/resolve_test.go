package serve_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/serve"
)

// named returns a model that replies with a text.
func named(text string) model.Model {
	return fake(func(context.Context, model.Request) (model.Response, error) {
		return model.Response{Message: model.Message{Role: model.Assistant, Content: text}}, nil
	})
}

func TestResolve(t *testing.T) {
	var seen []string
	s := &serve.Server{Name: "big", Key: "not asked for", Resolve: func(_ *http.Request, key, name string) (model.Model, error) {
		seen = append(seen, key+"/"+name)
		switch {
		case key != "a" && key != "b":
			return nil, serve.Refuse(http.StatusUnauthorized, "no trace has this key")
		case name == "spent":
			return nil, &model.Error{Kind: model.ErrQuota, Model: "m", Err: errors.New("nothing is left")}
		case name == "broken":
			return nil, serve.Refuse(http.StatusInternalServerError, "the trace is lost")
		case name != "" && name != "big" && name != "small":
			return nil, serve.Refuse(http.StatusNotFound, fmt.Sprintf("no %q; name big or small", name))
		}
		return named(key + " " + name), nil
	}}
	for _, c := range []struct {
		name, bearer, own, model string
		status, messages         int // for chat completions and for Messages
		code, kind               string
		text                     string
		seen                     string
	}{
		{"bearer", "a", "", "small", 200, 200, "", "", "a small", "a/ a/small"},
		{"own header", "", "b", "big", 200, 200, "", "", "b big", "b/ b/big"},
		{"the second key is known", "a", "of Anthropic", "big", 200, 200, "", "", "a big", "of Anthropic/ a/ a/big"},
		{"unknown key", "c", "", "big", 401, 401, "invalid_api_key", "authentication_error", "no trace has this key", "c/"},
		{"no key", "", "", "big", 401, 401, "invalid_api_key", "authentication_error", "no trace has this key", "/"},
		{"two unknown keys", "c", "d", "big", 401, 401, "invalid_api_key", "authentication_error", "no trace has this key", "d/ c/"},
		{"unknown model", "a", "", "huge", 404, 404, "model_not_found", "not_found_error", `no \"huge\"; name big or small`, "a/ a/huge"},
		{"model's error", "a", "", "spent", 429, 402, "insufficient_quota", "billing_error", "nothing is left", "a/ a/spent"},
		{"server's failure", "a", "", "broken", 500, 500, "unavailable", "api_error", "the trace is lost", "a/ a/broken"},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := fmt.Sprintf(`{"model": %q, "max_tokens": 9, "messages": [{"role": "user", "content": "q"}]}`, c.model)
			header := []string{"X-Api-Key", c.own}
			if c.bearer != "" {
				header = append(header, "Authorization", "Bearer "+c.bearer)
			}
			for _, api := range []struct {
				path   string
				status int
				word   string
			}{{chatPath, c.status, c.code}, {messagesPath, c.messages, c.kind}} {
				seen = nil
				w := send(s, http.MethodPost, api.path, body, header...)
				if got := w.Body.String(); w.Code != api.status || !strings.Contains(got, c.text) || !strings.Contains(got, api.word) {
					t.Errorf("%s: status %d, %s", api.path, w.Code, got)
				}
				if got := strings.Join(seen, " "); got != c.seen {
					t.Errorf("%s: resolved %q, want %q", api.path, got, c.seen)
				}
			}
		})
	}
}

// TestResolveBeforeTheBody sends unreadable bodies. An unknown key must be refused first.
func TestResolveBeforeTheBody(t *testing.T) {
	s := &serve.Server{Name: "big", Resolve: func(_ *http.Request, key, _ string) (model.Model, error) {
		if key != "a" {
			return nil, serve.Refuse(http.StatusUnauthorized, "no trace has this key")
		}
		return fake(parrot), nil
	}}
	for _, c := range []struct {
		method, path, key string
		status            int
	}{
		{http.MethodPost, chatPath, "c", 401},
		{http.MethodPost, chatPath, "a", 400},
		{http.MethodGet, "/v1/models", "c", 401},
		{http.MethodGet, "/v1/models", "a", 200},
		{http.MethodGet, "/v1/other", "c", 401},
		{http.MethodGet, "/v1/other", "a", 404},
		{http.MethodGet, "/healthz", "c", 200},
	} {
		w := send(s, c.method, c.path, "not JSON", "Authorization", "Bearer "+c.key)
		if w.Code != c.status || (w.Code == http.StatusUnauthorized) != (w.Header().Get("WWW-Authenticate") == "Bearer") {
			t.Errorf("%s %s with %q: status %d, %s", c.method, c.path, c.key, w.Code, w.Body)
		}
	}
}
