package openai_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/openai"
	"github.com/seed-5817661a/concur/model/wire/wiretest"
)

func TestRejections(t *testing.T) {
	openAI := func(message, kind, code string) string {
		return fmt.Sprintf(`{"error": {"message": %q, "type": %q, "param": null, "code": %s}}`, message, kind, code)
	}
	for _, c := range []struct {
		name   string
		status int
		body   string
		kind   model.ErrorKind
		says   []string
	}{
		{"wrong key", 401, openAI("Incorrect API key provided: "+testKey, "invalid_request_error", `"invalid_api_key"`), model.ErrAuth, []string{"401 Unauthorized", "invalid_api_key", "Incorrect", "set OPENAI_API_KEY"}},
		{"key in a page", 401, "<html>" + strings.Repeat("x", 290) + testKey, model.ErrAuth, []string{"<html>"}},
		{"forbidden", 403, ``, model.ErrAuth, []string{"403 Forbidden", "set OPENAI_API_KEY"}},
		{"too fast", 429, openAI("Rate limit reached", "requests", `"rate_limit_exceeded"`), model.ErrRateLimited, []string{"Rate limit reached", "lower --concurrency"}},
		{"too fast at DashScope", 429, `{"code": "Throttling.RateQuota", "message": "Requests rate limit exceeded", "request_id": "1"}`, model.ErrRateLimited, []string{"Throttling.RateQuota"}},
		{"no money", 429, openAI("You exceeded your current quota", "insufficient_quota", `"insufficient_quota"`), model.ErrQuota, []string{"top up"}},
		{"no money by type", 429, openAI("x", "insufficient_quota", `null`), model.ErrQuota, nil},
		{"no money at DashScope", 429, `{"code": "Throttling.AllocationQuota", "message": "Free allocated quota exceeded."}`, model.ErrQuota, nil},
		{"free tier over", 403, openAI("The free tier is exhausted", "AllocationQuota.FreeTierOnly", `"AllocationQuota.FreeTierOnly"`), model.ErrQuota, nil},
		{"payment required", 402, openAI("Insufficient Balance", "unknown_error", `"invalid_request_error"`), model.ErrQuota, nil},
		{"too long", 400, openAI("x", "invalid_request_error", `"context_length_exceeded"`), model.ErrContextOverflow, []string{"shorten"}},
		{"too long for vLLM", 400, `{"object": "error", "message": "This model's maximum context length is 16384 tokens.", "type": "BadRequestError", "code": 400}`, model.ErrContextOverflow, nil},
		{"too long for newer vLLM", 400, openAI("You passed 1015 input tokens. However, the model's context length is only 1024 tokens", "BadRequestError", `400`), model.ErrContextOverflow, nil},
		{"too long for llama.cpp", 400, openAI("x", "exceed_context_size_error", `400`), model.ErrContextOverflow, nil},
		{"too long for DashScope", 400, openAI("<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]", "invalid_request_error", `"invalid_parameter_error"`), model.ErrContextOverflow, nil},
		{"too long for Google", 400, `[{"error": {"code": 400, "message": "The input token count (9) exceeds the maximum number of tokens allowed (8).", "status": "INVALID_ARGUMENT"}}]`, model.ErrContextOverflow, []string{"INVALID_ARGUMENT"}},
		{"words of length with status 500", 500, openAI("maximum context length", "x", `null`), model.ErrUnavailable, nil},
		{"filtered", 400, openAI("x", "invalid_request_error", `"content_filter"`), model.ErrContentFilter, nil},
		{"filtered by Azure", 400, `{"error": {"message": "x", "code": "bad", "innererror": {"code": "ResponsibleAIPolicyViolation"}}}`, model.ErrContentFilter, nil},
		{"filtered by DashScope", 400, `{"code": "DataInspectionFailed", "message": "Input data may contain inappropriate content."}`, model.ErrContentFilter, []string{"inappropriate"}},
		{"filtered by DashScope's other face", 400, openAI("x", "data_inspection_failed", `"data_inspection_failed"`), model.ErrContentFilter, nil},
		{"bad request", 400, openAI("Unsupported value: 'temperature'", "invalid_request_error", `"unsupported_value"`), model.ErrBadRequest, []string{"Unsupported value", "omit: [temperature]"}},
		{"detail", 422, `{"detail": [{"loc": ["body", "seed"]}]}`, model.ErrBadRequest, []string{"422", "loc"}},
		{"a text as error", 400, `{"error": "no tools here"}`, model.ErrBadRequest, []string{"no tools here"}},
		{"unknown model", 404, openAI("The model does not exist", "invalid_request_error", `"model_not_found"`), model.ErrBadRequest, []string{`"m"`, "OPENAI_BASE_URL (http://127.0.0.1:", "/v1)"}},
		{"the wrong method", 405, "", model.ErrBadRequest, []string{"OPENAI_BASE_URL (http://127.0.0.1:"}},
		{"a web page", 404, "<html>Not found</html>", model.ErrBadRequest, []string{"<html>", "correct OPENAI_BASE_URL (http://127.0.0.1:", "a web page answers there"}},
		{"a proxy", 407, "<html>log in</html>", model.ErrAuth, []string{"407 Proxy", "HTTPS_PROXY"}},
		{"unknown page", 404, "404 page not found", model.ErrBadRequest, []string{"404 page not found", `"m"`, "OPENAI_BASE_URL (http://127.0.0.1:"}},
		{"moved", 301, ``, model.ErrBadRequest, []string{"301", "redirects"}},
		{"request timeout", 408, ``, model.ErrTimeout, nil},
		{"broken", 500, openAI("The server had an error", "server_error", `null`), model.ErrUnavailable, []string{"500", "try again"}},
		{"bad gateway", 502, "<html>\n<h1>502</h1>", model.ErrUnavailable, []string{"502 Bad Gateway", "<html> <h1>"}},
		{"overloaded", 529, `{}`, model.ErrUnavailable, []string{"529"}},
		{"failure with status 200", 200, `{"error": {"message": "upstream is slow", "code": 429}}`, model.ErrRateLimited, []string{"status 200 OK (429): upstream is slow"}},
		{"failure with status 200 and no code", 200, `{"error": {"message": "oops"}, "choices": []}`, model.ErrUnavailable, []string{"oops"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := httptest.NewServer(wiretest.Respond(c.status, "application/json", c.body))
			defer server.Close()
			m := newModel(t, openai.Options{BaseURL: server.URL + "/v1", Transport: server.Client().Transport})
			text := fails(t, m, c.kind)
			for _, want := range append(c.says, "ask "+wiretest.HostOf(t, server.URL)+": status ") {
				if !strings.Contains(text, want) {
					t.Errorf("%s\nlacks %q", text, want)
				}
			}
			if strings.Contains(text, testKey[:12]) || strings.Contains(text, "\n") {
				t.Errorf("%q holds a part of the key, or a line break", text)
			}
		})
	}
}

