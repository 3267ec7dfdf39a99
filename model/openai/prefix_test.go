package openai

import (
	"encoding/json"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/endpoints"
)

// TestAssistantPrefix checks the fields that ask an endpoint to continue an assistant's text.
func TestAssistantPrefix(t *testing.T) {
	for way, want := range map[string]string{
		"":                       `{"role":"assistant","content":"It is"}`,
		endpoints.PrefixNone:     `{"role":"assistant","content":"It is"}`,
		endpoints.PrefixContinue: `{"role":"assistant","content":"It is"}`,
		endpoints.PrefixField:    `{"role":"assistant","content":"It is","prefix":true}`,
		endpoints.PrefixPartial:  `{"role":"assistant","content":"It is","partial":true}`,
		endpoints.PrefixFinal:    `{"role":"assistant","content":"It is"}`,
	} {
		m, err := New(Options{Model: "m", Endpoint: endpoints.Endpoint{Name: "own", Kind: endpoints.OpenAI,
			BaseURL: "http://127.0.0.1:9/v1", Auth: endpoints.Auth{None: true}, AssistantPrefix: way}})
		if err != nil {
			t.Fatal(err)
		}
		question := model.Message{Role: model.User, Content: "What is it?"}
		for _, ends := range []bool{true, false} {
			messages := []model.Message{question, {Role: model.Assistant, Content: "It is"}}
			if !ends {
				messages = append(messages, question)
			}
			raw, err := m.body(model.Request{Messages: messages}, false)
			if err != nil {
				t.Fatal(err)
			}
			var body struct {
				Messages []map[string]any
				Final    *bool `json:"continue_final_message"`
				Prompt   *bool `json:"add_generation_prompt"`
			}
			if err := json.Unmarshal(raw, &body); err != nil {
				t.Fatal(err)
			}
			var expected map[string]any
			if err := json.Unmarshal([]byte(want), &expected); err != nil {
				t.Fatal(err)
			}
			if !ends {
				expected = map[string]any{"role": "assistant", "content": "It is"}
			}
			if got := body.Messages[1]; len(got) != len(expected) || got["prefix"] != expected["prefix"] || got["partial"] != expected["partial"] {
				t.Errorf("%q: %v", way, got)
			}
			asked := body.Final != nil && *body.Final && body.Prompt != nil && !*body.Prompt
			if asked != (ends && way == endpoints.PrefixFinal) {
				t.Errorf("%q, at the end %v: %s", way, ends, raw)
			}
		}
	}
}
