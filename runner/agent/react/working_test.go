package react_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/runner/agent/summary"
	"github.com/seed-5817661a/concur/trace"
)

// filler makes the results of calls long.
var filler = strings.Repeat("words ", 200)

// six are two turns: five calls at once and a last one. Each result begins with the id of its call. After each turn
// come the sentences on its results.
func six(sentence func(n int) string) []reply {
	one := func(n int) model.ToolCall {
		return call(fmt.Sprintf("c%d", n), "echo", fmt.Sprintf(`{"text":"c%d %s"}`, n, filler))
	}
	noted := func(n int) reply { return say(fmt.Sprintf(`{"summary":%q}`, sentence(n))) }
	return []reply{
		use("", one(1), one(2), one(3), one(4), one(5)), noted(1), noted(2), noted(3), noted(4), noted(5),
		use("", one(6)), noted(6),
	}
}

// lastSeen returns what the model saw of each call when it answered: whole, or the sentence.
func (p played) lastSeen(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, m := range p.requests[len(p.requests)-1].Messages {
		if m.Role != model.ToolRole {
			continue
		}
		sentence, cut := strings.CutPrefix(m.Content, "A summary of an earlier result: ")
		switch {
		case cut:
			out[m.ToolCallID] = sentence
		case strings.Contains(m.Content, m.ToolCallID+" "+filler):
			out[m.ToolCallID] = "whole"
		default:
			t.Errorf("of %s the model saw %q", m.ToolCallID, m.Content)
		}
	}
	return out
}

// size returns the bytes of a request's conversation.
func size(r model.Request) (n int) {
	for _, m := range r.Messages {
		n += len(m.Content)
		for _, c := range m.ToolCalls {
			n += len(c.Arguments)
		}
	}
	return n
}

// TestSummariesReplaceResults: results give way to their sentences one after the other, and only as many as the budget
// asks for. None is hidden without its sentence. The k that give way last are the best by age and words, or those that
// the model names.
func TestSummariesReplaceResults(t *testing.T) {
	plain := func(n int) string { return fmt.Sprintf("Sentence %d.", n) }
	river := func(n int) string {
		if n == 1 {
			return "The Danube is 2,850 km long."
		}
		return plain(n)
	}
	const saved = 1160 // bytes that one sentence saves, or some more
	q := question("How long is the Danube?")
	measured := newAgent(t, echo())
	measured.Features = []session.Feature{summary.Feature{K: 2, Tokens: 1 << 20}}
	whole := play(t, t.Context(), measured, q, append(six(plain), say("Answer: 2,850 km"))...)
	all := size(whole.requests[len(whole.requests)-1])
	for name, c := range map[string]struct {
		k        int
		over     float64 // by how many results the conversation is too long
		sentence func(int) string
		ranks    []reply // what the model replies if it ranks
		want     string  // the calls whose results are replaced
	}{
		"none":                              {2, 0, plain, nil, ""},
		"one":                               {2, 0.5, plain, nil, "c1"},
		"no sentence has a word, keep new":  {2, 2.5, plain, nil, "c1 c2 c3"},
		"of the k the newest stays":         {2, 3.5, plain, nil, "c1 c2 c3 c4"},
		"all of them":                       {2, 4.5, plain, nil, "c1 c2 c3 c4 c5"},
		"more than there are":               {2, 9, plain, nil, "c1 c2 c3 c4 c5"},
		"k keeps what fits":                 {2, 2.5, river, nil, "c2 c3 c4"},
		"a tie keeps the new":               {1, 3.5, river, nil, "c1 c2 c3 c4"},
		"the model chooses":                 {2, 2.5, plain, []reply{say(`{"ranks":[2,1]}`)}, "c3 c4 c5"},
		"the model names the best first":    {2, 3.5, plain, []reply{say(`{"ranks":[2,1]}`)}, "c1 c3 c4 c5"},
		"the model names more than k":       {1, 3.5, plain, []reply{say(`{"ranks":[3,1,2]}`)}, "c1 c2 c4 c5"},
		"the model names none":              {2, 2.5, plain, []reply{say(`{"ranks":[]}`)}, "c1 c2 c3"},
		"the model cannot be read":          {2, 2.5, river, []reply{say("Keep two."), say(`{"ranks":[9]}`)}, "c2 c3 c4"},
		"the model is not asked for nought": {2, 9, plain, []reply{}, "c1 c2 c3 c4 c5"},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAgent(t, echo())
			budget := max(1, (all-int(c.over*saved)+3)/4)
			a.Features = []session.Feature{summary.Feature{K: c.k, Tokens: budget, Ranked: c.ranks != nil}}
			p := play(t, t.Context(), a, q, slices.Concat(six(c.sentence), c.ranks, []reply{say("Answer: 2,850 km")})...)
			p.ended(t, trace.Answered, trace.Final, "2,850 km")
			want := map[string]string{}
			for n := range 6 {
				id := fmt.Sprintf("c%d", n+1)
				if want[id] = "whole"; strings.Contains(c.want, id) {
					want[id] = c.sentence(n + 1)
				}
			}
			if diff := cmp.Diff(want, p.lastSeen(t)); diff != "" {
				t.Errorf("the model saw (-want +got)\n%s", diff)
			}
			if now := size(p.requests[len(p.requests)-1]); c.over < 5 && now > 4*budget {
				t.Errorf("the last request has %d bytes, and the budget is %d", now, 4*budget)
			}
			for _, child := range p.Children {
				if child.Task == "summary_ranking" && child.ModelCalls != len(c.ranks) {
					t.Errorf("%d calls for the ranking, want %d", child.ModelCalls, len(c.ranks))
				}
			}
			if unread := strings.Contains(strings.Join(p.story(), "\n"), "guard summary fallback"); unread != (len(c.ranks) == 2) {
				t.Errorf("a fallback is recorded: %t", unread)
			}
		})
	}
}

