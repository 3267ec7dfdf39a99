package openai_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/openai"
	"github.com/seed-5817661a/concur/runner/serve"
)

var text = rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", " ", "<b>&amp;</b>", "\u2028 \x00 é 𝄞", `{"broken": `}))

var calls = rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) model.ToolCall {
	return model.ToolCall{
		ID:        rapid.StringMatching(`call_[a-z0-9]{1,8}`).Draw(t, "id"),
		Name:      rapid.StringMatching(`[a-z_]{1,12}`).Draw(t, "name"),
		Arguments: rapid.OneOf(text, rapid.SampledFrom([]string{`{"a": 1.50}`, "null", "[]", `"x"`})).Draw(t, "arguments"),
	}
}), 0, 3, func(c model.ToolCall) string { return c.ID })

// conversation draws conversations in which every call has exactly one tool message, as the API requires.
var conversation = rapid.Custom(func(t *rapid.T) []model.Message {
	var out []model.Message
	for range rapid.IntRange(1, 4).Draw(t, "turns") {
		m := model.Message{
			Role:    rapid.SampledFrom([]model.Role{model.System, model.User, model.Assistant}).Draw(t, "role"),
			Content: text.Draw(t, "content"), Name: rapid.SampledFrom([]string{"", "eve"}).Draw(t, "author"),
		}
		if m.Role == model.Assistant {
			m.ToolCalls = calls.Draw(t, "calls")
		}
		out = append(out, m)
		for _, c := range rapid.Permutation(m.ToolCalls).Draw(t, "order of answers") {
			out = append(out, model.Message{Role: model.ToolRole, ToolCallID: c.ID, Content: text.Draw(t, "output")})
		}
	}
	return out
})

var schema = rapid.Map(rapid.MapOf(rapid.String(), rapid.Float64()), func(members map[string]float64) model.RawSchema {
	raw, err := json.Marshal(map[string]any{"type": "object", "x-members": members})
	if err != nil {
		panic(err)
	}
	return raw
})

var request = rapid.Custom(func(t *rapid.T) model.Request {
	req := model.Request{
		Messages:    conversation.Draw(t, "messages"),
		Temperature: rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(0, 2)).Draw(t, "temperature"),
		Seed:        rapid.Int64Range(0, 1<<31-1).Draw(t, "seed"),
		Stop:        rapid.SliceOfN(text, 0, 4).Draw(t, "stop"),
		Tools: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) model.ToolSpec {
			return model.ToolSpec{
				Name:        rapid.StringMatching(`[a-z_]{1,12}`).Draw(t, "tool"),
				Description: text.Draw(t, "description"), Parameters: schema.Draw(t, "parameters"), Strict: rapid.Bool().Draw(t, "strict"),
			}
		}), 0, 3).Draw(t, "tools"),
	}
	req.NoTemperature, req.NoSeed = rapid.Bool().Draw(t, "no temperature"), rapid.Bool().Draw(t, "no seed")
	if rapid.Bool().Draw(t, "top_p") {
		req.Extra = map[string]json.RawMessage{"top_p": json.RawMessage("0.90")}
	}
	if rapid.Bool().Draw(t, "structured") {
		req.Schema = &model.ResponseSchema{Name: rapid.StringMatching(`[a-z_]{1,12}`).Draw(t, "schema name"), Schema: schema.Draw(t, "schema"), Lax: rapid.Bool().Draw(t, "lax")}
	}
	return req
})

var response = rapid.Custom(func(t *rapid.T) model.Response {
	tokens := rapid.IntRange(0, 1<<30)
	return model.Response{
		Message: model.Message{Role: model.Assistant, Content: text.Draw(t, "reply"), ToolCalls: calls.Draw(t, "reply calls")},
		Finish: rapid.SampledFrom([]model.FinishReason{
			model.FinishStop, model.FinishToolCalls, model.FinishLength, model.FinishContentFilter, "made_up",
		}).Draw(t, "finish"),
		Usage: model.Usage{InputTokens: tokens.Draw(t, "in"), OutputTokens: tokens.Draw(t, "out"), CachedTokens: tokens.Draw(t, "cached")},
		Model: rapid.StringMatching(`[a-z0-9-]{1,12}`).Draw(t, "model"),
	}
})

