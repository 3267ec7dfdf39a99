package anthropic_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/anthropic"
	"github.com/seed-5817661a/concur/runner/offline"
	"github.com/seed-5817661a/concur/runner/serve"
)

var words = rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", " ", "<b>&amp;</b>", "\u2028 \x00 é 𝄞", `{"broken": `, "ERROR: timeout(calc)"}))

var arguments = rapid.OneOf(rapid.Map(rapid.MapOf(rapid.String(), rapid.Float64Range(-9, 9)), func(members map[string]float64) string {
	raw, err := json.Marshal(members)
	if err != nil {
		panic(err)
	}
	return string(raw)
}), rapid.SampledFrom([]string{`{}`, `{"a":1.50,"t":"<é>"}`}))

// dialogue draws a conversation in which every call has a result before the next message.
var dialogue = rapid.Custom(func(t *rapid.T) []model.Message {
	out := []model.Message{{Role: model.System, Content: words.Draw(t, "system")}, {Role: model.User, Content: "q" + words.Draw(t, "question")}}
	made := 0
	for range rapid.IntRange(0, 5).Draw(t, "turns") {
		m := model.Message{Role: model.Assistant, Content: words.Draw(t, "content")}
		var results []model.Message
		for range rapid.IntRange(0, 3).Draw(t, "calls") {
			made++
			id := fmt.Sprint("call_", made)
			m.ToolCalls = append(m.ToolCalls, model.ToolCall{ID: id, Name: rapid.StringMatching(`[a-z_]{1,12}`).Draw(t, "name"), Arguments: arguments.Draw(t, "arguments")})
			results = append(results, model.Message{Role: model.ToolRole, ToolCallID: id, Content: words.Draw(t, "result")})
		}
		out = append(out, m)
		out = append(out, rapid.Permutation(results).Draw(t, "order")...)
		for range rapid.IntRange(0, 2).Draw(t, "asides") {
			out = append(out, model.Message{Role: model.User, Content: words.Draw(t, "aside")})
		}
	}
	return out
})

var schema = rapid.Map(rapid.StringMatching(`[a-z]{0,8}`), func(member string) model.RawSchema {
	return model.RawSchema(fmt.Sprintf(`{"type":"object","x":%q}`, member))
})

