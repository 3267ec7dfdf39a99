package replay_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/replay"
	"github.com/seed-5817661a/concur/runner/store"
)

// TestTracesSideBySide replays K traces concurrently that send almost the same messages.
func TestTracesSideBySide(t *testing.T) {
	const k, steps = 5, 4
	exchanges, want := record(t, k, steps, nil)
	rec := open(exchanges)
	m := &replay.Model{Recording: rec, Name: "test:m"}
	var wg sync.WaitGroup
	for trace := range k {
		wg.Go(func() {
			for step := range steps {
				req := turn(trace, step)
				got, err := m.Complete(t.Context(), req)
				if diff := cmp.Diff(want[req.Identity], got); err != nil || diff != "" {
					t.Errorf("trace %d step %d: %v\n%s", trace, step, err, diff)
				}
			}
		})
	}
	wg.Wait()
}

func TestStepsInAnyOrder(t *testing.T) {
	exchanges, want := record(t, 1, 4, nil)
	m := &replay.Model{Recording: open(exchanges)}
	for _, step := range []int{2, 0, 3, 1} {
		req := turn(0, step)
		got, err := m.Complete(t.Context(), req)
		if diff := cmp.Diff(want[req.Identity], got); err != nil || diff != "" {
			t.Errorf("step %d: %v\n%s", step, err, diff)
		}
	}
}

// TestDifferences changes one part of a request at a time.
func TestDifferences(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*model.Request)
		fields []string
		shows  []string
	}{
		{"the prompt", func(r *model.Request) { r.Messages[0].Content = "Answer the question.\nUse no tools." },
			[]string{"messages[0]"}, []string{"@@ -2,2 +2,2 @@\n Answer the question.\n-Use the tools.\n+Use no tools."}},
		{"an observation", func(r *model.Request) { r.Messages[3].Content = "ERROR: timeout(web_search)" },
			[]string{"messages[3]"}, []string{"tool (answers call_0):", `-{"results":["page 0 <of> trace 1"]}`, "+ERROR: timeout(web_search)"}},
		{"a call", func(r *model.Request) { r.Messages[2].ToolCalls = []model.ToolCall{{ID: "call_0", Name: "calc"}} },
			[]string{"messages[2]"}, []string{`-call call_0: web_search({"query":"Nile"})`, "+call call_0: calc()"}},
		{"opaque", func(r *model.Request) { r.Messages[2].Opaque = nil }, []string{"messages[2]"}, []string{"-opaque: "}},
		{"one message more", func(r *model.Request) { r.Messages = append(r.Messages, say(model.User, "Well?")) },
			[]string{"messages[4]"}, []string{"@@ -0,0 +1,2 @@\n+user:\n+Well?"}},
		{"one message less", func(r *model.Request) { r.Messages = r.Messages[:3] }, []string{"messages[3]"}, []string{"+0,0 @@\n-tool (answers call_0):"}},
		{"all messages", func(r *model.Request) { r.Messages = nil }, []string{"messages[0]"}, []string{"-system:"}},
		{"a tool", func(r *model.Request) { r.Tools = nil }, []string{"tools"}, []string{`-{"name":"web_search"`}},
		{"a tool's schema", func(r *model.Request) { r.Tools[0].Parameters = []byte(`{"type":"object","x":1}`) }, []string{"tools"}, []string{`"x":1`}},
		{"choice", func(r *model.Request) { r.Choice = model.ChooseNone }, []string{"choice"}, []string{`+"none"`}},
		{"single call", func(r *model.Request) { r.SingleCall = true }, []string{"single_call"}, []string{"-false\n+true"}},
		{"temperature", func(r *model.Request) { r.Temperature = 0 }, []string{"temperature"}, []string{"-0.7\n+0"}},
		{"seed", func(r *model.Request) { r.Seed++ }, []string{"seed"}, []string{"-101\n+102"}},
		{"stop", func(r *model.Request) { r.Stop = nil }, []string{"stop"}, []string{`-"\nObservation:"`}},
		{"schema", func(r *model.Request) { r.Schema = nil }, []string{"schema"}, []string{`-{"name":"reply"`, "+null"}},
		{"no temperature", func(r *model.Request) { r.NoTemperature = true }, []string{"no_temperature"}, []string{"-false\n+true"}},
		{"no seed", func(r *model.Request) { r.NoSeed = true }, []string{"no_seed"}, []string{"-false\n+true"}},
		{"another setting", func(r *model.Request) { r.Extra = map[string]json.RawMessage{"top_p": json.RawMessage("0.5")} }, []string{"extra"}, []string{`+{"top_p":0.5}`}},
		{"a name", func(r *model.Request) { r.Messages[1].Name = "eve" }, []string{"messages[1]"}, []string{`"name":"eve"`}},
		{"several", func(r *model.Request) { r.Seed, r.Temperature, r.Messages[1].Content = 1, 1, "Who?" },
			[]string{"messages[1]", "temperature", "seed"}, []string{"-How long is the Nile?\n+Who?"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			exchanges, _ := record(t, 2, 3, nil)
			rec := open(exchanges)
			req := turn(1, 1)
			c.change(&req)
			never := modelFunc(func(context.Context, model.Request) (model.Response, error) {
				t.Error("a request that differs was sent")
				return model.Response{}, nil
			})
			_, err := (&replay.Model{Recording: rec, Name: "test:m", Missing: never}).Complete(t.Context(), req)
			d, ok := errors.AsType[*replay.Difference](err)
			if !ok || model.KindOf(err) != model.ErrBadRequest || d.What == "" {
				t.Fatalf("%v", err)
			}
			if diff := cmp.Diff(c.fields, d.Fields); diff != "" {
				t.Error(diff)
			}
			for _, part := range append(c.shows, "q0 trace 1 step 1", "record again") {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("does not show %q:\n%v", part, err)
				}
			}
		})
	}
}

