package react_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/runner/agent/summary"
	"github.com/seed-5817661a/concur/trace"
)

// TestSummariesTakeThePlaceOfObservations checks that, above the budget, the best summaries replace the
// observations before the last turn. The trace has all observations.
func TestSummariesTakeThePlaceOfObservations(t *testing.T) {
	long := strings.Repeat("words ", 100)
	echoed := func(id, text string) reply {
		return use("", call(id, "echo", fmt.Sprintf(`{"text":%q}`, text+" "+long)))
	}
	a := newAgent(t, echo())
	a.Features = []session.Feature{summary.Feature{K: 1, Tokens: 400}}
	p := play(t, t.Context(), a, question("How long is the Danube?"),
		echoed("c1", "one"), say(`{"summary":"The Volga is cold."}`),
		echoed("c2", "two"), say(`nothing`), say(`{"summary":"The Danube is 2,850 km long [corpus_1]."}`),
		echoed("c3", "three"), say("no JSON"), say("no JSON"),
		say("Answer: 2,850 km"))
	p.ended(t, trace.Answered, trace.Final, "2,850 km")
	last := p.requests[len(p.requests)-1]
	shown := map[string]string{}
	for _, m := range last.Messages {
		if m.Role == model.ToolRole {
			shown[m.ToolCallID] = m.Content
		}
	}
	if shown["c1"] != "An earlier result is no longer shown." || shown["c2"] != "A summary of an earlier result: The Danube is 2,850 km long [corpus_1]." || !strings.Contains(shown["c3"], "three words") {
		t.Errorf("the last request shows %q", shown)
	}
	var summaries []string
	whole := 0
	for _, e := range p.events {
		switch b := e.Body.(type) {
		case trace.Reflection:
			summaries = append(summaries, b.Task)
		case trace.Observation:
			if len(b.Output) > len(long) {
				whole++
			}
		}
	}
	if len(summaries) != 3 || whole != 3 || !strings.Contains(strings.Join(p.story(), "\n"), "guard summary fallback") {
		t.Errorf("%d summaries, %d whole outputs in\n%s", len(summaries), whole, strings.Join(p.story(), "\n"))
	}
	if len(p.Children) != 1 || p.Children[0].Task != "summary" || p.Children[0].ModelCalls != 5 {
		t.Errorf("side requests %+v", p.Children)
	}
}

// TestShortConversationsStayWhole checks that nothing changes below the budget, and without summaries.
func TestShortConversationsStayWhole(t *testing.T) {
	for _, w := range []summary.Feature{{}, {K: 3, Tokens: 100_000}} {
		a := newAgent(t, echo())
		if w.K > 0 {
			a.Features = []session.Feature{w}
		}
		replies := []reply{use("", call("c1", "echo", `{"text":"one"}`)), say(`{"summary":"s"}`), use("", call("c2", "echo", `{"text":"two"}`)), say(`{"summary":"s"}`), say("Answer: 1")}
		if w.K == 0 {
			replies = []reply{replies[0], replies[2], replies[4]}
		}
		p := play(t, t.Context(), a, question("How long?"), replies...)
		last := p.requests[len(p.requests)-1].Messages
		if all := fmt.Sprint(last); !strings.Contains(all, "one") || !strings.Contains(all, "two") || strings.Contains(all, "summary") {
			t.Errorf("%+v: %s", w, all)
		}
	}
}
