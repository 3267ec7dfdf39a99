package plan_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/agent/plan"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// The user's prompts replace concur's. Text of a query or a tool is data, even if it looks like a
// placeholder.
func TestOwnPrompts(t *testing.T) {
	registry, err := tool.New(echo{})
	if err != nil {
		t.Fatal(err)
	}
	a := &plan.Agent{Config: config.New().Agent, Tools: registry}
	a.Config.Strategy, a.Config.Guards = config.StrategyPlan, nil
	a.Config.Prompts = config.Prompts{
		System: config.Prompt{Text: "You are short. It is {{today}}."}, NextStep: config.Prompt{Text: "You have {{tools}}"},
		Analysis: config.Prompt{Text: "Think about\n{{task}}\n-- {{today}}"}, Reflection: config.Prompt{Text: "See\n{{results}}\nof\n{{task}}"},
		Synthesis: config.Prompt{Text: "Write."},
	}
	m := &script{replies: []model.Message{
		say(`{"analysis": "Look at {{results}}."}`), use(`echo {"text":"{{task}}"}`), say(`{"reflection": "Found."}`), use(done), say("Answer: one"),
	}}
	got := a.Run(t.Context(), agent.Task{
		Query: datasets.Query{Text: "Which {{tools}} are there?", Context: datasets.Context{Now: "2024-05-03"}}, Emit: func(int, trace.Body) {}, Model: m,
	})
	if got.Answer != "one" {
		t.Fatalf("%s: %s", got.StopReason, got.Cause)
	}
	last := func(request int) string {
		messages := m.requests[request].Messages
		return regexp.MustCompile(`[0-9a-f]{32}`).ReplaceAllString(messages[len(messages)-1].Content, "N")
	}
	for request, want := range map[int]string{
		0: "Think about\n\n[task N]\n| Which {{tools}} are there?\n[end task N]\n\n-- Friday, 3 May 2024",
		1: "Analysis:\nLook at {{results}}.",
		2: "See\n\n[results N]\n| echo {\"text\":\"{{task}}\"}\n| → {\"text\":\"{{task}}\"}\n[end results N]\n\nof\n\n[task N]\n| Which {{tools}} are there?\n[end task N]\n",
		4: "Write.",
	} {
		if diff := cmp.Diff(want, last(request)); diff != "" {
			t.Errorf("request %d (-want +got):\n%s", request, diff)
		}
	}
	for name, c := range map[string]struct {
		now   string
		today time.Time
		want  string
	}{
		"of the run":         {"", time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC), "Saturday, 28 February 2026"},
		"of the query first": {"2024-05-03", time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC), "Friday, 3 May 2024"},
		"of neither":         {"", time.Time{}, "not known"},
	} {
		day := &script{replies: []model.Message{say(`{"analysis": "Look."}`), use(done), say("Answer: one")}}
		a.Run(t.Context(), agent.Task{
			Query: datasets.Query{Text: "Which?", Context: datasets.Context{Now: c.now}}, Today: c.today,
			Emit: func(int, trace.Body) {}, Model: day,
		})
		if system := day.requests[1].Messages[0].Content; !strings.HasPrefix(system, "You are short. It is "+c.want+".") {
			t.Errorf("the date %s: the system prompt is %q", name, system)
		}
	}
	if n := len(m.requests[0].Messages); n != 1 {
		t.Errorf("the analysis has %d messages, want the user's prompt alone", n)
	}
	system := m.requests[1].Messages[0].Content
	if !strings.HasPrefix(system, "You are short. It is Friday, 3 May 2024.\n\n") || !strings.HasSuffix(system, "You have echo: Repeats a text.") || strings.Contains(system, "In each round") {
		t.Errorf("the system prompt is %q", system)
	}
}
