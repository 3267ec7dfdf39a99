package runner_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/trace"
)

// counted replies with the number of messages in the request, and fails if the last one asks for it.
func counted(_ context.Context, req model.Request) (model.Response, error) {
	last := req.Messages[len(req.Messages)-1].Content
	if last == "fail" {
		return model.Response{}, errors.New("the model is gone")
	}
	return model.Response{
		Message: model.Message{
			Role: model.Assistant, Content: fmt.Sprint(len(req.Messages)),
			ToolCalls: []model.ToolCall{{ID: "same", Name: "calc", Arguments: "{}"}},
		},
		Finish: model.FinishToolCalls, Model: "counter-1", Usage: model.Usage{InputTokens: len(req.Messages)},
	}, nil
}

// recordOf runs one trace of an agent and returns its exchanges.
func recordOf(t testing.TB, a agentFunc) ran {
	t.Helper()
	p := newPlan(1, 1, 1, a)
	p.Arms[0].Model = modelFunc(counted)
	r := execute(t, t.Context(), p, runner.Control{})
	if r.err != nil {
		t.Fatal(r.err)
	}
	return r
}

var first = trace.ID{Agent: "a1", Query: "q0", Trace: 0}

func ask(ctx context.Context, task agent.Task, step int, messages []model.Message) (model.Response, error) {
	return task.Model.Complete(ctx, model.Request{
		Identity: model.Identity{Agent: task.ID.Agent, Query: task.ID.Query, Trace: task.ID.Trace, Step: step, Purpose: model.Agent},
		Messages: messages, Temperature: 0.5, Seed: task.Seed, NoTemperature: true, NoSeed: true, Extra: map[string]json.RawMessage{"top_p": json.RawMessage("0.9")},
	})
}

// TestConversationsCanBeReadBack checks that the requests can be built from the added messages and responses,
// even if calls failed or messages were changed, and that no message is written twice.
func TestConversationsCanBeReadBack(t *testing.T) {
	texts := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "2", "fail"}), 1, 3)
	rapid.Check(t, func(r *rapid.T) {
		turns := rapid.SliceOfN(texts, 1, 8).Draw(r, "added in each turn")
		changes := rapid.Bool().Draw(r, "the agent changes replies")
		var requests [][]model.Message
		ran := recordOf(t, func(ctx context.Context, task agent.Task) trace.Trace {
			var messages []model.Message
			for step, added := range turns {
				for _, text := range added {
					messages = append(messages, model.Message{Role: model.User, Content: text})
				}
				requests = append(requests, slices.Clone(messages))
				reply, err := ask(ctx, task, step, messages)
				if err != nil {
					continue
				}
				if changes {
					reply.Message.ToolCalls = []model.ToolCall{{ID: fmt.Sprint("own", step), Name: "calc", Arguments: "{}"}}
				}
				messages = append(messages, reply.Message)
			}
			return answered(task, "yes")
		})
		exchanges := ran.exchanges[first]
		if len(exchanges) != len(turns) {
			r.Fatalf("%d exchanges, want %d", len(exchanges), len(turns))
		}
		var conversation []model.Message
		written := 0
		for i, x := range exchanges {
			kept := len(requests[i]) - len(x.Messages)
			conversation = append(conversation[:kept], x.Messages...)
			if diff := cmp.Diff(requests[i], conversation, cmpopts.EquateEmpty()); diff != "" {
				r.Fatalf("request %d (-sent +read):\n%s", i, diff)
			}
			if x.Response != nil {
				conversation = append(conversation, *x.Response)
			}
			written += len(x.Messages)
		}
		if most := len(requests[len(turns)-1]); written > most {
			r.Errorf("%d messages were written for a conversation of %d", written, most)
		}
	})
}

