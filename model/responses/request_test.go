package responses_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/model/responses"
	"github.com/seed-5817661a/concur/model/wire/wiretest"
)

func raws(pairs ...string) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = json.RawMessage(pairs[i+1])
	}
	return out
}

func TestTheWire(t *testing.T) {
	tool := model.ToolSpec{Name: "calc", Description: "d", Parameters: model.RawSchema(`{"type":"object","required":["e"]}`), Strict: true}
	const calcTool = `{"type": "function", "name": "calc", "description": "d", "parameters": {"type": "object", "required": ["e"]}, "strict": true}`
	verdict := &model.ResponseSchema{Name: "verdict", Schema: model.RawSchema(`{"type":"object"}`)}
	ask := func(change func(*model.Request)) model.Request {
		r := question
		change(&r)
		return r
	}
	on := func(e endpoints.Endpoint) responses.Options { return responses.Options{Endpoint: e} }
	const input = `"model": "m", "input": [{"type": "message", "role": "user", "content": "q"}], "store": false`
	const least = input + `, "include": ["reasoning.encrypted_content"]`
	for _, c := range []struct {
		name string
		o    responses.Options
		req  model.Request
		want string
	}{
		{"least", responses.Options{}, question, `{` + least + `, "temperature": 0}`},
		{"no seed and no stop, which the API has not", responses.Options{}, ask(func(r *model.Request) { r.Seed, r.Stop, r.NoTemperature = 7, []string{"x"}, true }), `{` + least + `}`},
		{"a seed, where a server takes one", on(endpoints.Endpoint{SeedField: "seed"}), ask(func(r *model.Request) { r.Seed = 7 }), `{` + least + `, "temperature": 0, "seed": 7}`},
		{"limits", responses.Options{MaxTokens: 77}, ask(func(r *model.Request) { r.MaxTokens = 99 }), `{` + least + `, "temperature": 0, "max_output_tokens": 77}`},
		{"a tool", responses.Options{}, ask(func(r *model.Request) { r.Tools, r.SingleCall = []model.ToolSpec{tool, {Name: "now"}}, true }),
			`{` + least + `, "temperature": 0, "parallel_tool_calls": false, "tools": [` + calcTool + `, {"type": "function", "name": "now", "parameters": {"type": "object", "properties": {}}, "strict": false}]}`},
		{"a tool that must be called", responses.Options{}, ask(func(r *model.Request) { r.Tools, r.Choice = []model.ToolSpec{tool}, "calc" }),
			`{` + least + `, "temperature": 0, "tools": [` + calcTool + `], "tool_choice": {"type": "function", "name": "calc"}}`},
		{"no call", responses.Options{}, ask(func(r *model.Request) { r.Tools, r.Choice = []model.ToolSpec{tool}, model.ChooseNone }),
			`{` + least + `, "temperature": 0, "tools": [` + calcTool + `], "tool_choice": "none"}`},
		{"no call, where there is no choice", on(endpoints.Endpoint{Omit: []string{"tool_choice"}}), ask(func(r *model.Request) { r.Tools, r.Choice = []model.ToolSpec{tool}, model.ChooseNone }),
			`{` + least + `, "temperature": 0}`},
		{"a form", responses.Options{}, ask(func(r *model.Request) { r.Schema = verdict }),
			`{` + least + `, "temperature": 0, "text": {"format": {"type": "json_schema", "name": "verdict", "schema": {"type": "object"}, "strict": true}}}`},
		{"a form of any object", on(endpoints.Endpoint{Format: "json_object"}), ask(func(r *model.Request) { r.Schema = verdict }), `{` + least + `, "temperature": 0, "text": {"format": {"type": "json_object"}}}`},
		{"an effort", on(endpoints.Endpoint{ExtraBody: map[string]any{"reasoning_effort": "low", "service_tier": "flex"}}), question,
			`{` + least + `, "temperature": 0, "reasoning": {"effort": "low"}, "service_tier": "flex"}`},
		{"an effort and a summary", on(endpoints.Endpoint{ExtraBody: map[string]any{"reasoning_effort": "low", "reasoning": map[string]any{"summary": "auto"}}}), question,
			`{` + least + `, "temperature": 0, "reasoning": {"effort": "low", "summary": "auto"}}`},
		{"settings of a request over the endpoint's", on(endpoints.Endpoint{ExtraBody: map[string]any{"reasoning_effort": "low", "top_k": 3}}),
			ask(func(r *model.Request) {
				r.Schema, r.Extra = verdict, raws("reasoning_effort", `"high"`, "verbosity", `"low"`, "top_p", "0.90", "model", `"other"`, "store", "true")
			}),
			`{` + least + `, "temperature": 0, "reasoning": {"effort": "high"}, "top_k": 3, "top_p": 0.90,
			 "text": {"verbosity": "low", "format": {"type": "json_schema", "name": "verdict", "schema": {"type": "object"}, "strict": true}}}`},
		{"left out", on(endpoints.Endpoint{Omit: []string{"temperature", "include", "store", "response_format"}}), ask(func(r *model.Request) { r.Schema = verdict }),
			`{"model": "m", "input": [{"type": "message", "role": "user", "content": "q"}]}`},
		{"a conversation of another provider", responses.Options{}, model.Request{Messages: []model.Message{
			{Role: model.System, Content: "be <exact>"}, {Role: model.User, Content: "q"},
			{Role: model.Assistant, Content: "I look.", ToolCalls: calls, Opaque: json.RawMessage(`{"anthropic": [{"type": "thinking"}]}`)},
			{Role: model.ToolRole, ToolCallID: "call_1", Content: "1.5"}, {Role: model.ToolRole, ToolCallID: "call_2"}, {Role: model.Assistant}, {Role: model.User, Content: "well?"},
		}}, `{"model": "m", "store": false, "include": ["reasoning.encrypted_content"], "temperature": 0, "input": [
			{"type": "message", "role": "system", "content": "be <exact>"}, {"type": "message", "role": "user", "content": "q"},
			{"type": "message", "role": "assistant", "content": "I look."},
			{"type": "function_call", "call_id": "call_1", "name": "calc", "arguments": "{\"e\": 1.50}"}, {"type": "function_call", "call_id": "call_2", "name": "now", "arguments": "{}"},
			{"type": "function_call_output", "call_id": "call_1", "output": "1.5"}, {"type": "function_call_output", "call_id": "call_2", "output": "(no output)"},
			{"type": "message", "role": "user", "content": "well?"}]}`},
	} {
		if diff := cmp.Diff(parse(t, c.want), parse(t, sent(t, c.o, c.req))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestWrongRequests(t *testing.T) {
	m := saying(t, 500, "it must not be asked")
	for name, messages := range map[string][]model.Message{
		"a call without an answer": {{Role: model.Assistant, ToolCalls: calls}},
		"an unknown role":          {{Role: "narrator", Content: "q"}},
	} {
		_, err := m.Complete(t.Context(), model.Request{Messages: messages})
		if text := fails(t, err, model.ErrBadRequest); !strings.Contains(text, "encode request") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// answered returns the conversation after a reply, with a result for each of its calls.
func answered(r model.Response) []model.Message {
	out := []model.Message{{Role: model.User, Content: "q"}, r.Message}
	for _, c := range r.Message.ToolCalls {
		out = append(out, model.Message{Role: model.ToolRole, ToolCallID: c.ID, Content: "1.5"})
	}
	return out
}

// between returns the part of a request's body with the items after the question and before the results of
// calls.
func between(t *testing.T, body string, calls int) string {
	t.Helper()
	_, rest, ok := strings.Cut(body, `{"content":"q","role":"user","type":"message"},`)
	if !ok {
		t.Fatalf("no question in %s", body)
	}
	end := `],"include"`
	if calls > 0 {
		end = `,{"call_id":"` // of an answer
	}
	items, _, ok := strings.Cut(rest, end)
	if !ok {
		t.Fatalf("no end in %s", rest)
	}
	return items
}

// TestItemsAreGivenBack checks that the items of a reply, of any kind, are sent back byte for byte and in
// order, also after the message was recorded and read.
func TestItemsAreGivenBack(t *testing.T) {
	kinds := []string{text("", "a"), text("commentary", "x < y"), text("final_answer", "b\u2028"), thought, again, open, searched, unheardOf}
	rapid.Check(t, func(rt *rapid.T) {
		items := rapid.SliceOfN(rapid.SampledFrom(kinds), 0, 6).Draw(rt, "items")
		if rapid.Bool().Draw(rt, "calls") {
			items = append(items, calc, searched, lookup)
		} else {
			items = append(items, text("", "end"))
		}
		stream := rapid.Bool().Draw(rt, "stream")
		var bodies []string
		o := responses.Options{Transport: wiretest.Transport(func(r *http.Request) (*http.Response, error) {
			raw := make([]byte, r.ContentLength)
			_, err := r.Body.Read(raw)
			bodies = append(bodies, string(raw))
			if stream {
				return wiretest.OK(eventsOf(`{"type": "response.created"}`, `{"type": "response.completed", "response": `+replyOf(items...)+`}`)), err
			}
			return wiretest.OK(replyOf(items...)), err
		})}
		m := newModel(t, o)
		complete := func(req model.Request) (model.Response, error) {
			if stream {
				return m.Stream(t.Context(), req, func(string) {})
			}
			return m.Complete(t.Context(), req)
		}
		r, err := complete(question)
		if err != nil {
			rt.Fatal(err)
		}
		recorded, err := json.Marshal(r.Message)
		if err != nil {
			rt.Fatal(err)
		}
		r.Message = model.Message{}
		if err := json.Unmarshal(recorded, &r.Message); err != nil {
			rt.Fatal(err)
		}
		if _, err := complete(model.Request{Messages: answered(r)}); err != nil {
			rt.Fatal(err)
		}
		if got, want := between(t, bodies[1], len(r.Message.ToolCalls)), strings.Join(items, ","); got != want {
			rt.Fatalf("given back:\n%s\nwant:\n%s", got, want)
		}
	})
}

// TestChangedMessagesAreGivenBack checks that a changed text or call replaces its item, and that the other
// items stay in their places.
func TestChangedMessagesAreGivenBack(t *testing.T) {
	const mine = `{"content":"mine","role":"assistant","type":"message"}`
	called := func(name, arguments string) string {
		return `{"arguments":"` + arguments + `","call_id":"call_1","name":"` + name + `","type":"function_call"}`
	}
	for _, c := range []struct {
		name   string
		items  []string
		change func(*model.Message)
		want   []string
	}{
		{"a text", []string{thought, text("commentary", "c"), text("", "a"), text("", "b")}, func(m *model.Message) { m.Content = "mine" },
			[]string{thought, text("commentary", "c"), mine}},
		{"a text before calls", []string{thought, calc}, func(m *model.Message) { m.Content = "mine" }, []string{thought, mine, calc}},
		{"not a text", []string{text("", "a"), calc}, func(m *model.Message) { m.Content = "" }, []string{calc}},
		{"a call", []string{thought, calc, again, lookup}, func(m *model.Message) { m.ToolCalls[0].Arguments = "{}" }, []string{thought, called("calc", "{}"), again, lookup}},
		{"fewer calls", []string{calc, again, lookup}, func(m *model.Message) { m.ToolCalls = m.ToolCalls[:1] }, []string{calc}},
		{"a call out of the text", []string{thought, text("", "<tool_call>")}, func(m *model.Message) {
			m.ToolCalls = []model.ToolCall{{ID: "call_1", Name: "calc", Arguments: "{}"}}
		}, []string{thought, text("", "<tool_call>"), called("calc", "{}")}},
		{"reasoning that nothing follows", []string{text("", "a"), thought}, func(*model.Message) {}, []string{text("", "a")}},
		{"reasoning without content", []string{`{"id": "rs_9", "type": "reasoning", "summary": []}`, text("", "a")}, func(*model.Message) {}, []string{text("", "a")}},
	} {
		r, err := saying(t, 200, replyOf(c.items...)).Complete(t.Context(), question)
		if err != nil {
			t.Fatal(err)
		}
		c.change(&r.Message)
		body := sent(t, responses.Options{}, model.Request{Messages: answered(r)})
		if got, want := between(t, body, len(r.Message.ToolCalls)), strings.Join(c.want, ","); got != want {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, got, want)
		}
	}
}

// TestTheKeyIsNotKept checks that an item that contains the key is neither recorded nor sent back.
func TestTheKeyIsNotKept(t *testing.T) {
	r, err := saying(t, 200, replyOf(`{"type": "reasoning", "encrypted_content": "`+testKey+`"}`, text("", "a "+testKey))).Complete(t.Context(), question)
	if err != nil || strings.Contains(string(r.Message.Opaque), testKey) || strings.Contains(r.Message.Content, testKey) {
		t.Fatalf("%+v, %v", r.Message, err)
	}
	if body := sent(t, responses.Options{}, model.Request{Messages: answered(r)}); strings.Contains(body, testKey) || !strings.Contains(body, `"a [API key]"`) {
		t.Error(body)
	}
}
