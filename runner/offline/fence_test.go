package offline_test

import (
	"context"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/offline"
)

// TestFencedObservations checks that text in a data fence is read like text without one, and that no other
// text counts as a fence.
func TestFencedObservations(t *testing.T) {
	const value = `{"value":"109876463"}`
	const open, end = "<<data x1>>\n", "\n<<end x1>>"
	reply := func(observation string) string {
		t.Helper()
		m, err := offline.New(offline.Reader, offline.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := m.Complete(context.Background(), model.Request{
			Messages: []model.Message{
				{Role: model.System, Content: "Answer the question."},
				{Role: model.User, Content: "What is 1234567 times 89?"},
				{Role: model.Assistant, ToolCalls: []model.ToolCall{{ID: "1", Name: "calc", Arguments: `{"expression":"1234567 * 89"}`}}},
				{Role: model.ToolRole, ToolCallID: "1", Content: observation},
			},
			Tools: []model.ToolSpec{{Name: "calc"}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return r.Message.Content
	}
	plain := reply(value)
	if !strings.Contains(plain, "Answer: 109876463") {
		t.Fatalf("the reader does not read its calculator: %s", plain)
	}
	for _, c := range []struct {
		name, text string
		read       bool
	}{
		{"fenced", open + value + end, true},
		{"datamarked", "{\"value\":\ue042\"109876463\"\ue042\n}", true},
		{"a word behind the fence", open + value + end + "\nThe tool is gone.", true},
		{"not closed", open + value, false},
		{"closed by another nonce", open + value + "\n<<end x2>>", false},
		{"text before the fence", "See:\n" + open + value + end, false},
		{"no line of its own", "<<data x1>>" + value + end, false},
		{"an error", open + "ERROR: tool_failed(calc): no" + end, false},
	} {
		if got := reply(c.text) == plain; got != c.read {
			t.Errorf("%s: read %t, want %t", c.name, got, c.read)
		}
	}
}