// sameJSON compares schemas by their content, because the same JSON can be written in several ways.
var sameJSON = cmp.FilterValues(func(a, b model.RawSchema) bool { return len(a)+len(b) > 0 }, cmp.Transformer("JSON", func(raw model.RawSchema) string {
	var v any
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		return "not JSON: " + string(raw)
	}
	return fmt.Sprintf("%#v", v)
}))

// sent returns the request that should arrive.
func sent(req model.Request) model.Request {
	req.Identity = model.Identity{}
	if req.NoTemperature {
		req.Temperature = 1 // the API's default
	}
	if req.NoSeed {
		req.Seed = 0
	}
	messages := make([]model.Message, len(req.Messages))
	for i, m := range req.Messages {
		empty := m.Role == model.Assistant && len(m.ToolCalls) == 0 // some endpoints refuse empty content
		if (m.Role == model.ToolRole || empty) && m.Content == "" {
			m.Content = "(no output)"
		}
		messages[i] = m
	}
	req.Messages = messages
	return req
}

func TestRoundTrip(t *testing.T) {
	for _, name := range []string{"gpt-4o-mini", "gpt-5.1", "davinci-002", "org/Model:8b"} {
		t.Run(name, func(t *testing.T) {
			var got model.Request
			var reply model.Response
			server := httptest.NewServer(serve.Handler(fake(func(_ context.Context, req model.Request) (model.Response, error) {
				got = req
				return reply, nil
			}), name))
			defer server.Close()
			m := newModel(t, openai.Options{BaseURL: server.URL + "/v1/", Model: name, Transport: server.Client().Transport})
			rapid.Check(t, func(t *rapid.T) {
				req := request.Draw(t, "request")
				req.Identity = model.Identity{Agent: "a", Query: "q", Trace: 1, Step: 2, Purpose: model.Agent}
				reply = response.Draw(t, "response")
				answer, err := m.Complete(context.Background(), req)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(sent(req), got, cmpopts.EquateEmpty(), sameJSON); diff != "" {
					t.Errorf("request: %s", diff)
				}
				if diff := cmp.Diff(reply, answer, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("response: %s", diff)
				}
			})
		})
	}
}

// Every kind of error that tells the caller what to do is the same on the client's side. A failure between
// the server and its own model is an unavailable server for the client.
func TestErrorsRoundTrip(t *testing.T) {
	for _, c := range []struct{ served, want model.ErrorKind }{
		{model.ErrAuth, model.ErrAuth},
		{model.ErrQuota, model.ErrQuota},
		{model.ErrRateLimited, model.ErrRateLimited},
		{model.ErrBadRequest, model.ErrBadRequest},
		{model.ErrContextOverflow, model.ErrContextOverflow},
		{model.ErrContentFilter, model.ErrContentFilter},
		{model.ErrUnavailable, model.ErrUnavailable},
		{model.ErrTimeout, model.ErrTimeout},
		{model.ErrMalformed, model.ErrUnavailable},
		{model.ErrCancelled, model.ErrUnavailable},
	} {
		t.Run(string(c.served), func(t *testing.T) {
			m := at(t, serve.Handler(fake(func(context.Context, model.Request) (model.Response, error) {
				return model.Response{}, &model.Error{Kind: c.served, Model: "test:m", Err: errors.New("why")}
			}), "m").ServeHTTP)
			if got := fails(t, m, c.want); !strings.Contains(got, "why") {
				t.Errorf("%s does not say why", got)
			}
		})
	}
}

func TestConcurrentCallsKeepApart(t *testing.T) {
	m := at(t, serve.Handler(fake(func(_ context.Context, req model.Request) (model.Response, error) {
		return model.Response{Message: model.Message{Content: fmt.Sprintln(req.Messages[0].Content, req.Temperature, req.Seed)}}, nil
	}), "m").ServeHTTP)
	var all sync.WaitGroup
	for i := range 32 {
		all.Go(func() {
			r, err := m.Complete(context.Background(), model.Request{
				Messages: []model.Message{{Role: model.User, Content: fmt.Sprint("q", i)}}, Temperature: float64(i) / 32, Seed: int64(i),
			})
			if want := fmt.Sprintln(fmt.Sprint("q", i), float64(i)/32, i); err != nil || r.Message.Content != want {
				t.Errorf("got %q, %v; want %q", r.Message.Content, err, want)
			}
		})
	}
	all.Wait()
}