func TestExchange(t *testing.T) {
	r := recordOf(t, func(ctx context.Context, task agent.Task) trace.Trace {
		for step, text := range []string{"hello", "fail"} {
			if _, err := ask(ctx, task, step, []model.Message{{Role: model.User, Content: text}}); (err != nil) != (text == "fail") {
				t.Errorf("%s: error %v", text, err)
			}
		}
		return answered(task, "yes")
	})
	exchanges := r.exchanges[first]
	if len(exchanges) != 2 {
		t.Fatalf("%d exchanges", len(exchanges))
	}
	good, bad := exchanges[0], exchanges[1]
	if good.Error != nil || good.Response == nil || good.Response.Content != "1" || *good.Finish != "tool_calls" || *good.Model != "counter-1" || good.Usage.InputTokens != 1 {
		t.Errorf("exchange %+v", good)
	}
	if bad.Error == nil || *bad.Error != "the model is gone" || bad.Response != nil || bad.Usage != nil || bad.Identity.Step != 1 {
		t.Errorf("failed exchange %+v", bad)
	}
	// It replaced the first request instead of following it, and is written all the same.
	if len(bad.Messages) != 1 || bad.Messages[0].Content != "fail" {
		t.Errorf("the second conversation is written as %+v", bad.Messages)
	}
	if good.RequestSettings == nil || good.RequestSettings.Model != newPlan(1, 1, 1, nil).Arms[0].Configuration.Model || good.RequestSettings.Temperature != 0.5 {
		t.Errorf("settings %+v", good.RequestSettings)
	}
	if s := good.RequestSettings; !s.NoTemperature || !s.NoSeed || string(s.Extra["top_p"]) != "0.9" {
		t.Errorf("settings %+v", s)
	}
	if bad.RequestSettings != nil || bad.Settings != good.Settings || good.Seed != runner.TraceSeed(1, "q0", 0) {
		t.Errorf("settings %q and %q, seed %d", good.Settings, bad.Settings, good.Seed)
	}
	if sent := r.records[0].Timing.CallsSent; sent != 2 {
		t.Errorf("%d calls sent, want 2", sent)
	}
}

// TestChatGrowsWithTheConversation checks that twice as many turns take about twice the space, and not four
// times.
func TestChatGrowsWithTheConversation(t *testing.T) {
	size := func(turns int) int64 {
		r := recordOf(t, func(ctx context.Context, task agent.Task) trace.Trace {
			var messages []model.Message
			for step := range turns {
				messages = append(messages, model.Message{Role: model.User, Content: "More?"})
				reply, err := ask(ctx, task, step, messages)
				if err != nil {
					t.Fatal(err)
				}
				messages = append(messages, reply.Message)
			}
			return answered(task, "yes")
		})
		info, err := os.Stat(filepath.Join(r.dir, "chat.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	if few, many := size(50), size(100); many > few*21/10 {
		t.Errorf("50 turns take %d bytes and 100 take %d", few, many)
	}
}

// TestAnAgentMayAskSeveralThingsAtOnce checks that an agent may send concurrent requests and then change
// their messages; -race detects conflicts.
func TestAnAgentMayAskSeveralThingsAtOnce(t *testing.T) {
	const branches = 8
	r := recordOf(t, func(ctx context.Context, task agent.Task) trace.Trace {
		var asking sync.WaitGroup
		for i := range branches {
			asking.Go(func() {
				messages := []model.Message{{Role: model.User, Content: fmt.Sprint("branch ", i)}}
				if _, err := ask(ctx, task, i, messages); err != nil {
					t.Error(err)
				}
				messages[0].Content = "changed"
			})
		}
		asking.Wait()
		return answered(task, "yes")
	})
	var asked []string
	for _, x := range r.exchanges[first] {
		for _, m := range x.Messages {
			asked = append(asked, m.Content)
		}
	}
	slices.Sort(asked)
	want := []string{}
	for i := range branches {
		want = append(want, fmt.Sprint("branch ", i))
	}
	if diff := cmp.Diff(want, asked); diff != "" || r.records[0].Timing.CallsSent != branches {
		t.Errorf("%d calls, messages (-want +got):\n%s", r.records[0].Timing.CallsSent, diff)
	}
}

func TestTimesComeFromTheClock(t *testing.T) {
	p := newPlan(1, 1, 1, agentFunc(talker))
	p.Arms[0].Model = modelFunc(sampled)
	r := execute(t, t.Context(), p, runner.Control{Clock: func() time.Time { return time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC) }})
	var years []int
	for _, x := range r.exchanges[first] {
		years = append(years, x.Time.Year())
	}
	for _, e := range r.events[first] {
		years = append(years, e.Time.Year())
	}
	if slices.Sort(years); len(years) < 2 || !slices.Equal(slices.Compact(years), []int{1999}) {
		t.Errorf("events and exchanges of the years %v, want 1999", years)
	}
}