// A date counts from now if the reply does not have the endpoint's own time.
func TestRetryAfter(t *testing.T) {
	for after, want := range map[string]time.Duration{"20": 20 * time.Second, "Fri, 31 Dec 9999 23:59:59 GMT": 365 * 24 * time.Hour} {
		for _, status := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
			m := at(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Date", "now")
				w.Header().Set("Retry-After", after)
				w.WriteHeader(status)
			})
			_, err := m.Complete(context.Background(), question)
			e, ok := errors.AsType[*model.Error](err)
			if !ok || e.RetryAfter != want || !strings.Contains(err.Error(), "retry after "+after) {
				t.Errorf("%d: %+v, want %v", status, err, want)
			}
		}
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	m := at(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/chat/completions" {
			t.Errorf("%s was asked, with Authorization %q", r.URL.Path, r.Header.Get("Authorization"))
		}
		http.Redirect(w, r, "/v2/chat/completions", http.StatusTemporaryRedirect)
	})
	if text := fails(t, m, model.ErrBadRequest); !strings.Contains(text, "redirects to /v2/chat/completions") {
		t.Error(text)
	}
}

func TestMalformedReplies(t *testing.T) {
	for _, c := range []struct {
		name    string
		handler http.HandlerFunc
		says    string
	}{
		{"page", wiretest.Respond(200, "text/html", "<!doctype html><title>Welcome</title>"+testKey), "text/html"},
		{"stream", wiretest.Respond(200, "text/event-stream", "data: {}\n\ndata: [DONE]"), "it has no choices"},
		{"nothing", wiretest.Respond(200, "application/json", ""), "empty reply"},
		{"no content", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }, "204 No Content: the empty reply"},
		{"null", wiretest.Respond(200, "application/json", "null"), "no choices"},
		{"text", wiretest.Respond(200, "application/json", `"hello"`), "not a chat completion"},
		{"no choices", wiretest.Respond(200, "application/json", `{"choices": []}`), "no choices"},
		{"no message", wiretest.Respond(200, "application/json", `{"choices": [{"finish_reason": "stop"}]}`), "without a message"},
		{"content of a number", wiretest.Respond(200, "application/json", choose(`{"content": 3}`, `"stop"`)), "read the reply"},
		{"cut JSON", wiretest.Respond(200, "application/json", `{"choices": [{"message": {"content": "a`), "not JSON"},
		{"long", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"choices": [`+strings.Repeat(" ", 16<<20))
		}, "longer than 16777216 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := fails(t, at(t, c.handler), model.ErrMalformed)
			if !strings.Contains(text, c.says) || !strings.Contains(text, "OPENAI_BASE_URL (http://127.0.0.1:") {
				t.Errorf("%s\nlacks %q or the base URL", text, c.says)
			}
		})
	}
}

func TestUnreachable(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	cut := at(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		_, _ = io.WriteString(w, `{"choices": [`)
	})
	for _, c := range []struct {
		name string
		m    *openai.Model
		says []string
	}{
		{"refused", newModel(t, openai.Options{BaseURL: closed.URL}), []string{"ask " + wiretest.HostOf(t, closed.URL), "and OPENAI_BASE_URL"}},
		{"hung up", at(t, wiretest.HangUp(t, -1)), []string{"closed without a reply"}},
		{"cut body", cut, []string{"cut off after 13 bytes"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := fails(t, c.m, model.ErrUnavailable)
			for _, want := range c.says {
				if !strings.Contains(text, want) {
					t.Errorf("%s\nlacks %q", text, want)
				}
			}
		})
	}
}

// If a proxy refuses to connect, this is not reported as the endpoint's refusal of the key.
func TestProxyThatWantsALogin(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect {
			t.Errorf("the proxy was asked to %s", r.Method)
		}
		w.WriteHeader(http.StatusProxyAuthRequired)
	}))
	defer proxy.Close()
	address, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	m := newModel(t, openai.Options{BaseURL: "https://api.invalid/v1", Transport: &http.Transport{Proxy: http.ProxyURL(address)}})
	if text := fails(t, m, model.ErrAuth); !strings.Contains(text, "407") || !strings.Contains(text, "HTTPS_PROXY") || strings.Contains(text, "OPENAI_API_KEY") {
		t.Error(text)
	}
}

func TestTimeout(t *testing.T) {
	m := newModel(t, openai.Options{Timeout: time.Millisecond, Transport: wiretest.Transport(func(r *http.Request) (*http.Response, error) {
		<-r.Context().Done()
		return nil, r.Context().Err()
	})})
	_, err := m.Complete(context.Background(), question)
	checkError(t, err, model.ErrTimeout)
	if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "1ms") {
		t.Error(err)
	}
}

func TestRequestsThatCannotBeSent(t *testing.T) {
	m := newModel(t, openai.Options{Transport: wiretest.Transport(func(*http.Request) (*http.Response, error) {
		t.Error("a request was sent")
		return wiretest.OK(""), nil
	})})
	for _, c := range []struct {
		req  model.Request
		says string
	}{
		{model.Request{Tools: []model.ToolSpec{{Name: "calc", Parameters: model.RawSchema(`{`)}}}, `"calc"`},
		{model.Request{Schema: &model.ResponseSchema{Name: "verdict"}}, `"verdict"`},
		{model.Request{Temperature: math.NaN()}, "temperature"},
	} {
		_, err := m.Complete(context.Background(), c.req)
		checkError(t, err, model.ErrBadRequest)
		if !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v lacks %s", err, c.says)
		}
	}
}

func FuzzReply(f *testing.F) {
	f.Add(200, choose(`{"content": [{"type": "text", "text": "a"}], "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": {}}}]}`, `"stop"`))
	f.Add(200, `{"error": {"code": "429", "message": ["a"]}}`)
	f.Add(400, `[{"error": {"innererror": {"code": 3}}}]`)
	f.Add(500, "<html>\x00"+testKey)
	f.Fuzz(func(t *testing.T, status int, body string) {
		m := newModel(t, openai.Options{Transport: wiretest.Transport(func(*http.Request) (*http.Response, error) {
			resp := wiretest.OK(body)
			resp.StatusCode = status
			return resp, nil
		})})
		r, err := m.Complete(context.Background(), question)
		if err != nil {
			checkError(t, err, model.KindOf(err))
		} else if r.Message.Role != model.Assistant || r.Model == "" {
			t.Errorf("%+v", r)
		}
	})
}