// TestTheTraceKeepsResults: a result without a readable sentence is replaced by its beginning; the trace has the whole
// output.
func TestTheTraceKeepsResults(t *testing.T) {
	a := newAgent(t, echo())
	a.Features = []session.Feature{summary.Feature{K: 1, Tokens: 1}}
	replies := six(func(n int) string { return fmt.Sprintf("Sentence %d.", n) })
	replies = slices.Replace(replies, 1, 2, say("nothing"), say("no JSON"))
	p := play(t, t.Context(), a, question("How long is the Danube?"), append(replies, say("Answer: 2,850 km"))...)
	p.ended(t, trace.Answered, trace.Final, "2,850 km")
	last := p.requests[len(p.requests)-1]
	seen := strings.Join(p.story(), "\n")
	if !strings.Contains(seen, "guard summary fallback") || !strings.Contains(fmt.Sprint(last.Messages), `A summary of an earlier result: {"text":"c1 words`) {
		t.Errorf("the beginning of the first result is not shown:\n%s\n%v", seen, last.Messages)
	}
	summaries, whole := 0, 0
	for _, e := range p.events {
		switch b := e.Body.(type) {
		case trace.Reflection:
			summaries++
		case trace.Observation:
			if len(b.Output) > len(filler) {
				whole++
			}
		}
	}
	if summaries != 6 || whole != 6 {
		t.Errorf("%d summaries, %d whole outputs in\n%s", summaries, whole, seen)
	}
	if len(p.Children) != 1 || p.Children[0].Task != "summary" || p.Children[0].ModelCalls != 7 {
		t.Errorf("side requests %+v", p.Children)
	}
}

// TestRankingModelFails: a failure of the model while it ranks ends the trace as a failure of the infrastructure.
func TestRankingModelFails(t *testing.T) {
	down := func(context.Context) (model.Response, error) {
		return model.Response{}, &model.Error{Kind: model.ErrTimeout, Err: errors.New("slow")}
	}
	long := func(n int) string { return fmt.Sprintf("Sentence %d.", n) }
	a := newAgent(t, echo())
	whole := play(t, t.Context(), a, question("How long?"), six(long)[0], six(long)[6], say("Answer: 1"))
	a.Features = []session.Feature{summary.Feature{K: 1, Tokens: size(whole.requests[2])/4 - 100, Ranked: true}}
	p := play(t, t.Context(), a, question("How long?"), append(six(long), down)...)
	p.ended(t, trace.Infra, trace.Timeout, "")
}

// TestShortConversationsStayWhole: up to the budget, and without summaries, nothing changes.
func TestShortConversationsStayWhole(t *testing.T) {
	for _, w := range []summary.Feature{{}, {K: 3, Tokens: 100_000, Ranked: true}} {
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
