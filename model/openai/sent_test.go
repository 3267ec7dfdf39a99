package openai_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/model/openai"
)

// refusing returns a model whose endpoint refuses a field with a message, and counts the requests.
func refusing(t *testing.T, name, field, refusal string, count *atomic.Int32) *openai.Model {
	return peer(t, openai.Options{Model: name, Endpoint: endpoints.Endpoint{Kind: endpoints.OpenAI}}, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet { // the list of models
			http.NotFound(w, r)
			return
		}
		count.Add(1)
		var body map[string]json.RawMessage
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		if body[field] != nil {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, refusal)
			return
		}
		_, _ = io.WriteString(w, `{"choices": [{"message": {"content": "a"}, "finish_reason": "stop"}]}`)
	})
}

// first returns the first request of a trace's own conversation.
func first(temperature float64) model.Request {
	return model.Request{
		Identity: model.Identity{Agent: "a", Query: "q", Purpose: model.Agent}, Temperature: temperature, Messages: question.Messages,
		Schema: &model.ResponseSchema{Name: "v", Schema: model.RawSchema(`{"type": "object"}`)},
	}
}

// A field that a request does not need is omitted after one refusal, and never sent to the endpoint again.
func TestRefusedFieldIsLeftOut(t *testing.T) {
	for field, message := range map[string]string{
		"temperature":     "`temperature` is deprecated for this model.",
		"seed":            "Unsupported parameter: 'seed' is not supported with this model.",
		"response_format": "This response_format type is unavailable now",
	} {
		var count atomic.Int32
		m := refusing(t, "m", field, fmt.Sprintf(`{"error": {"message": %q, "type": "invalid_request_error"}}`, message), &count)
		for i, want := range []int32{2, 3} {
			resp, err := m.Complete(t.Context(), first(0.5))
			if err != nil || count.Load() != want {
				t.Errorf("%s, request %d: %v after %d requests, want %d", field, i, err, count.Load(), want)
			}
			if err == nil && (resp.Sent == nil || !slices.Contains(resp.Sent.Unset, field)) {
				t.Errorf("%s is not recorded as left out: %+v", field, resp.Sent)
			}
		}
	}
}

// Other refusals, and refusals of a client's own settings, are errors.
func TestRefusalStaysAnError(t *testing.T) {
	for _, c := range []struct {
		message, param string
		verbatim       bool
	}{
		{"temperature must be between 0 and 1", "temperature", false},
		{"max_tokens is not supported with this temperature", "max_tokens", false},
		{"`temperature` is deprecated for this model.", "", true},
		{"set_temperature is not a supported tool", "", false},
	} {
		var count atomic.Int32
		m := refusing(t, "m", "temperature", fmt.Sprintf(`{"error": {"message": %q, "param": %q}}`, c.message, c.param), &count)
		ctx := t.Context()
		if c.verbatim {
			ctx = model.Verbatim(ctx)
		}
		_, err := m.Complete(ctx, first(0.5))
		if model.KindOf(err) != model.ErrBadRequest || count.Load() > 1 {
			t.Errorf("%q: %v after %d requests", c.message, err, count.Load())
		}
		if c.verbatim && !strings.Contains(err.Error(), "omit: [temperature]") {
			t.Errorf("%v does not name the way out", err)
		}
	}
}

// Sent distinguishes requests by their fields, without the conversation, and by nothing else.
func TestSent(t *testing.T) {
	var count atomic.Int32
	sent := func(name string, change func(*model.Request)) *model.Sent {
		m := refusing(t, name, "never", "", &count)
		req := first(0)
		change(&req)
		resp, err := m.Complete(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		return resp.Sent
	}
	warm := func(r *model.Request) { r.Temperature = 1 }
	same := func(*model.Request) {}
	digest := func(s *model.Sent) string { return s.Digest }
	if a, b := digest(sent("m", same)), digest(sent("m", warm)); a == b {
		t.Error("temperatures 0 and 1 that were sent are one")
	}
	if a, b := sent("anthropic/claude-opus-4.7", same), sent("anthropic/claude-opus-4.7", warm); a.Digest != b.Digest || !cmp.Equal(a.Unset, []string{"temperature"}) {
		t.Errorf("temperatures that were not sent differ: %+v, %+v", a, b)
	}
	if a, b := digest(sent("m", same)), digest(sent("m", func(r *model.Request) {
		r.Seed, r.Messages = 9, []model.Message{{Role: model.User, Content: "another question"}}
	})); a != b {
		t.Error("the conversation or the seed is part of the digest")
	}
	for name, other := range map[string]func(*model.Request){
		"a later step":   func(r *model.Request) { r.Identity.Step = 1 },
		"a sub-agent":    func(r *model.Request) { r.Identity.Path = "researcher#1" },
		"a side request": func(r *model.Request) { r.Identity.Task = "summary" },
		"a judge":        func(r *model.Request) { r.Identity.Purpose = model.Judge },
	} {
		if s := sent("m", other); s != nil {
			t.Errorf("%s has the digest %+v", name, s)
		}
	}
}
