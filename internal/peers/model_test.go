//go:build peers

package peers

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/anthropic"
	"github.com/seed-5817661a/concur/model/openai"
	"github.com/seed-5817661a/concur/model/responses"
)

func openAI(t *testing.T, url string) model.Model {
	t.Helper()
	m, err := openai.New(openai.Options{BaseURL: url + "/v1", APIKey: mockKey, Model: "gpt-4o-mini", Timeout: clientTime})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func responsesModel(t *testing.T, url string) model.Model {
	t.Helper()
	m, err := responses.New(responses.Options{BaseURL: url + "/v1", APIKey: mockKey, Model: "gpt-4o-mini", Timeout: clientTime})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func anthropicModel(t *testing.T, url string) model.Model {
	t.Helper()
	m, err := anthropic.New(anthropic.Options{BaseURL: url, APIKey: mockKey, Model: "claude-haiku-4-5", Timeout: clientTime})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// ask asks in one piece.
func ask(t *testing.T, m model.Model, req model.Request) (model.Response, error) {
	return m.Complete(t.Context(), req)
}

// listen asks and listens; what it hears must be what it gets.
func listen(t *testing.T, m model.Model, req model.Request) (model.Response, error) {
	var heard strings.Builder
	pieces := 0
	resp, err := model.Stream(t.Context(), m, req, func(s string) { pieces++; heard.WriteString(s) })
	if err == nil && (heard.String() != resp.Message.Content || pieces < 2 && len(heard.String()) > 10) {
		t.Errorf("heard %q in %d pieces, got %q", heard.String(), pieces, resp.Message.Content)
	}
	return resp, err
}

type question func(*testing.T, model.Model, model.Request) (model.Response, error)

// testModel holds a provider against the mock, in one piece and streaming.
func testModel(t *testing.T, m model.Model) {
	testAsking(t, m, ask)
	t.Run("streaming", func(t *testing.T) {
		if _, ok := m.(model.Streamer); !ok {
			t.Fatalf("%v does not stream", m)
		}
		testAsking(t, m, listen)
		t.Run("half a stream", func(t *testing.T) {
			_, err := listen(t, m, request("say nothing but: half a stream"))
			if err == nil || model.KindOf(err) != model.ErrUnavailable {
				t.Errorf("error %v, want kind %s", err, model.ErrUnavailable)
			}
		})
	})
}

func testAsking(t *testing.T, m model.Model, ask question) {
	t.Run("tool round trip", func(t *testing.T) { testRoundTrip(t, m, ask) })
	t.Run("calls at once", func(t *testing.T) { testTwoCalls(t, m, ask) })
	for _, c := range []struct {
		query string
		kind  model.ErrorKind
		wait  time.Duration
	}{
		{"too many", model.ErrRateLimited, 7 * time.Second},
		{"no key", model.ErrAuth, 0},
		{"overload", model.ErrUnavailable, 0},
		{"garbage", model.ErrMalformed, 0},
		{"broken off", model.ErrUnavailable, 0},
	} {
		t.Run(c.query, func(t *testing.T) {
			_, err := ask(t, m, request("say nothing but: "+c.query))
			if err == nil {
				t.Fatal("no error")
			}
			if kind := model.KindOf(err); kind != c.kind {
				t.Errorf("kind %s, want %s: %v", kind, c.kind, err)
			}
			if wait := retryAfter(err); c.wait > 0 && wait != c.wait {
				t.Errorf("retry after %v, want %v", wait, c.wait)
			}
			if strings.Contains(err.Error(), mockKey) {
				t.Error("the error holds the key")
			}
		})
	}
}

func testRoundTrip(t *testing.T, m model.Model, ask question) {
	req := request("What is 1234 times 5678?")
	first, err := ask(t, m, req)
	if err != nil {
		t.Fatal(err)
	}
	want := model.ToolCall{ID: "call_product", Name: "calc", Arguments: `{"expression":"1234 * 5678"}`}
	if calls := first.Message.ToolCalls; first.Finish != model.FinishToolCalls || len(calls) != 1 || calls[0] != want || first.Message.Content != "I need the product." {
		t.Fatalf("first turn %+v", first)
	}
	if u := first.Usage; u.InputTokens != 101 || u.OutputTokens != 11 {
		t.Errorf("usage %+v", u)
	}
	req.Messages = append(req.Messages, first.Message, result("call_product", "7006652"))
	last, err := ask(t, m, req)
	if err != nil {
		t.Fatal(err)
	}
	if last.Finish != model.FinishStop || len(last.Message.ToolCalls) != 0 || !strings.HasSuffix(last.Message.Content, "\n\nAnswer: 7006652") {
		t.Errorf("last turn %+v", last)
	}
	if u := last.Usage; u.InputTokens != 103 || u.OutputTokens != 13 {
		t.Errorf("usage %+v", u)
	}
}

func testTwoCalls(t *testing.T, m model.Model, ask question) {
	req := request("What is the larger of 17 * 23 and 19 * 21?")
	first, err := ask(t, m, req)
	if err != nil {
		t.Fatal(err)
	}
	calls := first.Message.ToolCalls
	if len(calls) != 2 || calls[0].ID != "call_left" || calls[1].ID != "call_right" {
		t.Fatalf("first turn %+v", first)
	}
	req.Messages = append(req.Messages, first.Message, result("call_left", "391"), result("call_right", "399"))
	last, err := ask(t, m, req)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(last.Message.Content, "\n\nAnswer: 399") {
		t.Errorf("last turn %+v", last)
	}
}

func request(question string) model.Request {
	return model.Request{
		Messages: []model.Message{{Role: model.System, Content: "Answer the question."}, {Role: model.User, Content: question}},
		Tools: []model.ToolSpec{{
			Name: "calc", Description: "Computes an expression.",
			Parameters: model.RawSchema(`{"type":"object","properties":{"expression":{"type":"string"}},"required":["expression"]}`),
		}},
		Seed: 7,
	}
}

func result(call, value string) model.Message {
	return model.Message{Role: model.ToolRole, ToolCallID: call, Content: `{"value":"` + value + `"}`}
}

func retryAfter(err error) time.Duration {
	if e, ok := errors.AsType[*model.Error](err); ok {
		return e.RetryAfter
	}
	return 0
}
