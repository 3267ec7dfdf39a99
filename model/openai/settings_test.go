package openai_test

import (
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/model/openai"
)

// TestSettings checks which settings are sent, and that no other is added.
func TestSettings(t *testing.T) {
	const least = `"model": "m", "stream": false, "messages": [{"role": "user", "content": "q"}]`
	extra := func(name, value string) map[string]json.RawMessage {
		return map[string]json.RawMessage{name: json.RawMessage(value)}
	}
	for _, c := range []struct {
		name     string
		endpoint endpoints.Endpoint
		req      model.Request
		want     string
	}{
		{"zero is sent", endpoints.Endpoint{}, model.Request{}, `"temperature": 0, "seed": 0`},
		{"nothing is invented", endpoints.Endpoint{}, model.Request{Temperature: 1, NoTemperature: true, NoSeed: true}, ``},
		{"no seed alone", endpoints.Endpoint{}, model.Request{Temperature: 0.5, NoSeed: true}, `"temperature": 0.5`},
		{"further setting", endpoints.Endpoint{}, model.Request{NoTemperature: true, NoSeed: true, Extra: extra("top_p", "0.90")}, `"top_p": 0.90`},
		{"never in place of another", endpoints.Endpoint{}, model.Request{Temperature: 0.5, NoSeed: true, Extra: extra("temperature", "2")}, `"temperature": 0.5`},
		{"over the endpoint's", endpoints.Endpoint{ExtraBody: map[string]any{"reasoning_effort": "none", "top_k": 3}},
			model.Request{NoTemperature: true, NoSeed: true, Extra: extra("reasoning_effort", `"high"`)}, `"reasoning_effort": "high", "top_k": 3`},
		{"not known to the endpoint", endpoints.Endpoint{Omit: []string{endpoints.ResponseFormat}},
			model.Request{NoTemperature: true, NoSeed: true, Extra: extra("response_format", `{"type": "json_object"}`)}, ``},
		{"strict tool, lax form", endpoints.Endpoint{}, model.Request{
			NoTemperature: true, NoSeed: true,
			Tools:  []model.ToolSpec{{Name: "f", Strict: true}},
			Schema: &model.ResponseSchema{Name: "v", Description: "a verdict", Schema: model.RawSchema(`{"type": "object"}`), Lax: true},
		}, `"tools": [{"type": "function", "function": {"name": "f", "strict": true, "parameters": {"type": "object", "properties": {}}}}],
		 "response_format": {"type": "json_schema", "json_schema": {"name": "v", "description": "a verdict", "strict": false, "schema": {"type": "object"}}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var body []byte
			m := peer(t, openai.Options{Endpoint: c.endpoint}, func(w http.ResponseWriter, r *http.Request) {
				body, _ = io.ReadAll(r.Body)
				_, _ = io.WriteString(w, `{"choices": [{"message": {"content": "a"}, "finish_reason": "stop"}]}`)
			})
			c.req.Messages = question.Messages
			if _, err := m.Complete(t.Context(), c.req); err != nil {
				t.Fatal(err)
			}
			if c.want != "" {
				c.want = ", " + c.want
			}
			var want, got any
			if err := json.Unmarshal([]byte(`{`+least+c.want+`}`), &want); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(body, &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestNames checks that the author's name is sent with the message.
func TestNames(t *testing.T) {
	var got struct{ Messages []struct{ Role, Name string } }
	m := peer(t, openai.Options{}, func(w http.ResponseWriter, r *http.Request) {
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		_, _ = io.WriteString(w, `{"choices": [{"message": {"content": "a"}, "finish_reason": "stop"}]}`)
	})
	_, err := m.Complete(t.Context(), model.Request{Messages: []model.Message{
		{Role: model.User, Name: "eve", Content: "q"}, {Role: model.Assistant, Name: "planner", Content: "a"}, {Role: model.User, Content: "q"},
	}})
	want := []struct{ Role, Name string }{{"user", "eve"}, {"assistant", "planner"}, {"user", ""}}
	if diff := cmp.Diff(want, got.Messages); err != nil || diff != "" {
		t.Error(err, diff)
	}
}
