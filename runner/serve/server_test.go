package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/serve"
)

const chatPath = "/v1/chat/completions"

// send sends a request to a handler without a network.
func send(h http.Handler, method, path, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// wireError is OpenAI's error form.
type wireError struct {
	Error *struct {
		Message string  `json:"message"`
		Type    string  `json:"type"`
		Param   *string `json:"param"`
		Code    string  `json:"code"`
	} `json:"error"`
}

func readError(t *testing.T, w *httptest.ResponseRecorder) wireError {
	t.Helper()
	var e wireError
	dec := json.NewDecoder(w.Body)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&e); err != nil || e.Error == nil || e.Error.Message == "" || e.Error.Type == "" || e.Error.Code == "" {
		t.Fatalf("status %d with %+v (%v), not an error in OpenAI's form", w.Code, e, err)
	}
	return e
}

func TestResponse(t *testing.T) {
	s := &serve.Server{
		Name: "m",
		Now:  func() time.Time { return time.Unix(1700000000, 0) },
		Model: fake(func(context.Context, model.Request) (model.Response, error) {
			return model.Response{
				Message: model.Message{ToolCalls: []model.ToolCall{{ID: "c1", Name: "calc", Arguments: "{"}}},
				Finish:  "made_up", Usage: model.Usage{InputTokens: 5, OutputTokens: 3, CachedTokens: 2, CacheWriteTokens: 1},
			}, nil
		}),
	}
	w := send(s, http.MethodPost, chatPath, `{"model": "m", "messages": [{"role": "user", "content": "q"}]}`)
	var got map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if id, _ := got["id"].(string); !strings.HasPrefix(id, "chatcmpl-") {
		t.Errorf("id %q", id)
	}
	delete(got, "id")
	want := map[string]any{
		"object": "chat.completion", "created": 1.7e9, "model": "m",
		"choices": []any{map[string]any{
			"index": 0.0, "logprobs": nil, "finish_reason": "made_up",
			"message": map[string]any{"role": "assistant", "content": nil, "refusal": nil, "tool_calls": []any{
				map[string]any{"id": "c1", "type": "function", "function": map[string]any{"name": "calc", "arguments": "{"}},
			}},
		}},
		"usage": map[string]any{
			"prompt_tokens": 5.0, "completion_tokens": 3.0, "total_tokens": 8.0,
			"completion_tokens_details": map[string]any{"reasoning_tokens": 0.0}, "prompt_tokens_details": map[string]any{"cached_tokens": 2.0, "cache_write_tokens": 1.0},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestRoutes(t *testing.T) {
	s := &serve.Server{Model: fake(parrot), Name: "m", Key: "k-123"}
	const body = `{"model": "m", "messages": [{"role": "user", "content": "q"}]}`
	for _, c := range []struct {
		method, path, authorization string
		status                      int
		allow                       string
	}{
		{http.MethodGet, "/healthz", "", 200, ""},
		{http.MethodPost, "/healthz", "", 405, "GET"},
		{http.MethodGet, "/v1/models", "Bearer k-123", 200, ""},
		{http.MethodGet, "/v1/models", "bearer k-123", 200, ""},
		{http.MethodGet, "/v1/models", "", 401, ""},
		{http.MethodDelete, "/v1/models", "Bearer k-123", 405, "GET"},
		{http.MethodPost, chatPath, "Bearer k-123", 200, ""},
		{http.MethodPost, chatPath, "Bearer k-12", 401, ""},
		{http.MethodPost, chatPath, "Basic k-123", 401, ""},
		{http.MethodPost, chatPath, "k-123", 401, ""},
		{http.MethodPost, chatPath, "", 401, ""},
		{http.MethodGet, chatPath, "Bearer k-123", 405, "POST"},
		{http.MethodGet, "/v1/chat", "Bearer k-123", 404, ""},
		{http.MethodGet, "/", "Bearer k-123", 404, ""},
		{http.MethodGet, "/v1/chat", "", 401, ""},
	} {
		w := send(s, c.method, c.path, body, "Authorization", c.authorization)
		if w.Code != c.status || w.Header().Get("Allow") != c.allow {
			t.Errorf("%s %s with %q: status %d, Allow %q; want %d, %q", c.method, c.path, c.authorization, w.Code, w.Header().Get("Allow"), c.status, c.allow)
		}
		if got := w.Header().Get("Content-Type"); got != "application/json" {
			t.Errorf("%s %s: Content-Type %q", c.method, c.path, got)
		}
		if id := w.Header().Get("X-Request-Id"); !strings.HasPrefix(id, "req_") {
			t.Errorf("%s %s: X-Request-Id %q", c.method, c.path, id)
		}
		if strings.Contains(w.Body.String(), "k-123") {
			t.Errorf("%s %s: the reply holds the key", c.method, c.path)
		}
		if w.Code != http.StatusOK {
			readError(t, w)
		}
	}
	models := send(s, http.MethodGet, "/v1/models", "", "Authorization", "Bearer k-123")
	if !strings.Contains(models.Body.String(), `"id":"m"`) {
		t.Errorf("models: %s", models.Body)
	}
}

func TestModelErrors(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		code   string
	}{
		{&model.Error{Kind: model.ErrAuth}, 401, "invalid_api_key"},
		{&model.Error{Kind: model.ErrQuota}, 429, "insufficient_quota"},
		{&model.Error{Kind: model.ErrRateLimited}, 429, "rate_limit_exceeded"},
		{&model.Error{Kind: model.ErrBadRequest}, 400, "invalid_request"},
		{fmt.Errorf("wrapped: %w", &model.Error{Kind: model.ErrContextOverflow}), 400, "context_length_exceeded"},
		{&model.Error{Kind: model.ErrContentFilter}, 400, "content_filter"},
		{&model.Error{Kind: model.ErrUnavailable}, 503, "unavailable"},
		{&model.Error{Kind: model.ErrTimeout}, 504, "timeout"},
		{&model.Error{Kind: model.ErrMalformed}, 502, "malformed_reply"},
		{&model.Error{Kind: model.ErrCancelled}, 503, "cancelled"},
		{context.DeadlineExceeded, 504, "timeout"},
		{errors.New("anything"), 503, "unavailable"},
	} {
		h := serve.Handler(fake(func(context.Context, model.Request) (model.Response, error) {
			return model.Response{}, c.err
		}), "m")
		w := send(h, http.MethodPost, chatPath, `{"model": "m", "messages": [{"role": "user", "content": "q"}]}`)
		streamed := send(h, http.MethodPost, chatPath, `{"model": "m", "stream": true, "messages": [{"role": "user", "content": "q"}]}`)
		if streamed.Code != w.Code || streamed.Body.String() != w.Body.String() {
			t.Errorf("%v, streamed: status %d, %s", c.err, streamed.Code, streamed.Body)
		}
		if e := readError(t, w); w.Code != c.status || e.Error.Code != c.code || e.Error.Message != c.err.Error() {
			t.Errorf("%v: status %d, %+v; want %d, %s", c.err, w.Code, e.Error, c.status, c.code)
		}
	}
}

func TestPanicIsAnswered(t *testing.T) {
	var log bytes.Buffer
	server := httptest.NewServer(&serve.Server{
		Name: "m", Log: slog.New(slog.NewTextHandler(&log, nil)),
		Model: fake(func(ctx context.Context, req model.Request) (model.Response, error) {
			if req.Messages[0].Content == "boom" {
				panic("out of cheese")
			}
			return parrot(ctx, req)
		}),
	})
	for _, c := range []struct {
		content string
		status  int
	}{{"boom", 500}, {"calm", 200}} {
		resp, err := http.Post(server.URL+chatPath, "application/json", strings.NewReader(`{"model": "m", "messages": [{"role": "user", "content": "`+c.content+`"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != c.status || strings.Contains(string(body), "cheese") {
			t.Errorf("%s: status %d, %s, %v", c.content, resp.StatusCode, body, err)
		}
	}
	server.Close()
	if !strings.Contains(log.String(), "out of cheese") || !strings.Contains(log.String(), "TestPanicIsAnswered") {
		t.Errorf("the log lacks cause or stack: %s", log.String())
	}
}

func TestClientThatLeavesCancelsTheModel(t *testing.T) {
	started, ended := make(chan struct{}), make(chan error, 1)
	server := httptest.NewServer(serve.Handler(fake(func(ctx context.Context, _ model.Request) (model.Response, error) {
		close(started)
		<-ctx.Done()
		ended <- ctx.Err()
		return model.Response{}, ctx.Err()
	}), "m"))
	defer server.Close()
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-started
		cancel()
	}()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+chatPath, strings.NewReader(`{"model": "m", "messages": [{"role": "user", "content": "q"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if resp, err := http.DefaultClient.Do(req); err == nil {
		resp.Body.Close()
		t.Error("a cancelled request was answered")
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the model's context ended with %v", err)
	}
}

func TestConcurrentRequestsKeepApart(t *testing.T) {
	server := httptest.NewServer(serve.Handler(fake(parrot), "m"))
	defer server.Close()
	var all sync.WaitGroup
	for i := range 32 {
		all.Go(func() {
			want := fmt.Sprintf("text %d", i)
			resp, err := http.Post(server.URL+chatPath, "application/json", strings.NewReader(`{"model": "m", "messages": [{"role": "user", "content": "`+want+`"}]}`))
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			if body, err := io.ReadAll(resp.Body); err != nil || !strings.Contains(string(body), `"content":"`+want+`"`) {
				t.Errorf("%s: %s, %v", want, body, err)
			}
		})
	}
	all.Wait()
}