var request = rapid.Custom(func(t *rapid.T) model.Request {
	req := model.Request{
		Messages:    dialogue.Draw(t, "messages"),
		Temperature: rapid.Float64Range(0, 1).Draw(t, "temperature"),
		Stop:        rapid.SliceOfN(words, 0, 4).Draw(t, "stop"),
	}
	req.NoTemperature = rapid.Bool().Draw(t, "no temperature")
	if rapid.Bool().Draw(t, "top_k") {
		req.Extra = map[string]json.RawMessage{"top_k": json.RawMessage("40")}
	}
	if rapid.Bool().Draw(t, "structured") {
		req.Schema = &model.ResponseSchema{Name: "the_verdict", Schema: schema.Draw(t, "schema")}
		return req
	}
	names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z_]{1,12}`), 0, 3, rapid.ID).Draw(t, "tools")
	for _, name := range names {
		req.Tools = append(req.Tools, model.ToolSpec{Name: name, Description: words.Draw(t, "description"), Parameters: schema.Draw(t, "parameters"), Strict: rapid.Bool().Draw(t, "strict")})
		req.SingleCall = req.SingleCall || rapid.Bool().Draw(t, "one call at most")
	}
	return req
})

var response = rapid.Custom(func(t *rapid.T) model.Response {
	tokens := rapid.IntRange(0, 1<<30)
	r := model.Response{
		Message: model.Message{Role: model.Assistant, Content: words.Draw(t, "reply")},
		Finish: rapid.SampledFrom([]model.FinishReason{
			model.FinishStop, model.FinishLength, model.FinishContentFilter, "made_up",
		}).Draw(t, "finish"),
		Usage: model.Usage{OutputTokens: tokens.Draw(t, "out"), CachedTokens: tokens.Draw(t, "cached")},
		Model: rapid.StringMatching(`[a-z0-9-]{1,12}`).Draw(t, "model"),
	}
	r.Usage.InputTokens = r.Usage.CachedTokens + tokens.Draw(t, "in")
	return r
})

// sent returns the expected request: blank texts are omitted.
func sent(req model.Request) model.Request {
	req.Identity, req.Seed, req.NoSeed, req.MaxTokens = model.Identity{}, 0, true, anthropic.DefaultMaxTokens
	if req.NoTemperature {
		req.Temperature = 1 // the API's default
	}
	var messages []model.Message
	for _, m := range req.Messages {
		blank := strings.TrimSpace(m.Content) == ""
		switch {
		case blank && m.Role == model.ToolRole:
			m.Content = "(no output)"
		case blank && len(m.ToolCalls) == 0:
			continue
		case blank:
			m.Content = ""
		}
		if n := len(messages); n > 0 && m.Role == model.Assistant && messages[n-1].Role == model.Assistant { // the message between them was blank
			messages[n-1].Content += m.Content
			messages[n-1].ToolCalls = append(messages[n-1].ToolCalls[:len(messages[n-1].ToolCalls):len(messages[n-1].ToolCalls)], m.ToolCalls...)
			continue
		}
		messages = append(messages, m)
	}
	req.Messages = messages
	if len(req.Tools) > 0 || req.Schema != nil {
		return req
	}
	for _, m := range req.Messages { // the called tools are offered, and must not be called
		for _, c := range m.ToolCalls {
			if !slices.ContainsFunc(req.Tools, func(t model.ToolSpec) bool { return t.Name == c.Name }) {
				req.Tools = append(req.Tools, model.ToolSpec{Name: c.Name, Parameters: model.RawSchema(`{"type":"object","properties":{}}`)})
				req.Choice = model.ChooseNone
			}
		}
	}
	return req
}

// client returns a client of an endpoint that serves a model.
func client(t *testing.T, m model.Model) *anthropic.Model {
	t.Helper()
	return at(t, serve.Handler(m, "m").ServeHTTP)
}

func TestRoundTrip(t *testing.T) {
	var got model.Request
	var answer model.Response
	m := client(t, fake(func(_ context.Context, req model.Request) (model.Response, error) {
		got = req
		return answer, nil
	}))
	rapid.Check(t, func(t *rapid.T) {
		req := request.Draw(t, "request")
		req.Identity, req.Seed = model.Identity{Agent: "a", Query: "q", Step: 2}, 7
		answer = response.Draw(t, "response")
		switch {
		case req.Schema != nil:
			answer.Message.Content = rapid.OneOf(arguments, words).Draw(t, "form")
		case rapid.Bool().Draw(t, "calling"):
			answer.Finish = model.FinishToolCalls
			answer.Message.ToolCalls = []model.ToolCall{
				{ID: "c1", Name: "calc", Arguments: rapid.OneOf(arguments, words, rapid.SampledFrom([]string{"null", "[]", `"x"`})).Draw(t, "input")},
				{ID: "c2", Name: "now", Arguments: "{}"},
			}
		}
		direct := answer
		reply, err := m.Complete(context.Background(), req)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(sent(req), got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("request: %s", diff)
		}
		if diff := cmp.Diff(direct, reply, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("response: %s", diff)
		}
		got = model.Request{}
		var told strings.Builder
		streamed, err := m.Stream(context.Background(), req, func(piece string) { told.WriteString(piece) })
		if err != nil || told.String() != streamed.Message.Content {
			t.Fatalf("told %q: %v", told.String(), err)
		}
		if diff := cmp.Diff(sent(req), got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("streamed request: %s", diff)
		}
		if diff := cmp.Diff(direct, streamed, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("streamed response: %s", diff)
		}
	})
}

// Every call has exactly one result, in the next turn and before any text.
func TestEveryCallIsAnsweredOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var body struct {
			Messages []struct {
				Role    string
				Content []struct {
					Type, ID string
					Tool     string `json:"tool_use_id"`
				}
			}
		}
		if err := json.Unmarshal([]byte(wire(t, anthropic.Options{}, request.Draw(rt, "request"))), &body); err != nil {
			rt.Fatal(err)
		}
		open := map[string]bool{}
		before := ""
		for _, turn := range body.Messages {
			if turn.Role == before {
				rt.Errorf("two turns of %s follow each other", before)
			}
			before = turn.Role
			if turn.Role == "assistant" && len(open) > 0 {
				rt.Errorf("%v have no answer", open)
			}
			for _, b := range turn.Content {
				switch b.Type {
				case "tool_use":
					open[b.ID] = true
				case "tool_result":
					if !open[b.Tool] {
						rt.Errorf("%s is answered twice, or unasked", b.Tool)
					}
					delete(open, b.Tool)
				case "text":
					if turn.Role == "user" && len(open) > 0 {
						rt.Errorf("a text stands before the answers of %v", open)
					}
				}
			}
		}
		if len(open) > 0 {
			rt.Errorf("%v have no answer", open)
		}
	})
}

// The offline model replies over the API in the same way as directly, in every turn of a loop.
func TestOfflineOverTheWire(t *testing.T) {
	direct, err := offline.New("reader", offline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	wired := client(t, direct)
	req := model.Request{
		Messages: []model.Message{{Role: model.System, Content: "Use tools."}, {Role: model.User, Content: "What is 17 * 24?"}},
		Tools:    []model.ToolSpec{{Name: "calc", Description: "calculates", Parameters: model.RawSchema(`{"type":"object","properties":{"expression":{"type":"string"}}}`)}},
	}
	called := 0
	for range 4 {
		want, err := direct.Complete(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		got, err := wired.Complete(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if want.Model == "" {
			want.Model = "m"
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
		req.Messages = append(req.Messages, got.Message)
		for _, c := range got.Message.ToolCalls {
			called++
			req.Messages = append(req.Messages, model.Message{Role: model.ToolRole, ToolCallID: c.ID, Content: `{"value":"408"}`})
		}
		if len(got.Message.ToolCalls) == 0 {
			break
		}
	}
	if last := req.Messages[len(req.Messages)-1]; called == 0 || !strings.Contains(last.Content, "Answer: 408") {
		t.Errorf("after %d calls: %q", called, last.Content)
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
		m := client(t, fake(func(context.Context, model.Request) (model.Response, error) {
			return model.Response{}, &model.Error{Kind: c.served, Model: "test:m", Err: errors.New("why"), RetryAfter: 3 * time.Second}
		}))
		_, err := m.Complete(t.Context(), question)
		checkError(t, err, c.want)
		if e, ok := errors.AsType[*model.Error](err); !ok || e.RetryAfter != 3*time.Second || !strings.Contains(err.Error(), "why") {
			t.Errorf("%s: %+v", c.served, err)
		}
	}
}

func TestConcurrentCallsKeepApart(t *testing.T) {
	m := client(t, fake(func(_ context.Context, req model.Request) (model.Response, error) {
		return model.Response{Message: model.Message{Content: fmt.Sprintln(req.Messages[0].Content, req.Temperature)}}, nil
	}))
	var all sync.WaitGroup
	for i := range 32 {
		all.Go(func() {
			r, err := m.Complete(context.Background(), model.Request{
				Messages: []model.Message{{Role: model.User, Content: fmt.Sprint("q", i)}}, Temperature: float64(i) / 32,
			})
			if want := fmt.Sprintln(fmt.Sprint("q", i), float64(i)/32); err != nil || r.Message.Content != want {
				t.Errorf("got %q, %v; want %q", r.Message.Content, err, want)
			}
		})
	}
	all.Wait()
}
