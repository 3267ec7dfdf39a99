package imports_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/imports"
)

func user(text string) string      { return `{"role":"user","content":"` + text + `"}` }
func assistant(text string) string { return `{"role":"assistant","content":"` + text + `"}` }

// The messages before the last question of a recorded chat are the query's history.
func TestEarlierTurnsAreHistory(t *testing.T) {
	const calls = `{"role":"assistant","content":"","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"1"}`
	told := []datasets.Turn{{Role: "user", Content: "How tall?"}, {Role: "assistant", Content: "330 m"}}
	for _, c := range []struct {
		name     string
		messages []string
		text     string
		history  []datasets.Turn
		answer   string
	}{
		{"one question", []string{user("How tall?"), assistant("330 m")}, "How tall?", nil, "330 m"},
		{"a follow-up", []string{user("How tall?"), assistant("330 m"), user("Since when?"), assistant("1889")}, "Since when?", told, "1889"},
		{"with calls in both", []string{user("How tall?"), calls, assistant("330 m"), user("Since when?"), calls, assistant("1889")}, "Since when?", told, "1889"},
		{"no reply to it", []string{user("How tall?"), assistant("330 m"), user("Since when?")}, "Since when?", told, ""},
		{"observations of the text protocol", []string{user("How tall?"), assistant("Action: f"), user("Observation: 1"), assistant("330 m")}, "How tall?", nil, "330 m"},
		{"a message amid calls", []string{user("How tall?"), calls, user("Go on."), assistant("330 m")}, "How tall?", nil, "330 m"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := imports.Read(strings.NewReader(`{"messages":[{"role":"system","content":"s"},`+strings.Join(c.messages, ",")+"]}\n"), "chats", "")
			if err != nil {
				t.Fatal(err)
			}
			q := l.Queries[0]
			if d := cmp.Diff(c.history, q.History); d != "" || q.Text != c.text {
				t.Errorf("the query is %q, history (-want +got):\n%s", q.Text, d)
			}
			if got := l.Rows[0].Traces[q.ID][0].Message; got != c.answer {
				t.Errorf("the final message is %q, want %q", got, c.answer)
			}
		})
	}
}