// TestWhatJSONDoesNotKeepIsNoDifference has requests that are equal but written in other ways.
func TestWhatJSONDoesNotKeepIsNoDifference(t *testing.T) {
	exchanges, _ := record(t, 1, 2, nil)
	req := turn(0, 1)
	req.Messages[0].ToolCalls = []model.ToolCall{}
	req.Messages[2].Opaque = []byte(`{"signature":"\u003cx\u003e"}`)
	req.Tools[0].Parameters = []byte("{\"type\":\n\"object\"}")
	if _, err := (&replay.Model{Recording: open(exchanges)}).Complete(t.Context(), req); err != nil {
		t.Error(err)
	}
}

func TestMissing(t *testing.T) {
	exchanges, _ := record(t, 2, 2, nil)
	stopped, kind := "stopped", model.ErrCancelled
	cut := store.Exchange{Identity: turn(2, 0).Identity, Error: &stopped, ErrorKind: &kind, RequestSettings: &store.RequestSettings{}}
	exchanges = append(exchanges, cut)
	with := func(change func(*model.Identity)) model.Request {
		req := turn(0, 0)
		change(&req.Identity)
		return req
	}
	for _, c := range []struct {
		name string
		req  model.Request
		want string
	}{
		{"another agent", with(func(id *model.Identity) { id.Agent = "b2" }), "the recording has the agents a1: a setting, prompt or tool of the agent has changed"},
		{"another query", with(func(id *model.Identity) { id.Query = "q9" }), "does not have this conversation"},
		{"a further trace", turn(7, 0), "does not have this conversation"},
		{"a further step", turn(0, 2), "has 2 exchanges of the conversation, but not this step"},
		{"a judge's", with(func(id *model.Identity) { id.Purpose = model.Judge }), "does not have this conversation"},
		{"one that was cancelled", turn(2, 0), "stopped before the reply"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rec := open(exchanges)
			_, err := (&replay.Model{Recording: rec, Name: "test:m"}).Complete(t.Context(), c.req)
			if _, ok := errors.AsType[*replay.Unrecorded](err); !ok || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "--record-missing") {
				t.Errorf("%v; want %q", err, c.want)
			}

			var asked []model.Identity
			filled := &replay.Model{
				Recording: open(exchanges),
				Missing: modelFunc(func(_ context.Context, req model.Request) (model.Response, error) {
					asked = append(asked, req.Identity)
					return model.Response{Message: say(model.Assistant, "new")}, nil
				}),
			}
			resp, err := filled.Complete(t.Context(), c.req)
			if err != nil || resp.Message.Content != "new" || len(asked) != 1 || asked[0] != c.req.Identity {
				t.Errorf("%+v, %v, asked %v", resp, err, asked)
			}
		})
	}
}

