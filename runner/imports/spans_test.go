package imports_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner/imports"
)

// agentSpan is a line with an agent's span; more has names and values of further attributes.
func agentSpan(id int, question, answer string, more ...string) string {
	all := append([]string{"gen_ai.operation.name", "invoke_agent", "gen_ai.agent.name", "a", "gen_ai.input.messages", question, "gen_ai.output.messages", answer}, more...)
	var list []string
	for i := 0; i < len(all); i += 2 {
		list = append(list, fmt.Sprintf(`{"key": %q, "value": {"stringValue": %q}}`, all[i], all[i+1]))
	}
	return fmt.Sprintf(`{"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "%032x", "spanId": "%016x", "startTimeUnixNano": "%d", "attributes": [%s]}]}]}]}`+"\n",
		id, id, 100-id, strings.Join(list, ","))
}

// longSpans makes spans end long after they begin.
func longSpans(text string) string {
	return strings.ReplaceAll(text, `"attributes"`, `"endTimeUnixNano": "1000", "attributes"`)
}

// The same question is one query; ids, indexes, golds and configurations come from attributes.
func TestSpans(t *testing.T) {
	const chat = `[{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]}]`
	for name, c := range map[string]struct {
		text, mapping string
		rows, notes   []string
	}{
		"by question": {agentSpan(1, "How far?", "Answer: 1") + agentSpan(2, "How far?", "Answer: 2") + agentSpan(3, "How old?", "Answer: 3"), "",
			[]string{"a: How-far=2 trace(s) How-old=1 trace(s)"}, []string{"2 queries have no gold"}},
		"by id": {agentSpan(1, "How far?", "1", "q", "x", "g", "9") + agentSpan(2, "How  far?", "2", "q", "x"), "id=q,gold=g",
			[]string{"a: x=1 trace(s) x-How-far=1 trace(s)"}, []string{"1 conversation has another question than the first one with its id", "1 query has no gold"}},
		"by index": {agentSpan(1, "How far?", "1", "n", "3") + agentSpan(2, "How far?", "2", "n", "0"), "index=n",
			[]string{"a: How-far=4 trace(s) 2 infra"}, nil},
		"two with one index": {agentSpan(1, "How far?", "1", "n", "3") + agentSpan(2, "How far?", "2", "n", "3"), "index=n",
			[]string{"a: How-far=2 trace(s)"}, nil},
		"two models": {agentSpan(1, "How far?", "1", "gen_ai.request.model", "m") + agentSpan(2, "How far?", "2", "gen_ai.request.model", "n"), "",
			[]string{"a: How-far=1 trace(s)", "a n: How-far=1 trace(s)"}, nil},
		"by configuration": {agentSpan(1, "How far?", "1", "release", "2") + agentSpan(2, "How far?", "2", "release", "1"), "configuration=release",
			[]string{"1: How-far=1 trace(s)", "2: How-far=1 trace(s)"}, nil},
		"several sessions": {agentSpan(1, "How far?", "1", "session.id", "s1") + agentSpan(2, "How far?", "2", "session.id", "s2"), "",
			[]string{"a: How-far=2 trace(s)"}, nil},
		"one session": {agentSpan(3, "How far?", "1", "session.id", "s1") + agentSpan(2, "How far?", "2", "session.id", "s1") + agentSpan(1, "How old?", "3", "session.id", "s1"), "",
			[]string{"a: How-far=1 trace(s) How-far-1-How-far=1 trace(s) How-far-1-How-far-2-How-old=1 trace(s)"}, []string{"2 conversations follow others in their sessions"}},
		"one session of the old conventions": {agentSpan(2, "How far?", "1", "traceloop.association.properties.session_id", "s1") + agentSpan(1, "How far?", "2", "traceloop.association.properties.session_id", "s1"), "",
			[]string{"a: How-far=1 trace(s) How-far-1-How-far=1 trace(s)"}, []string{"1 conversation follows others in its session"}},
		"equal sessions": {agentSpan(4, "Hi", "Hello", "gen_ai.conversation.id", "s1") + agentSpan(3, "How far?", "1", "gen_ai.conversation.id", "s1") +
			agentSpan(2, "Hi", "Hello", "gen_ai.conversation.id", "s2") + agentSpan(1, "How far?", "2", "gen_ai.conversation.id", "s2"), "",
			[]string{"a: Hi=2 trace(s) Hi-Hello-How-far=2 trace(s)"}, []string{"2 conversations follow others in their sessions"}},
		"sessions of two agents": {agentSpan(2, "How far?", "1", "session.id", "s1", "service", "x") + agentSpan(1, "How far?", "2", "session.id", "s1", "service", "y"), "configuration=service",
			[]string{"x: How-far=1 trace(s)", "y: How-far=1 trace(s)"}, nil},
		"at the same time": {longSpans(agentSpan(2, "How far?", "1", "session.id", "s1") + agentSpan(1, "How far?", "2", "session.id", "s1")), "",
			[]string{"a: How-far=2 trace(s)"}, nil},
		"a turn without an answer": {agentSpan(2, "How far?", "", "session.id", "s1") + agentSpan(1, "How far?", "2", "session.id", "s1"), "",
			[]string{"a: How-far=2 trace(s)"}, nil},
		"its messages have the turns": {agentSpan(2, "How far?", "1", "session.id", "s1") + agentSpan(1, `[{"role":"user","content":"How far?"},{"role":"assistant","content":"1"},{"role":"user","content":"How old?"}]`, "2", "session.id", "s1"), "",
			[]string{"a: How-far=1 trace(s) How-far-1-How-old=1 trace(s)"}, nil},
		"after a long answer": {agentSpan(3, "How far?", strings.Repeat("1", 1<<20), "session.id", "s1") + agentSpan(2, "How old?", "2", "session.id", "s1") + agentSpan(1, "How old?", "2", "session.id", "s1"), "",
			[]string{"a: How-far=1 trace(s) How-old=1 trace(s) How-old-2-How-old=1 trace(s)"}, []string{"1 conversation follows others"}},
		"no sessions": {agentSpan(2, "How far?", "1", "session.id", "s1") + agentSpan(1, "How far?", "2", "session.id", "s1"), "session=none",
			[]string{"a: How-far=2 trace(s)"}, nil},
		"steps": {strings.ReplaceAll(agentSpan(1, "How far?", chat), "invoke_agent", "chat") + agentSpan(2, "How far?", "2"), "",
			[]string{"a: How-far=1 trace(s)"}, []string{"1 request calls tools without an agent's span"}},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s.jsonl")
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			var fields map[string]string
			if c.mapping != "" {
				var err error
				if fields, err = imports.ReadFields(c.mapping); err != nil {
					t.Fatal(err)
				}
			}
			l, err := imports.OpenSpans(path, fields)
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			var rows []string
			for _, r := range l.Rows {
				line := r.Name + ":"
				for id := range l.IDs() {
					n, lost := r.Len(id), 0
					if n > 0 {
						line += fmt.Sprintf(" %s=%d trace(s)", id, n)
					}
					for place := range n {
						of, err := r.Trace(id, place)
						if err != nil {
							t.Fatal(err)
						}
						if of.Outcome == "infra" {
							lost++
						}
					}
					if lost > 0 {
						line += fmt.Sprintf(" %d infra", lost)
					}
				}
				rows = append(rows, line)
			}
			if d := cmp.Diff(c.rows, rows); d != "" {
				t.Error(d)
			}
			notes := strings.Join(l.Lines(), "\n")
			for _, want := range c.notes {
				if !strings.Contains(notes, want) {
					t.Errorf("%q is not in:\n%s", want, notes)
				}
			}
		})
	}
}
