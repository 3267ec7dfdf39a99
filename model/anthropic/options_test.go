package anthropic_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/anthropic"
	"github.com/seed-5817661a/concur/model/wire/wiretest"
)

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		o    anthropic.Options
		says string
	}{
		{anthropic.Options{}, "no model is named"},
		{anthropic.Options{Model: "m", Timeout: -1}, "timeout"},
		{anthropic.Options{Model: "m", MaxTokens: -1}, "max tokens"},
		{anthropic.Options{Model: "m", Thinking: json.RawMessage(`{`)}, "thinking"},
		{anthropic.Options{Model: "m", Thinking: json.RawMessage(` "on"`)}, "thinking"},
		{anthropic.Options{Model: "m", Thinking: json.RawMessage(` `)}, "thinking"},
		{anthropic.Options{Model: "m", BaseURL: "127.0.0.1:80"}, "ANTHROPIC_BASE_URL"},
		{anthropic.Options{Model: "m", BaseURL: "ftp://h"}, "ANTHROPIC_BASE_URL"},
		{anthropic.Options{Model: "m", BaseURL: "http://h:x/" + testKey}, "ANTHROPIC_BASE_URL"},
		{anthropic.Options{Model: "m", BaseURL: "http://me:" + testKey + "@h"}, "user name"},
		{anthropic.Options{Model: "m", BaseURL: "http://h/?key=" + testKey}, "query"},
		{anthropic.Options{Model: "m", APIKey: testKey + "\nX: y"}, "ANTHROPIC_API_KEY"},
		{anthropic.Options{Model: "m", APIKey: "“" + testKey + "”"}, "ANTHROPIC_API_KEY"},
	} {
		m, err := anthropic.New(c.o)
		if err == nil || m != nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), testKey) {
			t.Errorf("%v: got %v, want an error with %q and without the key", c.says, err, c.says)
		}
	}
}

func TestModelNeverPrintsItsKey(t *testing.T) {
	m := newModel(t, anthropic.Options{})
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
		if text := fmt.Sprintf(verb, m); strings.Contains(text, testKey) || strings.Contains(text, fmt.Sprintf("%x", testKey)) {
			t.Errorf("%s prints the key: %s", verb, text)
		}
	}
	if got := m.String(); got != "anthropic:m" {
		t.Errorf("String() = %q", got)
	}
}

func TestAddressAndHeaders(t *testing.T) {
	for base, want := range map[string]string{
		"": "https://api.anthropic.com/v1/messages", "http://h:1/": "http://h:1/v1/messages",
		"http://h:1/v1": "http://h:1/v1/messages", "http://h:1/a%2Fb/v1/": "http://h:1/a%2Fb/v1/messages",
	} {
		for _, key := range []string{"", testKey} {
			m, err := anthropic.New(anthropic.Options{BaseURL: base, Model: "m", APIKey: key, Transport: wiretest.Transport(func(r *http.Request) (*http.Response, error) {
				if r.Method != http.MethodPost || r.URL.String() != want || r.Header.Get("anthropic-version") != "2023-06-01" || r.Header.Get("Content-Type") != "application/json" {
					t.Errorf("%s %s with %v", r.Method, r.URL, r.Header)
				}
				if got, sent := r.Header["X-Api-Key"]; sent != (key != "") || sent && got[0] != key {
					t.Errorf("x-api-key %q", got)
				}
				return wiretest.OK(replyOf("", "end_turn")), nil
			})})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := m.Complete(t.Context(), question); err != nil {
				t.Error(err)
			}
		}
	}
}

// Ids of other servers are converted to a form that the API accepts, in the same way for a call and its
// result.
func TestIDs(t *testing.T) {
	var body string
	m := newModel(t, anthropic.Options{Model: "m", Transport: wiretest.Transport(func(r *http.Request) (*http.Response, error) {
		raw, _ := io.ReadAll(r.Body)
		body = string(raw)
		return wiretest.OK(replyOf(`{"type": "text", "text": "a"}`, "end_turn")), nil
	})})
	for id, kept := range map[string]bool{"toolu_01-A": true, "functions.calc:0": false, strings.Repeat("a", 65): false} {
		_, err := m.Complete(t.Context(), model.Request{Messages: []model.Message{
			{Role: model.User, Content: "q"}, {Role: model.Assistant, ToolCalls: []model.ToolCall{{ID: id, Name: "calc", Arguments: "{}"}}},
			{Role: model.ToolRole, ToolCallID: id, Content: "56"},
		}})
		sent := regexp.MustCompile(`"(?:id|tool_use_id)":"([^"]*)"`).FindAllStringSubmatch(body, -1)
		if err != nil || len(sent) != 2 || sent[0][1] != sent[1][1] || (sent[0][1] == id) != kept || !regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`).MatchString(sent[0][1]) {
			t.Errorf("%q is sent as %q, %v", id, sent, err)
		}
	}
}