// TestOnceMore requests one identity as often as it was recorded, and then once more.
func TestOnceMore(t *testing.T) {
	id := model.Identity{Agent: "correctness:0a", Query: "q0", Purpose: model.Judge}
	req := model.Request{Identity: id, Messages: []model.Message{say(model.System, "You grade."), say(model.User, "4?")}}
	var exchanges []store.Exchange
	for i := range 3 {
		exchanges = append(exchanges, answeredBy(store.Exchange{Identity: id, Messages: req.Messages}, model.Response{Message: say(model.Assistant, fmt.Sprint(i))}))
	}
	m := &replay.Model{Recording: open(exchanges)}
	for i := range 3 {
		if resp, err := m.Complete(t.Context(), req); err != nil || resp.Message.Content != fmt.Sprint(i) {
			t.Errorf("%d: %q, %v", i, resp.Message.Content, err)
		}
	}
	if _, err := m.Complete(t.Context(), req); err == nil || !strings.Contains(err.Error(), "has only 3 requests of this step") {
		t.Errorf("%v", err)
	}
}

func TestRecordedErrors(t *testing.T) {
	inner := &model.Error{Kind: model.ErrContextOverflow, Model: "openai:gpt-4o", Err: errors.New("status 400: too long"), Attempts: 3}
	for _, c := range []struct {
		name string
		err  error
		kind model.ErrorKind
	}{
		{"a model's", inner, model.ErrContextOverflow},
		{"wrapped", fmt.Errorf("budget of the run: %w", inner), model.ErrContextOverflow},
		{"timeout", &model.Error{Kind: model.ErrTimeout, Model: "a: timeout: b", Err: errors.New("30s")}, model.ErrTimeout},
		{"of no kind", errors.New("call me"), model.ErrUnavailable},
	} {
		t.Run(c.name, func(t *testing.T) {
			exchanges, _ := record(t, 1, 2, c.err)
			m := &replay.Model{Recording: open(exchanges)}
			if _, err := m.Complete(t.Context(), turn(0, 0)); err != nil {
				t.Fatal(err)
			}
			_, err := m.Complete(t.Context(), turn(0, 1))
			e, ok := errors.AsType[*model.Error](err)
			if !ok || e.Kind != c.kind || err.Error() != c.err.Error() || e.Attempts != attempts(c.err) {
				t.Errorf("%#v (%v), want %v", e, err, c.err)
			}
		})
	}
	t.Run("no kind recorded", func(t *testing.T) {
		exchanges, _ := record(t, 1, 1, inner)
		exchanges[0].ErrorKind = nil
		_, err := (&replay.Model{Recording: open(exchanges)}).Complete(t.Context(), turn(0, 0))
		if model.KindOf(err) != model.ErrUnavailable || err.Error() != inner.Error() {
			t.Error(err)
		}
	})
}

func TestCancelled(t *testing.T) {
	exchanges, _ := record(t, 1, 1, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m := &replay.Model{Recording: open(exchanges), Name: "test:m"}
	if _, err := m.Complete(ctx, turn(0, 0)); model.KindOf(err) != model.ErrCancelled {
		t.Error(err)
	}
	if _, err := m.Complete(t.Context(), turn(0, 0)); err != nil {
		t.Errorf("what was cancelled counts as used: %v", err)
	}
}
