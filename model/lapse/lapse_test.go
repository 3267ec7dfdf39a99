package lapse_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/lapse"
)

// inner always sends the same message.
type inner model.Message

func (m inner) Complete(context.Context, model.Request) (model.Response, error) {
	return model.Response{Message: model.Message(m), Finish: model.FinishStop}, nil
}

func ExampleModel() {
	m := lapse.Model{Inner: inner{Content: "It was opened then [corpus_1].\n\nAnswer: 1868"}, Rate: 1}
	resp, err := m.Complete(context.Background(), model.Request{Seed: 1})
	fmt.Println(resp.Message.Content, err)
	// Output:
	// It was opened then [corpus_1].
	//
	// Answer: 1886 <nil>
}

func search(query string) model.ToolCall {
	return model.ToolCall{ID: "call_1", Name: "web_search", Arguments: fmt.Sprintf(`{"limit":8,"query":%q}`, query)}
}

// conversation returns a request with turns of one call, each followed by its result.
func conversation(turns ...string) model.Request {
	req := model.Request{
		Seed:     1,
		Messages: []model.Message{{Role: model.User, Content: "Who?"}},
		Tools:    []model.ToolSpec{{Name: "web_search"}},
	}
	for i := 0; i < len(turns); i += 2 {
		req.Messages = append(req.Messages,
			model.Message{Role: model.Assistant, ToolCalls: []model.ToolCall{search(turns[i])}},
			model.Message{Role: model.ToolRole, ToolCallID: "call_1", Content: turns[i+1]})
	}
	return req
}

func complete(t *testing.T, rate float64, req model.Request) model.Response {
	t.Helper()
	resp, err := lapse.Model{Inner: inner{Content: "Answer: none"}, Rate: rate}.Complete(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

func TestLoop(t *testing.T) {
	forced, toolless, graded := conversation("a", "x"), conversation("a", "x"), conversation("a", "x")
	forced.Choice, toolless.Tools, graded.Schema = "web_search", nil, &model.ResponseSchema{Name: "s"}
	for name, c := range map[string]struct {
		req   model.Request
		loops bool
	}{
		"after a reply":                     {conversation("a", "x"), true},
		"while the same comes back":         {conversation("a", "x", "a", "x"), true},
		"though the call has another space": {conversation("a", "x", "a ", "x"), true},
		"until something else comes back":   {conversation("a", "x", "a", "ERROR: repeated"), false},
		"not before the first call":         {conversation(), false},
		"not without tools":                 {toolless, false},
		"not where a tool is demanded":      {forced, false},
		"not where a form is demanded":      {graded, false},
	} {
		t.Run(name, func(t *testing.T) {
			resp := complete(t, 1, c.req)
			if got := len(resp.Message.ToolCalls) > 0; got != c.loops {
				t.Fatalf("it loops: %t, want %t (%+v)", got, c.loops, resp.Message)
			}
			if !c.loops {
				return
			}
			call := resp.Message.ToolCalls[0]
			var in struct{ Query string }
			if err := json.Unmarshal([]byte(call.Arguments), &in); err != nil || strings.TrimSpace(in.Query) != "a" {
				t.Errorf("it calls %+v, want the search for a: %v", call, err)
			}
			if call.ID == "call_1" || resp.Finish != model.FinishToolCalls {
				t.Errorf("the call has the id of an earlier one, or the turn ends %s: %+v", resp.Finish, call)
			}
			if diff := cmp.Diff(resp, complete(t, 1, c.req)); diff != "" {
				t.Errorf("the same request got another reply:\n%s", diff)
			}
		})
	}
}

// TestRates counts lapses over fixed seeds, so that the counts are always the same. The bounds are five
// standard deviations.
func TestRates(t *testing.T) {
	const seeds = 2000
	loops, spaced, slips := 0, 0, 0
	for seed := range int64(seeds) {
		req := conversation("a", "x")
		req.Seed = seed
		if calls := complete(t, 0.3, req).Message.ToolCalls; calls != nil {
			loops++
			if strings.Contains(calls[0].Arguments, `a "`) {
				spaced++
			}
		}
		m := lapse.Model{Inner: inner{Content: "Answer: 12"}, Rate: 0.3}
		resp, err := m.Complete(t.Context(), model.Request{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		if resp.Message.Content == "Answer: 21" {
			slips++
		}
	}
	for what, n := range map[string]int{"loops": loops, "slips": slips, "spaced loops, twice": 2 * spaced} {
		if n < 500 || n > 700 {
			t.Errorf("%s: %d of %d at a rate of 0.3", what, n, seeds)
		}
	}
}

func TestSlip(t *testing.T) {
	for in, want := range map[string]string{
		"Answer: 1868\n\nReferences:\n[a] 12": "Answer: 1886\n\nReferences:\n[a] 12",
		"Answer: 20 July 1969":                "Answer: 20 July 1996",
		"Answer: 21,400":                      "Answer: 21,040",
		"Answer: 7":                           "Answer: 7",
		"Answer: 33":                          "Answer: 33",
		"Answer: Wickmoor":                    "Answer: Wickmoor",
		"Answer: [REFUSE]":                    "Answer: [REFUSE]",
		"It is 12.":                           "It is 12.",
	} {
		resp, err := lapse.Model{Inner: inner{Content: in}, Rate: 1}.Complete(t.Context(), model.Request{})
		if err != nil || resp.Message.Content != want {
			t.Errorf("%q becomes %q, want %q: %v", in, resp.Message.Content, want, err)
		}
	}
	resp, err := lapse.Model{Inner: inner{Content: "Nothing.\n\nAnswer: [ABSTAIN]"}, Rate: 1}.Complete(t.Context(), model.Request{Seed: 3})
	var year int
	if _, scan := fmt.Sscanf(resp.Message.Content, "Nothing.\n\nAnswer: %d", &year); err != nil || scan != nil || year < 1700 || year > 1999 {
		t.Errorf("an abstention becomes %q: %v, %v", resp.Message.Content, err, scan)
	}
	again := model.Request{Messages: []model.Message{{Role: model.Assistant, Content: "Answer: 21"}}}
	differ := 0
	for again.Seed = range 100 {
		m := lapse.Model{Inner: inner{Content: "Answer: 12"}, Rate: 0.5}
		first, _ := m.Complete(t.Context(), model.Request{Seed: again.Seed})
		second, _ := m.Complete(t.Context(), again)
		if first.Message.Content != second.Message.Content {
			differ++
		}
	}
	if differ < 25 || differ > 75 {
		t.Errorf("of 100 corrections %d lapse where the first answer did not, or the other way round", differ)
	}
}

type failing struct{}

func (failing) Complete(context.Context, model.Request) (model.Response, error) {
	return model.Response{}, errors.New("down")
}

func TestErrorsPass(t *testing.T) {
	if _, err := (lapse.Model{Inner: failing{}, Rate: 1}).Complete(t.Context(), conversation("a", "x")); err == nil {
		t.Error("the inner model's error is lost")
	}
}
